import type { ToolClient } from "../adapters/adapter.ts";
import type { CallOptions, SearchOptions } from "../client/client-options.ts";
import type { ToolDefinition } from "../definitions/definitions.ts";
import { ExecutionResult } from "../result.ts";
import type { ToolFilter } from "../tools/select.ts";
import { type MetaTool, withMetaTools } from "./meta-tools.ts";
import type { ToolMatch } from "./search.ts";

/** What `searchTool` needs of a client; an `MCIClient`, whatever it knows about its tools. */
export interface SearchableClient extends ToolClient {
  search(query: string, options?: SearchOptions): Promise<ToolMatch[]>;
}

export interface SearchToolOptions extends Pick<SearchOptions, "filter" | "embed"> {
  /** Tools that models see as usual, by the names of `toolDefinitions`. Default: none. */
  readonly pin?: readonly string[];
}

/** Tools that a search returns unless the model asks for another number, and at most. */
const DEFAULT_RESULTS = 5;
const MAX_RESULTS = 20;
/** Characters of a description in the result of a search. */
const MAX_DESCRIPTION = 500;

/** The tools of a client behind two: `search_tools` finds them, `call_tool` runs them. For adapters and servers. */
export function searchTool(client: SearchableClient, options: SearchToolOptions = {}): ToolClient {
  const { pin, filter = {} } = options;
  const found = (definition: ToolDefinition) => ({
    name: definition.name,
    description: shorten(definition.description),
    inputSchema: definition.inputSchema,
  });
  const search = searchMetaTool(
    client,
    options,
    "Each result has the schema of its input: call it with call_tool.",
    (all) => all.map((definition) => JSON.stringify(found(definition))).join("\n"),
  );
  return withMetaTools(client, [search, callMetaTool(client, filter)], pin, filter);
}

/** `search_tools`, whose results are written by `describe`. */
export function searchMetaTool(
  client: SearchableClient,
  { filter = {}, embed }: Pick<SearchOptions, "filter" | "embed">,
  about: string,
  describe: (definitions: readonly ToolDefinition[]) => string,
): MetaTool {
  const size = client.toolDefinitions({ filter }).length;
  return {
    definition: {
      name: "search_tools",
      description: `Finds tools by what they do, among ${size}. Search before you say that something cannot be done. ${about}`,
      inputSchema: {
        type: "object",
        properties: {
          query: { type: "string", description: "What the tool should do, in plain words" },
          limit: { type: "integer", minimum: 1, maximum: MAX_RESULTS, default: DEFAULT_RESULTS },
        },
        required: ["query"],
      },
      annotations: { title: "Search tools", readOnlyHint: true, openWorldHint: false },
    },
    async run({ query, limit }) {
      const matches = await client.search(query as string, { limit: limit as number, filter, embed });
      if (matches.length === 0) return text(`No tool fits. There are ${size} tools; try other words.`);
      // One by one, since definitions of several come in the order of the file.
      const definitions = matches.flatMap(({ tool }) =>
        client.toolDefinitions({ filter: { only: [tool.name] } }),
      );
      return text(describe(definitions));
    },
  };
}

function callMetaTool(client: ToolClient, filter: ToolFilter): MetaTool {
  return {
    definition: {
      name: "call_tool",
      description: "Calls a tool that search_tools found.",
      inputSchema: {
        type: "object",
        properties: {
          name: { type: "string", description: "The tool's name" },
          input: { type: "object", description: "Its input, as its inputSchema says" },
        },
        required: ["name"],
      },
      annotations: { title: "Call a tool", openWorldHint: true },
    },
    async run({ name, input }, options: CallOptions) {
      const result = await client.call(name as string, input ?? {}, { ...options, filter });
      if (result.metadata["error_code"] !== "invalid_input") return result;
      const [definition] = client.toolDefinitions({ filter }).filter((each) => each.name === name);
      const part = definition && violatedSchema(definition.inputSchema, result.text);
      if (part === undefined) return result;
      const schema = { type: "text" as const, text: `What the schema says about it: ${part}` };
      return new ExecutionResult({ ...result.result, content: [...result.content, schema] });
    },
  };
}

function text(value: string): ExecutionResult {
  return new ExecutionResult({ content: [{ type: "text", text: value }] });
}

function shorten(description: string): string {
  return description.length <= MAX_DESCRIPTION
    ? description
    : `${description.slice(0, MAX_DESCRIPTION - 1)}…`;
}

/** Characters of a part of a schema; what is longer is left out, with a word about it. */
const MAX_CHARACTERS = 4000;

/**
 * The part of an input schema that a refused input breaks: the properties that the message names, and what is required.
 * Undefined if the message names none.
 */
function violatedSchema(
  schema: { readonly properties: object; readonly required?: readonly string[] },
  message: string,
): string | undefined {
  const named = new Set(
    [...message.matchAll(/^- ([^\n:]+):/gm)].map(([, field]) => /^[^.[]*/.exec(field!)![0]),
  );
  const properties = Object.entries(schema.properties).filter(([name]) => named.has(name));
  if (properties.length === 0) return undefined;
  const definitions = (schema as { $defs?: object }).$defs;
  const part = {
    properties: Object.fromEntries(properties),
    ...(schema.required === undefined ? {} : { required: schema.required }),
  };
  const usesDefinitions = definitions !== undefined && JSON.stringify(part).includes('"#/$defs/');
  const whole = JSON.stringify(usesDefinitions ? { ...part, $defs: definitions } : part);
  if (whole.length <= MAX_CHARACTERS) return whole;
  return `${whole.slice(0, MAX_CHARACTERS)}… (${whole.length - MAX_CHARACTERS} more characters; search_tools shows all)`;
}
