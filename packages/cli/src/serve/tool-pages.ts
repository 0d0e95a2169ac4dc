import type { Tool as McpTool } from "@modelcontextprotocol/server";
import type { Tool } from "mci-ts";
import { MAX_RESULT_BYTES } from "./limit-result.ts";
import { toMcpTool } from "./mcp-tool.ts";
import { servedNames } from "./served-names.ts";

export interface Page {
  readonly tools: McpTool[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

/** Big enough that nearly every file is one page (some clients ask for no second), small enough to come quickly. */
const PAGE_SIZE = 200;
/** What is listed of a tool that is too large to be listed whole. */
const MAX_DESCRIPTION = 10_000;

/** The tools in pages. A cursor names the last tool of its page, so that any process that serves the file understands it. */
export class ToolPages {
  readonly #tools: readonly McpTool[];
  readonly #originals: readonly Tool[];
  readonly #indexes: ReadonlyMap<string, number>;
  /** What clients are not told about the input of tools, with the names of these tools. */
  readonly losses: ReadonlyMap<string, readonly string[]>;

  readonly #maxBytes: number;

  readonly #names: ReadonlyMap<string, string>;

  /** `names`: what each tool is served by. Default: a name that MCP allows. */
  constructor(
    tools: readonly Tool[],
    maxBytes = MAX_RESULT_BYTES,
    names: ReadonlyMap<string, string> = servedNames(tools.map(({ name }) => name)),
  ) {
    this.#maxBytes = maxBytes;
    this.#names = names;
    const losses = new Map<string, string[]>();
    this.losses = losses;
    this.#originals = tools;
    this.#tools = tools.map((tool) => {
      const onLoss = (message: string) => {
        const toolNames = losses.get(message) ?? [];
        if (!toolNames.includes(tool.name)) losses.set(message, [...toolNames, tool.name]);
      };
      return withinLimit(toMcpTool(tool, names.get(tool.name), onLoss), maxBytes, onLoss);
    });
    this.#indexes = new Map(this.#tools.map(({ name }, index) => [name, index]));
  }

  /** The tools as the file has them. */
  get tools(): readonly Tool[] {
    return this.#originals;
  }

  /** Tools that are served by another name than the file has: theirs, and the one that clients see. */
  get renamed(): readonly (readonly [name: string, served: string])[] {
    return this.#originals.flatMap(({ name }, index) => {
      const served = this.#tools[index]!.name;
      return served === name ? [] : [[name, served] as const];
    });
  }

  /** The tool that is served by this name. */
  find(served: string): { readonly tool: Tool; readonly listed: McpTool } | undefined {
    const index = this.#indexes.get(served) ?? this.#indexOfOwn(served);
    return index === undefined ? undefined : { tool: this.#originals[index]!, listed: this.#tools[index]! };
  }

  /** The page of a tool (MCP Apps) calls tools by the names that its server gave them, whatever prefix the file adds. */
  #indexOfOwn(name: string): number | undefined {
    const isOwn = ({ execution }: Tool) => execution.type === "mcp" && execution.toolName === name;
    const matches = this.#originals.filter(isOwn);
    const [only] = matches;
    if (matches.length !== 1 || only?.toolsetSource === undefined) return undefined;
    const hasPage = this.#originals.some(
      ({ toolsetSource, _meta }) => toolsetSource === only.toolsetSource && _meta?.["ui"] !== undefined,
    );
    return hasPage ? this.#originals.indexOf(only) : undefined;
  }

  /** Some of the tools, each by the name that it has among all. */
  only(names: ReadonlySet<string>): ToolPages {
    const tools = this.#originals.filter(({ name }) => names.has(name));
    return new ToolPages(tools, this.#maxBytes, this.#names);
  }

  /** Every tool as clients see it. */
  get all(): readonly McpTool[] {
    return this.#tools;
  }

  get size(): number {
    return this.#tools.length;
  }

  /** Undefined if the cursor is none of ours, or its tool is gone. */
  page(cursor?: string): Page | undefined {
    const start = cursor === undefined ? 0 : this.#after(cursor);
    if (start === undefined) return undefined;
    const tools = this.#upToLimit(start);
    const last = tools.at(-1);
    return start + tools.length < this.#tools.length && last !== undefined
      ? { tools, nextCursor: Buffer.from(last.name).toString("base64url") }
      : { tools };
  }

  /** Clients end the session at a message that is too large, a list of tools included. */
  #upToLimit(start: number): McpTool[] {
    let bytes = 0;
    const page: McpTool[] = [];
    for (const tool of this.#tools.slice(start, start + PAGE_SIZE)) {
      bytes += sizeOf(tool) + 1;
      if (page.length > 0 && bytes > this.#maxBytes) break;
      page.push(tool);
    }
    return page;
  }

  #after(cursor: string): number | undefined {
    const index = this.#indexes.get(Buffer.from(cursor, "base64url").toString());
    return index === undefined ? undefined : index + 1;
  }
}

/** A tool that no message can hold is listed without its schemas; its input is still checked when it is called. */
function withinLimit(tool: McpTool, maxBytes: number, onLoss: (message: string) => void): McpTool {
  if (sizeOf(tool) <= maxBytes) return tool;
  onLoss("the schemas are too large for a message of MCP and are left out");
  const { name, title, description = "", annotations, _meta } = tool;
  return {
    name,
    ...(title !== undefined && { title }),
    description: description.slice(0, MAX_DESCRIPTION),
    inputSchema: { type: "object", properties: {} },
    ...(annotations !== undefined && { annotations }),
    ...(_meta !== undefined && JSON.stringify(_meta).length < MAX_DESCRIPTION && { _meta }),
  };
}

function sizeOf(tool: McpTool): number {
  return Buffer.byteLength(JSON.stringify(tool));
}
