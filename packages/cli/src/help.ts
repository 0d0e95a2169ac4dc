import { HELP } from "./arguments.ts";
import type { Command, Option, Output } from "./command.ts";
import { style } from "./print/style.ts";
import { pad, width } from "./print/width.ts";

/** The help of one command, made from its tables. */
export function commandHelp(name: string, command: Command, output: Output): string {
  const { summary, details, operands = [], examples } = command;
  const options = { ...command.options, help: HELP };
  const sections = [
    [summary, ...(details === undefined ? [] : ["", details])],
    [heading("Usage", output), `  ${synopsis(name, command)}`],
    operands.length > 0
      ? [heading("Arguments", output), ...columns(operands.map((operand) => [operand.name, operand.help]))]
      : [],
    [
      heading("Options", output),
      ...columns(
        Object.entries(options).map(([key, option]) => [optionName(key, option), optionHelp(option)]),
      ),
    ],
    [
      heading("Examples", output),
      ...examples.flatMap((example) => [
        `  ${style(output, "dim", `# ${example.about}`)}`,
        `  ${example.command}`,
      ]),
    ],
  ];
  return page(sections);
}

export interface NamedCommand {
  readonly name: string;
  readonly alias?: string;
  readonly command: Command;
}

/** The help of the whole: every command with its summary. */
export function generalHelp(commands: readonly NamedCommand[], output: Output): string {
  const list = commands.map(
    ({ name, alias, command: { summary } }) =>
      [name, alias ? `${summary} (also: ${alias})` : summary] as const,
  );
  return page([
    ["mci: an agent's tools as one JSON or YAML file. Write it, check it, call it, serve it over MCP."],
    [heading("Usage", output), "  mci COMMAND [ARGUMENTS] [OPTIONS]"],
    [heading("Commands", output), ...columns(list)],
    [
      heading("Start", output),
      "  mci init && mci validate && mci list",
      "  mci call greet name=Ada",
      "  mci run",
    ],
    ["Run 'mci help COMMAND' for its options and examples, 'mci --version' for the version."],
  ]);
}

function synopsis(name: string, { operands = [] }: Command): string {
  const words = operands.map(({ name: operand, required, multiple }) => {
    const word = multiple ? `${operand}…` : operand;
    return required ? word : `[${word}]`;
  });
  return ["mci", name, ...words, "[OPTIONS]"].join(" ");
}

function optionName(key: string, option: Option): string {
  const short = option.short ? `-${option.short}, ` : "    ";
  return `${short}--${key}${option.type === "string" ? ` ${option.value}` : ""}`;
}

function optionHelp(option: Option): string {
  const choices = option.type === "string" && option.choices ? ` One of: ${option.choices.join(", ")}.` : "";
  const several = option.type === "string" && option.multiple ? " May be repeated." : "";
  return option.help + choices + several;
}

function heading(text: string, output: Output): string {
  return style(output, "bold", `${text}:`);
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const first = Math.max(...rows.map(([left]) => width(left)));
  return rows.map(([left, right]) => `  ${pad(left, first)}  ${right}`);
}

function page(sections: readonly (readonly string[])[]): string {
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}
