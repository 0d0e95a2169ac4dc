import type { MCIClient, Tool } from "mci-ts";
import { usageError } from "../cli-error.ts";
import { type Context, command, type Output } from "../command.ts";
import { escapeControls, oneLine, toJson } from "../print/escape-controls.ts";
import { plural } from "../print/plural.ts";
import { shortPath } from "../print/problems.ts";
import { style } from "../print/style.ts";
import { table, tabSeparated } from "../print/table.ts";
import { discoverFile } from "../project/discover.ts";
import { noToolPasses, readFilters } from "../project/filter.ts";
import { loadClient } from "../project/load.ts";
import { ENV, FILE, FILTER, MCP_TIMEOUT, readNumber } from "../project/options.ts";
import { loadServer, SERVER } from "../project/server.ts";

export default command({
  summary: "List the tools, including those of toolsets and MCP servers.",
  details:
    "Without --format: a table on a terminal, one line per tool with tabs between the fields elsewhere.",
  options: {
    ...FILE,
    ...SERVER,
    ...FILTER,
    format: {
      type: "string",
      value: "FORMAT",
      choices: ["table", "json", "yaml", "names"],
      help: "How to print them.",
    },
    search: {
      type: "string",
      value: "QUERY",
      help: "Only tools that fit a query in plain words, the best first.",
    },
    limit: { type: "string", value: "N", help: "With --search: at most this many. Default: 10." },
    tokens: { type: "boolean", help: "Show about how many tokens a model reads for each tool, and for all." },
    verbose: {
      type: "boolean",
      short: "v",
      help: "Also show tags, kind of execution and parameters, and what MCP servers say to the model.",
    },
    ...ENV,
    ...MCP_TIMEOUT,
  },
  examples: [
    { command: "mci list", about: "Every tool" },
    { command: "mci list --filter tags:read --filter except:secrets", about: "Some of them" },
    { command: "mci list --search 'close an issue'", about: "The tools that do it" },
    { command: "mci list --format json --verbose | jq '.tools[].inputSchema'", about: "For another program" },
  ],
  async run({ values }, context) {
    if (values.limit !== undefined && values.search === undefined)
      throw usageError("--limit is for --search.", "Add --search QUERY.");
    const filter = values.filter.length > 0 ? readFilters(values.filter) : undefined;
    const { server } = values;
    const file = server ?? discoverFile(values.file, context.cwd);
    await using client =
      server === undefined
        ? await loadClient(file, values, context, { filter })
        : await loadServer(server, values, context, filter);
    const tools = values.search === undefined ? client.tools() : await search(client, values);
    if (tools.length === 0 && values.search !== undefined)
      context.stderr.write(`No tool fits '${oneLine(values.search)}'. Try other words, or 'mci list'.\n`);
    else if (tools.length === 0 && filter !== undefined)
      throw noToolPasses(filter, shortPath(file, context.cwd));
    const { stdout } = context;
    const tokens = values.tokens ? await countTokens(tools) : undefined;
    switch (values.format) {
      case "names":
        stdout.write(tools.map(({ name }) => `${oneLine(name)}\n`).join(""));
        break;
      case "json":
        stdout.write(toJson(asData(client, tools, file, values, tokens)));
        break;
      case "yaml":
        stdout.write(await toYaml(asData(client, tools, file, values, tokens), stdout));
        break;
      default:
        printTools(tools, values, context, tokens);
        if (values.verbose && values.search === undefined) printInstructions(client, stdout);
    }
    if (tokens !== undefined) context.stderr.write(await describeTotal(tokens));
    if (tools.length === 0 && values.search === undefined)
      context.stderr.write(`No enabled tools in ${oneLine(shortPath(file, context.cwd))}.\n`);
    return 0;
  },
});

interface Values {
  readonly format: string | undefined;
  readonly filter: readonly string[];
  readonly verbose: boolean;
}

async function search(
  client: MCIClient,
  { search: query, limit = "10" }: { readonly search?: string; readonly limit?: string },
): Promise<Tool[]> {
  const count = readNumber("limit", limit, /^[1-9]\d{0,5}$/, "a whole number", 5);
  const found = await client.search(query!, { limit: count });
  return found.map(({ tool }) => tool);
}

