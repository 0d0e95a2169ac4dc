import type { Client } from "@modelcontextprotocol/client";
import { connect, type Server } from "./connect.ts";

/** A question about what arrives at a client, and whether the answer is as it should be. */
export interface CheckResult {
  readonly what: string;
  readonly arrives: string;
  readonly right: boolean;
}

interface Result {
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

type Check = (client: Client) => Promise<Omit<CheckResult, "what">>;

const CHECKS: Readonly<Record<string, Check>> = {
  "text of a tool": async (client) => {
    const result = await call(client, "greet", { who: "Ada" });
    return { arrives: show(result), right: textOf(result) === "Hello Ada" };
  },
  "JSON as structuredContent": async (client) => {
    const { structuredContent } = await call(client, "data");
    const arrives = structuredContent === undefined ? "nothing" : `\`${JSON.stringify(structuredContent)}\``;
    return { arrives, right: JSON.stringify(structuredContent) === '{"temperature":21}' };
  },
  "a picture": (client) => kind(client, "picture", "image"),
  "an audio file": (client) => kind(client, "sound", "audio"),
  "isError of a tool that fails": (client) => isError(client, "fails"),
  "isError of input that is missing": (client) => isError(client, "greet"),
  "the second call's values": async (client) => {
    await call(client, "echo", { say: "first" });
    const text = textOf(await call(client, "echo", { say: "second" }));
    const right = text.includes("second");
    return {
      arrives: right ? "the second's" : text.includes("first") ? "the first's again" : "neither",
      right,
    };
  },
};

/** What arrives from one server; the last check starts it with a filter. */
export async function findWhatArrives(server: Server): Promise<CheckResult[]> {
  const client = await connect(server);
  const results: CheckResult[] = [];
  for (const [what, check] of Object.entries(CHECKS)) results.push({ what, ...(await check(client)) });
  await client.close();

  const filtered = await connect(server, ["--filter", "only:greet"]);
  const listed = (await filtered.listTools()).tools.map(({ name }) => name);
  results.push({
    what: "tools listed with `--filter only:greet`",
    arrives: listed.join(", "),
    right: listed.join() === "greet",
  });
  const { arrives, right } = await isError(filtered, "secret");
  results.push({ what: "a call of a tool that the filter hides", arrives, right });
  await filtered.close();
  return results;
}

/** A protocol error is as clear as a result that says so. */
async function call(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Result> {
  try {
    return (await client.callTool({ name, arguments: args }, { timeout: 20_000 })) as Result;
  } catch (error) {
    return { isError: true, content: [{ type: "text", text: (error as Error).message }] };
  }
}

async function kind(client: Client, tool: string, type: string): Promise<Omit<CheckResult, "what">> {
  const { content = [] } = await call(client, tool);
  const types = content.map((item) => item.type).join(", ");
  return { arrives: `an item of kind ${types}`, right: types === type };
}

async function isError(client: Client, tool: string): Promise<Omit<CheckResult, "what">> {
  const result = await call(client, tool);
  const said = result.isError === true ? "an error" : "no error";
  return { arrives: `${said}: ${show(result)}`, right: result.isError === true };
}

function textOf({ content = [] }: Result): string {
  return content.map(({ text = "" }) => text).join("\n");
}

/** Short enough for a table. */
function show(result: Result): string {
  const text = textOf(result).replace(/\s+/g, " ").trim();
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return `\`${short.replaceAll("|", "\\|").replaceAll("`", "'")}\``;
}
