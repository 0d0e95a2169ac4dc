import type { Tool as McpTool } from "@modelcontextprotocol/server";
import type { Tool } from "mci-ts";
import { toMcpTool } from "./mcp-tool.ts";
import { servedNames } from "./served-names.ts";

export interface Page {
  readonly tools: McpTool[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

/** Big enough that nearly every file is one page (some clients ask for no second), small enough to come quickly. */
const PAGE_SIZE = 200;

/** The tools in pages. A cursor names the last tool of its page, so that any process that serves the file understands it. */
export class ToolPages {
  readonly #tools: readonly McpTool[];
  readonly #originals: readonly Tool[];
  readonly #indexes: ReadonlyMap<string, number>;

  constructor(tools: readonly Tool[]) {
    const names = servedNames(tools.map(({ name }) => name));
    this.#originals = tools;
    this.#tools = tools.map((tool) => toMcpTool(tool, names.get(tool.name)));
    this.#indexes = new Map(this.#tools.map(({ name }, index) => [name, index]));
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
    const index = this.#indexes.get(served);
    return index === undefined ? undefined : { tool: this.#originals[index]!, listed: this.#tools[index]! };
  }

  get size(): number {
    return this.#tools.length;
  }

  /** Undefined if the cursor is none of ours, or its tool is gone. */
  page(cursor?: string): Page | undefined {
    const start = cursor === undefined ? 0 : this.#after(cursor);
    if (start === undefined) return undefined;
    const tools = this.#tools.slice(start, start + PAGE_SIZE);
    const last = tools.at(-1);
    return start + tools.length < this.#tools.length && last !== undefined
      ? { tools, nextCursor: Buffer.from(last.name).toString("base64url") }
      : { tools };
  }

  #after(cursor: string): number | undefined {
    const index = this.#indexes.get(Buffer.from(cursor, "base64url").toString());
    return index === undefined ? undefined : index + 1;
  }
}
