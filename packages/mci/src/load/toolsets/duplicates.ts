import type { Problem } from "../../errors.ts";
import type { JsonPath } from "../../template-api.ts";
import type { Locate } from "../parse/positions.ts";
import { formatPath } from "../problems.ts";

/** A tool's name, and where it comes from. */
export interface NamedTool {
  readonly name: string;
  /** The source for messages: "toolset 'weather'", "MCP server 'github'"; undefined for the entry file itself. */
  readonly source?: string;
  /** Its path; for a server's tool, the path of the server. */
  readonly place: JsonPath;
  readonly parsed: { readonly file?: string; locator(): Promise<Locate> };
}

/** Duplicate tool names across sources. */
export async function duplicateTools(tools: readonly NamedTool[]): Promise<Problem[]> {
  const first = new Map<string, NamedTool>();
  const problems: Problem[] = [];
  for (const tool of tools) {
    const other = first.get(tool.name);
    if (other === undefined) first.set(tool.name, tool);
    else problems.push(await problem(tool, other));
  }
  return problems;
}

async function problem(tool: NamedTool, other: NamedTool): Promise<Problem> {
  const { file } = tool.parsed;
  return {
    message: `Duplicate tool name '${tool.name}': ${await describe(other)} and ${await describe(tool)} both have it`,
    ...(file === undefined ? {} : { file }),
    ...(await tool.parsed.locator())(tool.place),
    path: formatPath(tool.place),
    tool: tool.name,
    hint: 'set "prefix" on one of the sources, or leave the tool out with a filter',
    severity: "error",
  };
}

async function describe({ source, place, parsed }: NamedTool): Promise<string> {
  const position = (await parsed.locator())(place);
  const file = parsed.file === undefined || position === undefined ? "" : `${parsed.file}:${position.line}`;
  return `${source ?? "the file itself"}${file === "" ? "" : ` (${file})`}`;
}
