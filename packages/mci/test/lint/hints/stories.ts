import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type LoadOptions, MCIClient } from "../../../src/index.ts";
import { file, folder } from "../support.ts";
import { cli, given, text, word } from "./row.ts";

/** An MCP server that takes a moment before it answers. */
const SERVER = `
await new Promise((resolve) => setTimeout(resolve, 400));
process.stdin.on("data", (data) => { for (const line of String(data).split("\\n").filter(Boolean)) {
  const { id, method } = JSON.parse(line);
  const result = { initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "e", version: "1" } },
    "tools/list": { tools: [{ name: process.env.TOOL ?? "t", inputSchema: { type: "object" } }] } }[method];
  const answer = result ? { result } : { error: { code: -32601, message: "unknown" } };
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...answer }) + "\\n");
} });`;

const inFolder = async (content: object, options: LoadOptions = {}) => {
  const root = folder({ "mci.json": content, "server.mjs": SERVER, "notes.txt": "n" });
  const client = await MCIClient.load(join(root, "mci.json"), options);
  onTestFinished(() => client.close());
  return client;
};
const called = async (content: object, props: object) => {
  const result = await (await inFolder(content)).execute("t", props);
  return result.isError ? `error: ${result.error}` : result.text.trim();
};

/** Mistakes that show when a tool is called, or a server started: what is shown, and what must follow from the advice. */
export const STORIES: Readonly<
  Record<string, () => Promise<{ shown: string; outcome: unknown; right: unknown }>>
> = {
  "a value that begins with a dash": async () => ({
    shown: await called(cli({ command: "basename", args: ["{{props.word}}"] }, word), { word: "-x" }),
    outcome: await called(cli({ command: "basename", args: ["--", "{{props.word}}"] }, word), {
      word: "-x",
    }),
    right: "-x",
  }),
  "a value that begins with a dash after a flag": async () => {
    const flag = (separator: string) =>
      cli({ command: "echo", flags: { "--x": { from: "props.word", type: "value", separator } } }, word);
    return {
      shown: await called(flag(" "), { word: "-v" }),
      outcome: await called(flag("="), { word: "-v" }),
      right: "--x=-v",
    };
  },
  "a misspelled property of a call": async () => {
    const client = await inFolder(text("{{props.word}}", word, given));
    const { message } = (await client.execute("t", { wrod: "v" }).catch((error) => error)) as Error;
    const [, , meant] =
      /(\w+): is required and missing \(got "(\w+)": did you mean it\?\)/.exec(message) ?? [];
    return {
      shown: message,
      outcome: [meant, await called(text("{{props.word}}", word, given), { word: "v" })],
      right: ["wrod", "v"],
    };
  },
  "a misspelled tool": async () => {
    const client = await inFolder(file({ name: "greet", execution: { type: "text", text: "x" } }));
    const { message } = (await client.execute("gret").catch((error) => error)) as Error;
    const [, name] = /Did you mean '(\w+)'\?/.exec(message)!;
    return { shown: message, outcome: (await client.execute(name!)).text, right: "x" };
  },
  "a filter by something else": async () => {
    const client = await inFolder(text("x"));
    const message = (() => {
      try {
        return String(client.listTools({ zzzz: ["t"] } as never));
      } catch (error) {
        return (error as Error).message;
      }
    })();
    const [, condition] = /There are (\w+)/.exec(message) ?? [];
    return { shown: message, outcome: client.listTools({ [condition!]: ["t"] }), right: ["t"] };
  },
  "an optional property that was not given": async () => {
    const shown = await called(text("Hi {{props.word}}!", word), {});
    const [, fallback] = /(\{\{props\.word \| [^}]+\}\})/.exec(shown) ?? [];
    return { shown, outcome: await called(text(`Hi ${fallback}!`, word), {}), right: "Hi !" };
  },
  "a misspelled field": async () => {
    const o = { o: { type: "object" } };
    const shown = await called(text("{{props.o.nam}}", o), { o: { name: "v" } });
    const [, path] = /Did you mean ([\w.]+)\?/.exec(shown) ?? [];
    return { shown, outcome: await called(text(`{{${path}}}`, o), { o: { name: "v" } }), right: "v" };
  },
  "a misspelled variable": async () => {
    const run = async (source: string) =>
      (await (await inFolder(text(source), { env: { TOKEN: "v" } })).execute("t")).text;
    const shown = await run("{{env.TOKN}}");
    const [, path] = /Did you mean ([\w.]+)\?/.exec(shown) ?? [];
    return { shown, outcome: await run(`{{${path}}}`), right: "v" };
  },
  "a bare word": async () => {
    const shown = await called(text("{{env.X | hello}}"), {});
    const [, quoted] = /quote it: ('\w+')/.exec(shown) ?? [];
    return { shown, outcome: await called(text(`{{env.X | ${quoted}}}`), {}), right: "hello" };
  },
  "a name that begins with nothing known, when called": async () => ({
    shown: await called(text("{{xyz.abc}}"), {}),
    outcome: await called(text("{{props.abc}}", { abc: {} }), { abc: "v" }),
    right: "v",
  }),
  "a server's variable that is not set": async () => {
    const server = (name: string) => ({
      schemaVersion: "1.0",
      mcp_servers: { s: { command: process.execPath, args: ["server.mjs", name] } },
    });
    const { warnings } = await inFolder(server("{{env.A}}"));
    const outcome = [
      (await inFolder(server("{{env.A}}"), { env: { A: "1" } })).listTools(),
      (await inFolder(server("{{env.A | ''}}"))).listTools(),
    ];
    return { shown: warnings[0]?.hint ?? "", outcome, right: [["t"], ["t"]] };
  },
  "a server that names a tool after a value of env": async () => {
    const server = (more: object) => ({
      schemaVersion: "1.0",
      mcp_servers: {
        s: { command: process.execPath, args: ["server.mjs"], env: { TOOL: "{{env.TEAM}}" } },
      },
      ...more,
    });
    const env = { TEAM: "team_4711" };
    const { warnings } = await inFolder(server({}), { env });
    const outcome = (await inFolder(server({ publicEnv: ["TEAM"] }), { env })).listTools();
    return { shown: warnings[0]?.hint ?? "", outcome, right: ["team_4711"] };
  },
  "a misspelled file": async () => {
    const root = folder({ "tools.mci.json": text("x") });
    const { message } = (await MCIClient.load(join(root, "tool.mci.json")).catch((error) => error)) as Error;
    const [, name] = /Did you mean '([^']+)'\?/.exec(message)!;
    await using client = await MCIClient.load(join(root, name!));
    return { shown: message, outcome: client.listTools(), right: ["t"] };
  },
  "a program that is not there, and one that is not in PATH": async () => {
    const server = (command: string) => ({
      schemaVersion: "1.0",
      mcp_servers: { s: { command, args: ["server.mjs"] } },
    });
    const warnings = [
      ...(await inFolder(server("./nope"))).warnings,
      ...(await inFolder(server("mci-nope-nope"))).warnings,
    ];
    const shown = warnings.map(({ hint }) => hint).join("\n");
    return { shown, outcome: (await inFolder(server(process.execPath))).listTools(), right: ["t"] };
  },
  "a server that takes longer than it may": async () => {
    const server = { schemaVersion: "1.0", mcp_servers: { s: { command: "node", args: ["server.mjs"] } } };
    const slow = await inFolder(server, { mcp: { connectTimeoutMs: 300 } });
    const patient = await inFolder(server, { mcp: { connectTimeoutMs: 30_000 } });
    return { shown: slow.warnings[0]?.hint ?? "", outcome: patient.listTools(), right: ["t"] };
  },
};
