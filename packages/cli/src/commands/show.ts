import { readFileSync } from "node:fs";
import { lintFile, type Tool } from "mci-ts";
import { parse } from "yaml";
import { type Context, command, type Output } from "../command.ts";
import { variableState } from "../envs/print-variables.ts";
import { escapeControls, oneLine, toJson } from "../print/escape-controls.ts";
import { style } from "../print/style.ts";
import { table } from "../print/table.ts";
import { discoverFile } from "../project/discover.ts";
import { findEnv, loadFor } from "../project/load.ts";
import { ENV, FILE, MCP_TIMEOUT } from "../project/options.ts";
import { describeTool, type ToolDescription } from "../show/describe-tool.ts";

export default command({
  summary: "Show one tool: its input, where each value goes, its variables and permissions.",
  operands: [{ name: "TOOL", help: "Name of the tool.", required: true, complete: "tool" }],
  options: {
    format: {
      type: "string",
      value: "FORMAT",
      choices: ["text", "json"],
      help: "How to print it. Default text.",
    },
    ...FILE,
    ...ENV,
    ...MCP_TIMEOUT,
  },
  examples: [
    { command: "mci show create_issue", about: "What a tool takes, and what it does with it" },
    { command: "mci show create_issue --format json | jq '.input[].goes_to'", about: "For another program" },
  ],
  async run({ values, operands: [name = ""] }, context) {
    const file = discoverFile(values.file, context.cwd);
    await using client = await loadFor(name, file, values, context);
    client.getToolSchema(name); // Throws, with a suggestion, if there is no such tool.
    const tool = client.only([name])[0]!;
    const env = await findEnv(file, values, context);
    const description = describeTool(client, tool, env, await engineOf(tool, file, env.values));
    print(description, values.format ?? "text", context);
    return 0;
  },
});

function print(tool: ToolDescription, format: "text" | "json", { stdout, cwd }: Context): void {
  if (format === "json") {
    stdout.write(toJson({ ...tool, variables: tool.variables.map(variableAsJson) }));
    return;
  }
  const { name, source, description, type, target } = tool;
  stdout.write(`${style(stdout, "bold", oneLine(name))} (${oneLine(source)}, ${type})\n`);
  if (description !== "") stdout.write(`${escapeControls(description).trim()}\n`);
  if (target !== "") stdout.write(`${oneLine(target)}\n`);
  section("Input", inputTable(tool, stdout), stdout);
  section("Fixed by the file", fixedLines(tool), stdout);
  section("Variables", variablesTable(tool, cwd, stdout), stdout);
  section("Permissions", permissionLines(tool), stdout);
  section("Result", resultLines(tool), stdout);
}

function section(title: string, text: string, stdout: Output): void {
  if (text !== "") stdout.write(`\n${style(stdout, "bold", `${title}:`)}\n${text}`);
}

function inputTable({ input, input_note: note }: ToolDescription, stdout: Output): string {
  if (input.length === 0) return "  none\n";
  const lead = note === undefined ? "" : `${escapeControls(note).trim()}\n`;
  const rows = input.map((row) => [
    row.required ? `${row.name} *` : row.name,
    row.default === undefined ? row.type : `${row.type} = ${JSON.stringify(row.default)}`,
    row.goes_to.join(", ") || "-",
    row.description,
  ]);
  return lead + table(["Name (* required)", "Type", "Goes to", "Description"], rows, stdout);
}

function fixedLines({ fixed = [] }: ToolDescription): string {
  return fixed
    .map(
      ({ name, value }) =>
        `  ${oneLine(name)}${value === undefined ? ": not sent" : ` = ${oneLine(JSON.stringify(value))}`}\n`,
    )
    .join("");
}

/** What of the response the caller gets, and how many pages of it. */
function resultLines({ result = {}, pagination }: ToolDescription): string {
  const { next, ...limits } = pagination ?? {};
  const lines = [
    ...Object.entries(result).map(([name, value]) => `${name}: ${String(value)}`),
    ...(next === undefined ? [] : [`pages: the next one by ${nextPage(next)}`]),
    ...Object.entries(limits).map(([name, value]) => `pages: ${name} ${String(value)}`),
  ];
  return lines.map((line) => `  ${oneLine(line)}\n`).join("");
}

function nextPage(next: NonNullable<ToolDescription["pagination"]>["next"]): string {
  if (next === "link") return "the Link header";
  return next.param === undefined ? `the address at ${next.select}` : `${next.select}, sent as ${next.param}`;
}

function variablesTable({ variables }: ToolDescription, cwd: string, stdout: Output): string {
  if (variables.length === 0) return "";
  const rows = variables.map(({ state, goes_to }) => [
    state.name,
    variableState(state, cwd),
    goes_to.join(", "),
  ]);
  return table(["Name", "State", "Goes to"], rows, stdout);
}

function variableAsJson({ state, goes_to }: ToolDescription["variables"][number]) {
  const { name, isSet, hasFallback } = state;
  return { name, is_set: isSet, has_fallback: hasFallback, goes_to };
}

function permissionLines({ permissions, annotations, type }: ToolDescription): string {
  const hints = Object.entries(annotations).filter(
    ([name, value]) => name.endsWith("Hint") && value !== undefined,
  );
  const directories = permissions.directories.map(oneLine).join(", ");
  const lines = [
    ...(type === "mcp" || type === "http"
      ? []
      : [
          permissions.any_paths
            ? "Files: any path"
            : `Files: the folder of the MCI file${directories === "" ? "" : `, ${directories}`}`,
        ]),
    ...(permissions.private_network ? ["Hosts from the caller may be in a private network"] : []),
    ...(permissions.dash_values ? ["Values from the caller may begin with a dash"] : []),
    ...hints.map(([name, value]) => `${name}: ${value}`),
  ];
  return lines.map((line) => `  ${line}\n`).join("");
}

type Engine = "builtin" | "jinja2";

/** The language of a tool's text: its own setting, or that of the file in which the tool stands. */
async function engineOf(
  { name, execution }: Tool,
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<Engine> {
  if (execution.type !== "text") return "builtin";
  if (execution.templateEngine !== undefined) return execution.templateEngine;
  const { tools } = await lintFile(file, { env, folders: "any" });
  const place = tools.find((tool) => tool.name === name);
  const document = place && parse(readFileSync(place.file, "utf8"));
  return document?.templateEngine === "jinja2" ? "jinja2" : "builtin";
}
