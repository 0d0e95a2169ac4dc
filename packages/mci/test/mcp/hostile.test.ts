import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { isAlive } from "../../../../test/processes.ts";
import { until } from "../../../../test/until.ts";
import { connect } from "../../src/mcp/connect.ts";
import type { CallOptions, Connection } from "../../src/mcp/connection.ts";
import { load, project } from "../toolsets/support.ts";
import { failure, ownServer, pids, serverWithLog, textOf } from "./support.ts";

const SOON = { timeoutMs: 15_000 };
const ERAS = ["2025", "2026"] as const;

async function scripted(era: string, ...answers: string[]): Promise<Connection & { log: () => string[] }> {
  const { config, log } = ownServer("scripted", era, ...answers);
  const connection = await connect(config, { timeoutMs: 15_000, maxMessageBytes: 1_000_000 });
  onTestFinished(() => connection.close());
  return Object.assign(connection, { log });
}

const message = (rest: string) => `{"jsonrpc":"2.0","id":<id>,${rest}}\n`;
const result = (fields: string) => message(`"result":{"resultType":"complete",${fields}}`);
const FINE = result('"content":[{"type":"text","text":"fine"}]');

describe.each(ERAS)("a call to a server of %s", (era) => {
  // One session for all: whatever a call is answered with, the next one finds the session as it was.
  let session: Connection;
  beforeAll(async () => {
    session = await connect(serverWithLog(undefined, "scripted", era), {
      timeoutMs: 15_000,
      maxMessageBytes: 1_000_000,
    });
    return () => session.close();
  });
  const callAnsweredWith = (answer: string, options: Partial<CallOptions> = {}) =>
    session.callTool("t", { answer }, { ...SOON, ...options });

  test.each([
    ["no result", '{"jsonrpc":"2.0","id":<id>}\n'],
    ["null", message('"result":null')],
    ["a text", message('"result":"done"')],
    ["both a result and an error", message('"result":{"content":[]},"error":{"code":1,"message":"e"}')],
    ["an error that is a text", message('"error":"bad"')],
    ["an error without a code", message('"error":{"message":"bad"}')],
    ["no version", '{"id":<id>,"result":{"content":[]}}\n'],
    ["another version", '{"jsonrpc":"1.0","id":<id>,"result":{"content":[]}}\n'],
  ])("that is answered with %s fails at once, not at its deadline [M-malformed]", async (_, answer) => {
    expect(await failure(callAnsweredWith(answer))).toMatchObject({
      kind: "refused",
      message: "the response is not JSON-RPC",
    });
  });

  test.each([
    ["content that is not a list", '"content":{"type":"text","text":"x"}', "content: "],
    ["a text that is a number", '"content":[{"type":"text","text":5}]', "content.0: "],
    ["isError that is a text", '"content":[],"isError":"yes"', "isError: "],
    ["an unknown kind of content", '"content":[{"type":"riddle"}]', "content.0: "],
  ])("that is answered with %s says which field is wrong [M-malformed]", async (_, fields, where) => {
    const error = await failure(callAnsweredWith(result(fields)));
    expect(error.kind).toBe("refused");
    expect(error.message).toContain(`Invalid result for tools/call: ${where}`);
    expect(error.message).not.toContain("[");
  });

  test.each([
    ["other lines", `Listening...\n{"level":"info"}\n{}\n[]\n17\n\n${FINE}`],
    ["responses to calls that were not made", `{"jsonrpc":"2.0","id":999,"result":{}}\n${FINE}`],
    ["errors about nothing", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}\n${FINE}`],
    ["the same answer twice", FINE + FINE],
    ["a list of messages, as 2025-03-26 allows", `[{"jsonrpc":"2.0","method":"x"},${FINE.trimEnd()}]\n`],
    [
      "requests and notifications that are not",
      `{"jsonrpc":"2.0","id":1,"method":5}\n{"jsonrpc":"2.0","method":"notifications/progress","params":7}\n` +
        `{"jsonrpc":"2.0","id":"r","method":"sampling/createMessage","params":null}\n${FINE}`,
    ],
    [
      "a cancellation of its own",
      `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":<id>}}\n${FINE}`,
    ],
  ])("is not led astray by %s [M-noise]", async (_, answer) => {
    const onProgress = () => expect.unreachable("nothing was reported");
    for (let round = 0; round < 2; round++)
      expect(textOf(await callAnsweredWith(answer, { onProgress }))).toBe("fine");
  });

  test.each(["[1,2]", '"text"', "3", "null", '{"a":{"b":1}}'])(
    "brings structured content of any kind: %s [M-pages]",
    async (value) => {
      const answer = result(`"content":[],"structuredContent":${value}`);
      expect((await callAnsweredWith(answer)).structuredContent).toEqual(JSON.parse(value));
    },
  );

  test("keeps __proto__ a name like any other", async () => {
    const answer = result(
      '"content":[],"structuredContent":{"__proto__":{"polluted":1}},"__proto__":{"isError":true}',
    );
    const { structuredContent, isError } = await callAnsweredWith(answer);
    expect(JSON.stringify(structuredContent)).toBe('{"__proto__":{"polluted":1}}');
    expect(isError).toBeUndefined();
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test("with what JSON cannot say is refused, and the session lives on and ends as it should [M-unwritable]", async () => {
    const connection = await scripted(era, FINE);
    const error = await failure(connection.callTool("t", { n: 5n }, SOON));
    expect(error).toMatchObject({
      kind: "refused",
      message: "the arguments cannot be written as JSON: Do not know how to serialize a BigInt",
    });
    expect(textOf(await connection.callTool("t", {}, SOON))).toBe("fine");
    await connection.close();
    await connection.closed;
    expect(pids(connection.log()).filter(isAlive)).toEqual([]);
  });
});

describe("a call that a server of 2026 answers with input_required", () => {
  const inputRequired = message('"result":{"resultType":"input_required","requestState":"later"}');

  test("is made again with the state that the server gave [M-pages]", async () => {
    const connection = await scripted("2026", inputRequired, FINE);
    expect(textOf(await connection.callTool("t", {}, SOON))).toBe("fine");
    expect(connection.log().filter((line) => line === "call t")).toHaveLength(2);
  });

  test.each([
    ["with 21 questions at once", 21, "asked more than 20 questions"],
    ["with four questions, again and again", 4, "asked more than 20 questions"],
  ])("%s shows a person 20 of them at most [M-pages]", async (_, count, reason) => {
    const form =
      '{"method":"elicitation/create","params":{"message":"?","requestedSchema":{"properties":{}}}}';
    const requests = Array.from({ length: count }, (_, index) => `"q${index}":${form}`).join();
    const asks = `"result":{"resultType":"input_required","requestState":"s","inputRequests":{${requests}}}`;
    const connection = await scripted("2026", message(asks));
    let asked = 0;
    const onInput = () => {
      asked++;
      return { action: "accept" as const, content: {} };
    };
    const error = await failure(connection.callTool("t", {}, { ...SOON, input: { onInput } }));
    expect(error).toMatchObject({ kind: "refused", message: expect.stringContaining(reason) });
    expect(asked).toBe(count > 20 ? 0 : 20);
  });

  test("again and again ends at its deadline, and the server is notified [M-pages]", async () => {
    const connection = await scripted("2026", inputRequired, "");
    const error = await failure(connection.callTool("t", {}, { timeoutMs: 1000 }));
    expect(error).toMatchObject({ kind: "timeout", message: "no response within 1000 ms" });
    await until(() => connection.log().includes("notifications/cancelled"), "the server hears of it");
  });

  test("is lost if the server dies over it: the first round may have taken effect [M-pages] [M-crash]", async () => {
    const connection = await scripted("2026", inputRequired, "die");
    const error = await failure(connection.callTool("t", {}, SOON));
    expect(error.kind).toBe("connection_lost");
    expect(error.message).toMatch(/^the server ended with exit code 9\. The call had been sent/);
    const early = await scripted("2026", inputRequired);
    const call = failure(early.callTool("t", {}, SOON));
    await until(() => early.log().includes("call t"), "the first round");
    process.kill(pids(early.log())[0]!, "SIGKILL");
    expect((await call).kind).toBe("connection_lost");
  });

  test("can be cancelled between two rounds [M-pages]", async () => {
    const connection = await scripted("2026", inputRequired);
    const controller = new AbortController();
    const call = failure(connection.callTool("t", {}, { ...SOON, signal: controller.signal }));
    await until(() => connection.log().filter((line) => line === "call t").length >= 2, "the second round");
    controller.abort();
    expect((await call).kind).toBe("aborted");
  });

  test("for input from a user says what cannot be had here [M-pages]", async () => {
    const asks = message(
      '"result":{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{}}}}',
    );
    const error = await failure((await scripted("2026", asks)).callTool("t", {}, SOON));
    expect(error).toMatchObject({
      kind: "input_required",
      message: "the server asks for input (), and there is no one to ask",
    });
  });
});

test.each([
  ["refuse", "Not for you"],
  ["1999-01-01", "Server's protocol version is not supported: 1999-01-01"],
  [undefined, "Invalid result for initialize: protocolVersion: "],
])("a handshake that fails leaves no process: %s [M-orphans]", async (era, message) => {
  const { config, log } = ownServer("scripted", ...(era ? [era] : []));
  const error = await failure(connect(config, { timeoutMs: 15_000, maxMessageBytes: 1e6 }));
  expect(error.kind).toBe("unavailable");
  expect(error.message).toContain(message);
  expect(pids(log())).toHaveLength(1);
  expect(pids(log()).filter(isAlive)).toEqual([]);
});

test("a handshake that is given up at any moment leaves no process [M-orphans]", async () => {
  // It never responds: on a busy machine another server might be faster than the next turn.
  const { config, log } = ownServer("wordless.sh", "silent");
  const turns = [
    null,
    ...Array(9).fill("microtask"),
    ...Array(3).fill("tick"),
    ...Array(4).fill("immediate"),
  ];
  const steps: Record<string, () => Promise<unknown>> = {
    microtask: () => Promise.resolve(),
    tick: () => new Promise<void>((resolve) => process.nextTick(resolve)),
    immediate: () => new Promise((resolve) => setImmediate(resolve)),
  };
  for (const count of turns.keys()) {
    const controller = new AbortController();
    const options = { timeoutMs: 15_000, maxMessageBytes: 1e6, signal: controller.signal };
    const connecting = failure(connect(config, options));
    for (const turn of turns.slice(1, count + 1)) await steps[turn]!();
    controller.abort();
    expect(await connecting).toMatchObject({ kind: "aborted" });
  }
  // A server that is still starting would be in the log by the time that a later one has started.
  const later = await connect(ownServer("stdio").config, { timeoutMs: 15_000, maxMessageBytes: 1e6 });
  await later.close();
  expect(pids(log()).filter(isAlive)).toEqual([]);
});

test("a server that is killed while calls pile up in its pipe does none of them twice [M-idle]", async () => {
  const { config, log } = ownServer("overloaded");
  const { type: _, ...server } = config;
  const tools = [{ name: "do", execution: { type: "mcp", serverName: "s", toolName: "do" } }];
  const root = project({ "tools.mci.json": { schemaVersion: "1.0", tools, mcp_servers: { s: server } } });
  const client = await load(root, { fetchMcpTools: false });
  const paused = client.execute("do", { n: "pause" });
  await until(() => log().includes("did pause"), "the server pauses");
  const padding = "x".repeat(30_000);
  const calls = Array.from({ length: 30 }, (_, n) => client.execute("do", { n, padding }));
  const results = await Promise.all(calls);
  await paused;
  const done = log().filter((line) => line.startsWith("did "));
  expect(new Set(done).size).toBe(done.length);
  // What had left is not repeated; what had not is done by the next server.
  expect(results.some(({ isError }) => isError)).toBe(true);
  expect(results.at(-1)?.isError).toBe(false);
  expect(pids(log())).toHaveLength(2);
});
