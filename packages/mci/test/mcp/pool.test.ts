import { describe, expect, onTestFinished, test } from "vitest";
import { isAlive } from "../../../../test/processes.ts";
import { until } from "../../../../test/until.ts";
import { DEFAULT_LIMITS } from "../../src/execute/executor.ts";
import type { Connection } from "../../src/mcp/connection.ts";
import { McpError } from "../../src/mcp/errors.ts";
import type { McpMessage } from "../../src/mcp/message-log.ts";
import { McpPool } from "../../src/mcp/pool.ts";
import type { McpPoolOptions } from "../../src/mcp/pool-options.ts";
import type { StdioConfig } from "../../src/mcp/server-config.ts";
import { compileServer } from "../../src/mcp/server-plan.ts";
import { TemplateCompiler } from "../../src/template/compile.ts";
import { failure, ownServer, pids, textOf } from "./support.ts";

const compile = new TemplateCompiler({ limits: DEFAULT_LIMITS, report: () => {} });

function pool(servers: Record<string, StdioConfig | object>, options: Partial<McpPoolOptions> = {}): McpPool {
  const plans = Object.entries(servers).map(([name, config]) => {
    const { type: _, ...server } = config as StdioConfig;
    return [name, compileServer({ ...server } as never, compile, ["mcp_servers", name])] as const;
  });
  const made = new McpPool(new Map(plans), { env: {}, cwd: process.cwd(), maxMessageBytes: 1e7, ...options });
  onTestFinished(() => made.close());
  return made;
}

const call = (made: McpPool, tool: string, args: Record<string, unknown> = {}, timeoutMs?: number) =>
  made.callTool("s", tool, args, { signal: new AbortController().signal, timeoutMs });

const starts = (log: () => string[]) => pids(log()).length;

