import type { Tool as McpTool } from "@modelcontextprotocol/server";
import type { Tool } from "mci-ts";

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

  /** What the list says about the structured content of a tool. */
  outputSchema(name: string): McpTool["outputSchema"] {
    const index = this.#indexes.get(name);
    return index === undefined ? undefined : this.#tools[index]!.outputSchema;
  }

  #after(cursor: string): number | undefined {
    const index = this.#indexes.get(Buffer.from(cursor, "base64url").toString());
    return index === undefined ? undefined : index + 1;
  }
}

/** A tool as MCP lists it. The input schema is handed on as it is, whatever keywords it uses. */
export function toMcpTool({ name, description, annotations, inputSchema = {}, outputSchema }: Tool): McpTool {
  // Audience is about results; MCP's annotations of a tool do not know it.
  const { audience: _, title, ...hints } = annotations ?? {};
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema: objectSchema(inputSchema),
    ...(outputSchema !== undefined && { outputSchema: outputSchema as McpTool["outputSchema"] }),
    ...(annotations !== undefined && { annotations: { ...(title !== undefined && { title }), ...hints } }),
  };
}

/** Arguments are always an object, and MCP wants the schema to say so. */
function objectSchema(schema: Readonly<Record<string, unknown>>): McpTool["inputSchema"] {
  return (schema.type === "object" ? schema : { ...schema, type: "object" }) as McpTool["inputSchema"];
}
