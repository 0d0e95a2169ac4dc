import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { isAlive } from "../../../../test/processes.ts";
import { until } from "../../../../test/until.ts";
import { connect } from "../../src/mcp/connect.ts";
import type { Connection } from "../../src/mcp/connection.ts";
import type { ServerConfig } from "../../src/mcp/server-config.ts";
import { MEDIA } from "./servers/workbench-tools.ts";
import {
  failure,
  npmServer,
  ownServer,
  pids,
  readLog,
  serverWithLog,
  temporaryDirectory,
  textOf,
} from "./support.ts";

const SOON = { timeoutMs: 15_000 };

async function open(
  config: ServerConfig,
  timeoutMs = 15_000,
  maxMessageBytes = 10_000_000,
): Promise<Connection> {
  const connection = await connect(config, { timeoutMs, maxMessageBytes });
  onTestFinished(() => connection.close());
  return connection;
}

describe("a session with a server that is a program", () => {
  test("servers from npm list their tools and answer", async () => {
    const everything = await open(npmServer("everything", "stdio"));
    expect((await everything.listTools(SOON)).map((tool) => tool.name)).toContain("get-sum");
    expect(textOf(await everything.callTool("get-sum", { a: 2, b: 3 }, SOON))).toContain("5");

    const directory = temporaryDirectory();
    const files = await open(npmServer("filesystem", directory));
    await files.callTool("write_file", { path: `${directory}/note.txt`, content: "Grüße" }, SOON);
    expect(textOf(await files.callTool("read_text_file", { path: `${directory}/note.txt` }, SOON))).toBe(
      "Grüße",
    );
  });

  test.each([
    ["the newer protocol only", "sdk", ["reject"]],
    ["the older one, and ends when asked for the newer", "rude", ["fragile"]],
    ["the older one, and prints other things too", "rude", ["chatty"]],
  ])("a server that speaks %s is understood [M-eras]", async (_, name, args) => {
    const connection = await open(ownServer(name, ...args).config);
    expect((await connection.listTools(SOON)).length).toBeGreaterThan(0);
    expect(
      (await connection.callTool(name === "rude" ? "only" : "echo", { text: "hi" }, SOON)).content,
    ).toHaveLength(1);
  });

  test("a server that speaks only the newer protocol, and is slow to start, is understood [M-eras]", async () => {
    const { config, log } = ownServer("sdk", "reject");
    const connection = await open({ ...config, env: { ...config.env, SLOW: "4500" } }, 8000);
    expect((await connection.listTools(SOON)).length).toBeGreaterThan(0);
    expect(pids(log()).map(isAlive)).toEqual([false, true]);
  });

  test("a program that is not there is named [M-start]", async () => {
    const error = await failure(open({ type: "stdio", command: "no-such-program-anywhere" }));
    expect(error).toMatchObject({
      kind: "unavailable",
      message: expect.stringContaining("no-such-program-anywhere"),
    });
  });

  test("a program that ends at once is reported with its exit code and last words [M-start]", async () => {
    const error = await failure(open(ownServer("wordless.sh", "broken").config));
    expect(error).toMatchObject({
      kind: "unavailable",
      message: "the server ended with exit code 4: Cannot read settings",
    });
  });

  test("a program that never responds is given up and terminated [M-pages] [M-orphans]", async () => {
    const { config, log } = ownServer("wordless.sh", "silent");
    const error = await failure(open(config, 1500));
    expect(error).toMatchObject({ kind: "timeout", message: "no response to the handshake within 1500 ms" });
    expect(pids(log()).filter(isAlive)).toEqual([]);
    expect(pids(log()).length).toBeGreaterThan(0);
  });

  test("closing ends the program and what it started, however stubborn [M-orphans]", async () => {
    const { config, log } = ownServer("rude", "stubborn");
    const connection = await open(config);
    const processes = [...pids(log()), ...pids(log(), "child")];
    expect(processes.map(isAlive)).toEqual([true, true]);
    await connection.close();
    await until(() => !processes.some(isAlive), "the server and its child are gone");
  });

  test("a message beyond the limit ends the session with an error [M-limit]", async () => {
    const connection = await open(ownServer("stdio").config, 15_000, 10_000);
    const error = await failure(connection.callTool("echo", { text: "x".repeat(20_000) }, SOON));
    expect(error.kind).toBe("connection_lost");
    expect(error.message).toContain("the server sent more than 10000 bytes in one message and was ended");
    await connection.closed;
  });

  test("250 tools in seven pages are all listed; pages without end are an error [M-pages]", async () => {
    const connection = await open(ownServer("pages").config);
    const names = (await connection.listTools(SOON)).map((tool) => tool.name);
    expect(names).toEqual(Array.from({ length: 250 }, (_, index) => `tool-${index}`));

    const endless = await open(ownServer("pages", "endless").config);
    expect((await failure(endless.listTools({ timeoutMs: 60_000 }))).message).toMatch(/1000/);
  }, 90_000);

  test("tools of a server that does not say it has any are listed; none of one that has none [M-pages]", async () => {
    const modest = await open(ownServer("rude", "modest").config);
    expect((await modest.listTools(SOON)).map((tool) => tool.name)).toEqual(["only"]);
    const bare = await open(ownServer("scripted", "2025-11-25").config);
    expect(await bare.listTools(SOON)).toEqual([]);
  });

  test("the program gets the short environment and its own variables, nothing else [M-env]", async () => {
    process.env["MCI_TEST_SECRET"] = "s3cr3t";
    onTestFinished(() => void delete process.env["MCI_TEST_SECRET"]);
    const connection = await open(ownServer("stdio").config);
    const environment = JSON.parse(textOf(await connection.callTool("environment", {}, SOON)));
    expect(environment).toMatchObject({ PATH: process.env["PATH"], LOG: expect.any(String) });
    expect(JSON.stringify(environment)).not.toContain("s3cr3t");
  });
});

