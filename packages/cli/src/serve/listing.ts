import type { Tool as McpTool } from "@modelcontextprotocol/server";
import type { Tool } from "mci-ts";
import { toMcpTool } from "./mcp-tool.ts";

export interface Page {
  readonly tools: McpTool[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

/** Big enough that nearly every file is one page (some clients ask for no second), small enough to come quickly. */
const PAGE_SIZE = 200;

/** The tools in pages. A cursor names the last tool of its page, so that any process that serves the file understands it. */
export class Listing {
  readonly #tools: readonly McpTool[];
  readonly #indexes: ReadonlyMap<string, number>;

  constructor(tools: readonly Tool[]) {
    this.#tools = tools.map(toMcpTool);
    this.#indexes = new Map(tools.map(({ name }, index) => [name, index]));
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