/** The tokens of each tool's definition as clients get it from 'mci run'. */
async function countTokens(tools: readonly Tool[]): Promise<ReadonlyMap<Tool, number>> {
  const [{ tokensOf }, { toMcpTool }] = await Promise.all([
    import("../list/tokens.ts"),
    import("../serve/mcp-tool.ts"),
  ]);
  return new Map(tools.map((tool) => [tool, tokensOf(toMcpTool(tool))]));
}

async function describeTotal(tokens: ReadonlyMap<Tool, number>): Promise<string> {
  const { ENCODING } = await import("../list/tokens.ts");
  const total = [...tokens.values()].reduce((sum, each) => sum + each, 0);
  return `About ${total.toLocaleString("en")} tokens for ${plural(tokens.size, "tool")}, with every request of a client that lists them; estimated for ${ENCODING}.\n`;
}

type Tokens = ReadonlyMap<Tool, number> | undefined;

function asData(
  client: MCIClient,
  tools: readonly Tool[],
  file: string,
  { filter, verbose }: Values,
  tokens: Tokens,
) {
  const instructions = verbose ? client.instructions() : [];
  return {
    mci_file: file,
    filters_applied: filter,
    total: tools.length,
    tools: tools.map((tool) => ({
      name: tool.name,
      source: sourceOf(tool),
      description: tool.description ?? "",
      ...(tokens && { tokens: tokens.get(tool) }),
      ...(verbose && {
        tags: tool.tags ?? [],
        execution_type: tool.execution.type,
        ...(tool.annotations && { annotations: tool.annotations }),
        ...(tool.inputSchema && { inputSchema: tool.inputSchema }),
      }),
    })),
    ...(instructions.length > 0 && {
      instructions: instructions.map(({ server, text }) => ({ server, text })),
    }),
  };
}

async function toYaml(data: object, { isTTY }: Output): Promise<string> {
  const text = (await import("yaml")).stringify(data, { lineWidth: 0 });
  return isTTY ? escapeControls(text) : text;
}

function printTools(
  tools: readonly Tool[],
  { format, verbose }: Values,
  { stdout }: Context,
  tokens: Tokens,
): void {
  if (verbose) {
    for (const tool of tools) stdout.write(describe(tool, stdout));
    return;
  }
  const rows = tools.map((tool) => [
    tool.name,
    sourceOf(tool),
    ...(tokens ? [String(tokens.get(tool))] : []),
    tool.description ?? "",
  ]);
  const headings = ["Name", "Source", ...(tokens ? ["Tokens"] : []), "Description"];
  if (!stdout.isTTY && format !== "table") stdout.write(tabSeparated(rows));
  else if (rows.length > 0) stdout.write(table(headings, rows, stdout));
}

/** What the model is told by servers, as their tools' descriptions are. */
function printInstructions(client: MCIClient, output: Output): void {
  for (const { server, text } of client.instructions())
    output.write(
      `${style(output, "bold", `Instructions of ${oneLine(server)}`)}\n  ${escapeControls(text).replaceAll("\n", "\n  ")}\n\n`,
    );
}

function describe(tool: Tool, output: Output): string {
  const lines = [
    ["Description", escapeControls(tool.description ?? "").trim()],
    ["Tags", (tool.tags ?? []).map(oneLine).join(", ")],
    ["Execution", tool.execution.type],
    ["Parameters", parameters(tool.inputSchema).join(", ") || "none"],
  ];
  const body = lines
    .filter(([, text]) => text !== "")
    .map(([label, text]) => `  ${label}: ${text?.replaceAll("\n", "\n    ")}\n`);
  return `${style(output, "bold", oneLine(tool.name))} (${oneLine(sourceOf(tool))})\n${body.join("")}\n`;
}

/** `name (type)`, `name (type, optional)`. A schema may also be true or false, which has no type. */
function parameters(schema: Tool["inputSchema"]): string[] {
  const required = Array.isArray(schema?.required) ? schema.required : [];
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const type: unknown = property?.type ?? "any";
    const types = Array.isArray(type) ? type.join("|") : String(type);
    return oneLine(`${name} (${types}${required.includes(name) ? "" : ", optional"})`);
  });
}

/** The toolset or MCP server a tool comes from; "main" for the file's own. */
function sourceOf(tool: Tool): string {
  return tool.toolsetSource ?? "main";
}