describe("a call to the official server", () => {
  // One session for all: no call depends on another.
  let connection: Connection;
  let log: () => string[];
  beforeAll(async () => {
    let removeDirectory = () => {};
    const file = join(
      temporaryDirectory((remove) => (removeDirectory = remove)),
      "log",
    );
    log = () => readLog(file);
    connection = await connect(serverWithLog(file, "sdk"), { ...SOON, maxMessageBytes: 10_000_000 });
    return async () => {
      await connection.close();
      removeDirectory();
    };
  });
  const count = (line: string) => log().filter((one) => one === line).length;

  test("is understood by a server of both generations [M-eras]", async () => {
    expect((await connection.listTools(SOON)).length).toBeGreaterThan(0);
    expect(textOf(await connection.callTool("echo", { text: "hi" }, SOON))).toBe("hi");
  });

  test("brings every kind of content through unchanged [M-pages]", async () => {
    const { content } = await connection.callTool("media", {}, SOON);
    expect(content).toEqual(MEDIA);
  });

  test("brings structured content, and is not refused for missing its own schema [M-pages]", async () => {
    await connection.listTools(SOON);
    expect(await connection.callTool("structured", {}, SOON)).toMatchObject({
      structuredContent: { sum: 3 },
    });
    expect(textOf(await connection.callTool("misfit", {}, SOON))).toBe("text only");
  });

  test("reports progress while it runs [M-progress]", async () => {
    const seen: unknown[] = [];
    await connection.callTool(
      "steps",
      { count: 3 },
      { ...SOON, onProgress: (progress) => seen.push(progress) },
    );
    expect(seen).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` })));
  });

  test("that takes too long is cancelled, and the server is notified [M-pages]", async () => {
    const before = count("cancelled");
    const error = await failure(connection.callTool("wait", { ms: 60_000 }, { timeoutMs: 200 }));
    expect(error).toMatchObject({ kind: "timeout", message: "no response within 200 ms" });
    await until(() => count("cancelled") > before, "the server hears of it");
  });

  test("that the caller cancels ends at once, and the server is notified [M-pages]", async () => {
    const before = { called: count("call wait"), cancelled: count("cancelled") };
    const controller = new AbortController();
    const call = failure(connection.callTool("wait", { ms: 60_000 }, { ...SOON, signal: controller.signal }));
    await until(() => count("call wait") > before.called, "the call arrives");
    controller.abort();
    expect((await call).kind).toBe("aborted");
    await until(() => count("cancelled") > before.cancelled, "the server hears of it");
  });

  test("that the server refuses carries its reason [M-refused]", async () => {
    expect(await failure(connection.callTool("refuse", {}, SOON))).toMatchObject({
      kind: "refused",
      message: expect.stringContaining("Not on a Sunday"),
    });
  });

  test("shares the session with a hundred others [M-idle]", async () => {
    const texts = Array.from({ length: 100 }, (_, index) => `call ${index}`);
    const slow = connection.callTool("wait", { ms: 300 }, SOON);
    const results = await Promise.all(texts.map((text) => connection.callTool("echo", { text }, SOON)));
    expect(results.map(textOf)).toEqual(texts);
    expect(textOf(await slow)).toBe("waited");
  });
});

describe("a call", () => {
  test("during which the server dies is lost, with the server's last words [M-crash]", async () => {
    const connection = await open(ownServer("stdio").config);
    const error = await failure(connection.callTool("crash", {}, SOON));
    expect(error).toMatchObject({
      kind: "connection_lost",
      message: expect.stringContaining("ended with exit code 3: out of cheese"),
    });
    expect(error.message).toContain("may have taken effect");
    expect(await failure(connection.callTool("echo", {}, SOON))).toMatchObject({ kind: "not_sent" });
  });

  test("to a server that closes its output is lost, and the server is ended [M-crash]", async () => {
    const { config, log } = ownServer("rude", "mute");
    const connection = await open(config);
    expect(await failure(connection.callTool("only", {}, SOON))).toMatchObject({
      kind: "connection_lost",
      message: expect.stringMatching(/^the server closed its output and was ended\. The call had been sent/),
    });
    expect(pids(log()).filter(isAlive)).toEqual([]);
  });

  test("to a server that takes no more input was not sent, and closing ends the server [M-crash]", async () => {
    const { config, log } = ownServer("rude", "deaf");
    const connection = await open(config);
    const call = () => connection.callTool("only", {}, { timeoutMs: 200 });
    // A moment after the handshake a call may still get into the pipe, or even through it.
    const fate = () =>
      call().then(
        () => "answered",
        (error) => error.kind,
      );
    await until(async () => (await fate()) === "not_sent", "the pipe is closed");
    expect(await failure(call())).toMatchObject({
      kind: "not_sent",
      message: "the server takes no more input",
    });
    await connection.close();
    expect(pids(log()).filter(isAlive)).toEqual([]);
  });

  test("that is answered with something that is not MCP says which field it is about", async () => {
    const connection = await open(ownServer("rude", "confused").config);
    const { message } = await failure(connection.callTool("only", {}, SOON));
    expect(message).toMatch(/^Invalid result for tools\/call: content\.0: [^[{]+$/);
  });
});