describe("a pool of sessions", () => {
  test("starts a server on first use, once, however many come at the same time [M-idle]", async () => {
    const { config, log } = ownServer("stdio");
    const made = pool({ s: config });
    expect(log()).toEqual([]);
    const results = await Promise.all(Array.from({ length: 20 }, (_, text) => call(made, "echo", { text })));
    expect(results.map(textOf)).toEqual(Array.from({ length: 20 }, (_, text) => String(text)));
    await made.listTools("s");
    expect(starts(log)).toBe(1);
  });

  test("reports messages either way without secrets, and starts a server again on request [M-messages]", async () => {
    const { config, log } = ownServer("stdio");
    const messages: McpMessage[] = [];
    const made = pool(
      { s: { ...config, env: { ...config.env, KEY: "{{env.KEY}}" } } },
      { env: { KEY: "hidden-value" }, onMessage: (message) => messages.push(message) },
    );
    await call(made, "echo", { text: "hidden-value" });
    const sent = messages.filter(({ direction }) => direction === "sent").map(({ text }) => JSON.parse(text));
    expect(sent.map(({ method }) => method)).toContain("tools/call");
    expect(messages.filter(({ direction }) => direction === "received").at(-1)!.text).toContain("***");
    expect(JSON.stringify(messages)).not.toContain("hidden-value");
    await made.restart("s");
    expect(starts(log)).toBe(2);
    expect(made.states()).toMatchObject([{ name: "s", state: "connected" }]);
  });

  test("opens a new session after a crash, and does not repeat the call that was lost [M-idle]", async () => {
    const { config, log } = ownServer("stdio");
    const made = pool({ s: config });
    const error = await failure(call(made, "crash"));
    expect(error).toMatchObject({ code: "mcp_unavailable", message: expect.stringContaining("exit code 3") });
    expect(log().filter((line) => line === "call crash")).toHaveLength(1);
    expect(textOf(await call(made, "echo", { text: "again" }))).toBe("again");
    expect(starts(log)).toBe(2);
  });

  test("sends a call again, once, that found the server dead [M-idle]", async () => {
    const { config, log } = ownServer("stdio");
    const made = pool({ s: config });
    await call(made, "echo");
    const [first] = pids(log());
    process.kill(first!, "SIGKILL");
    // Without a turn of the event loop, so that the pool cannot know of it.
    while (isAlive(first!));
    const results = await Promise.all(Array.from({ length: 5 }, () => call(made, "pid")));
    expect(results.map(textOf)).toEqual(Array(5).fill(String(pids(log())[1])));
    expect(starts(log)).toBe(2);
    expect(log().filter((line) => line === "call pid")).toHaveLength(5);
  });

  test("gives up on a server that dies each time, and starts again for the next call [M-idle]", async () => {
    const { config, log } = ownServer("wordless.sh", "broken");
    const made = pool({ s: config });
    expect(await failure(call(made, "x"))).toMatchObject({
      code: "mcp_unavailable",
      message: expect.stringContaining("exit code 4"),
    });
    const before = starts(log);
    expect(await failure(call(made, "x"))).toMatchObject({ code: "mcp_unavailable" });
    expect(starts(log)).toBe(2 * before);
  });

  test("closes an idle session, and opens it again for the next call [M-idle]", async () => {
    const { config, log } = ownServer("stdio");
    const made = pool({ s: config }, { idleTimeoutMs: 200 });
    await Promise.all([call(made, "wait", { ms: 500 }), call(made, "echo")]);
    expect(pids(log()).map(isAlive)).toEqual([true]);
    await until(() => !isAlive(pids(log())[0]!), "the idle server is gone");
    expect(textOf(await call(made, "echo", { text: "back" }))).toBe("back");
    expect(starts(log)).toBe(2);
  });

  test("closes a session that was opened for a caller that gave up [M-idle]", async () => {
    const { config, log } = ownServer("stdio");
    const made = pool({ s: config }, { idleTimeoutMs: 200 });
    const controller = new AbortController();
    const given = failure(made.callTool("s", "echo", {}, { signal: controller.signal }));
    controller.abort();
    expect(await given).toMatchObject({ code: "aborted" });
    await until(() => starts(log) === 1 && !pids(log()).some(isAlive), "the server comes and goes");
  });

  test.each([Number.POSITIVE_INFINITY, 2 ** 31])(
    "keeps a session open for the idle time: %d ms [M-idle]",
    async (idleTimeoutMs) => {
      const { config, log } = ownServer("stdio");
      const made = pool({ s: config }, { idleTimeoutMs });
      await call(made, "echo");
      await new Promise((resolve) => setTimeout(resolve, 100));
      await call(made, "echo");
      expect(starts(log)).toBe(1);
    },
  );

  test("does not hold on to a session that was over as soon as it was open [M-idle]", async () => {
    const over = new McpError("not_sent", "the session is over");
    const dead: Connection = {
      closed: Promise.resolve(),
      listTools: () => Promise.reject(over),
      callTool: () => Promise.reject(over),
      list: async () => [],
      request: () => Promise.reject(over),
      watch: () => {},
      watchResources: async () => {},
      close: async () => {},
    };
    const alive: Connection = { ...dead, closed: new Promise(() => {}), listTools: async () => [] };
    const sessions = [dead, dead, alive];
    const made = pool({ s: { command: "x" } }, { connect: async () => sessions.shift()! });
    expect(await failure(made.listTools("s"))).toMatchObject({ code: "mcp_unavailable" });
    expect(await made.listTools("s")).toEqual([]);
  });

  test("lets one caller give up waiting without taking the session from the others [M-pages]", async () => {
    const { config, log } = ownServer("stdio");
    const made = pool({ s: config });
    const controller = new AbortController();
    const given = failure(made.callTool("s", "echo", {}, { signal: controller.signal }));
    const other = call(made, "echo", { text: "here" });
    controller.abort();
    expect(await given).toMatchObject({ code: "aborted" });
    expect(textOf(await other)).toBe("here");
    expect(starts(log)).toBe(1);
  });

  test("closing leaves no process, nor a call that waits [M-orphans]", async () => {
    const { config, log } = ownServer("stdio");
    const silent = ownServer("wordless.sh", "silent");
    const made = pool({ s: config, silent: silent.config });
    const waiting = failure(call(made, "wait", { ms: 60_000 }));
    const connecting = failure(made.listTools("silent"));
    await until(() => log().includes("call wait") && starts(silent.log) > 0, "both are in flight");
    await made.close();
    expect([...pids(log()), ...pids(silent.log())].filter(isAlive)).toEqual([]);
    expect(await waiting).toMatchObject({ code: "mcp_unavailable" });
    expect(await connecting).toMatchObject({ code: "aborted" });
    expect(await failure(call(made, "echo"))).toMatchObject({
      code: "mcp_unavailable",
      message: "The client was closed.",
    });
  });

  test("takes the deadline of the call, then of the server [M-pages]", async () => {
    const { config } = ownServer("stdio");
    const made = pool({ s: { ...config, timeout_ms: "{{env.LIMIT}}" } }, { env: { LIMIT: "300" } });
    expect(await failure(call(made, "wait", { ms: 60_000 }))).toMatchObject({
      code: "mcp_timeout",
      message: "no response within 300 ms",
    });
    expect(await failure(call(made, "wait", { ms: 60_000 }, 100))).toMatchObject({
      message: "no response within 100 ms",
    });
    expect(textOf(await call(made, "wait", { ms: 1 }, 10_000))).toBe("waited");
  });

  test("gives a silent server its deadline [M-pages]", async () => {
    const made = pool({ s: ownServer("wordless.sh", "silent").config }, { connectTimeoutMs: 400 });
    expect(await failure(made.listTools("s"))).toMatchObject({ code: "mcp_timeout" });
  });

  test("fills in settings from env only; what is missing is that server's failure [M-env]", async () => {
    const { config, log } = ownServer("stdio");
    const env = { ...config.env, TOKEN: "{{env.TOKEN}}", HOME: "{{env.HOME}}" };
    const made = pool(
      { s: { ...config, env }, bad: { command: "{{props.command}}" } },
      { env: { TOKEN: "t0k3n", HOME: "/nowhere" } },
    );
    expect(JSON.parse(textOf(await call(made, "environment")))).toMatchObject({
      TOKEN: "t0k3n",
      HOME: "/nowhere",
    });
    expect(made.secrets("s")).toEqual(["t0k3n", "/nowhere"]);
    expect(await failure(made.listTools("bad"))).toMatchObject({ code: "template_missing" });
    const other = pool({ s: { ...config, env } });
    expect(await failure(other.listTools("s"))).toMatchObject({
      code: "template_missing",
      message: expect.stringContaining("Template variable not found: env.TOKEN"),
    });
    expect(starts(log)).toBe(1);
  });
});
