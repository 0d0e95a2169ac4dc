import { HELP } from "./arguments.ts";
import type { Command, Option, Output } from "./command.ts";
import { style } from "./print/style.ts";
import { pad, width } from "./print/width.ts";

/** The help of one command, made from its tables. */
export function commandHelp(name: string, command: Command, output: Output): string {
  const { summary, details, operands = [], examples } = command;
  const options = { ...command.options, help: HELP };
  const sections = [
    [...paragraph(summary, output), ...(details === undefined ? [] : ["", ...paragraph(details, output)])],
    [heading("Usage", output), `  ${synopsis(name, command)}`],
    operands.length > 0
      ? [
          heading("Arguments", output),
          ...columns(
            operands.map((operand) => [operand.name, operand.help]),
            output,
          ),
        ]
      : [],
    [
      heading("Options", output),
      ...columns(
        Object.entries(options).map(([key, option]) => [optionName(key, option), optionHelp(option)]),
        output,
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
    paragraph(
      "mci: an agent's tools as one JSON or YAML file. Write it, check it, call it, serve it over MCP.",
      output,
    ),
    [heading("Usage", output), "  mci COMMAND [ARGUMENTS] [OPTIONS]"],
    [heading("Commands", output), ...columns(list, output)],
    [
      heading("Start", output),
      "  mci init && mci validate && mci list",
      "  mci call greet name=Ada",
      "  mci run",
    ],
    paragraph(
      "Run 'mci help COMMAND' for its options and examples, 'mci --version' for the version.",
      output,
    ),
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

/** Below this width of the second column, it stands under the first. */
const MIN_TEXT_WIDTH = 30;
const INDENT = 2;
const NARROW_INDENT = 6;

/** Two columns, wrapped to the width of a terminal. */
function columns(rows: readonly (readonly [string, string])[], output: Output): string[] {
  const first = Math.max(...rows.map(([left]) => width(left)));
  const start = INDENT + first + 2;
  const room = output.isTTY ? output.columns - start : Number.POSITIVE_INFINITY;
  if (room >= MIN_TEXT_WIDTH)
    return rows.flatMap(([left, right]) =>
      wrap(right, room).map((line, index) => `${pad(index === 0 ? `  ${left}` : "", start)}${line}`),
    );
  return rows.flatMap(([left, right]) => [
    ...wrap(left, output.columns - INDENT).map((line) => `  ${line}`),
    ...wrap(right, output.columns - NARROW_INDENT).map((line) => `${" ".repeat(NARROW_INDENT)}${line}`),
  ]);
}

/** Text for a terminal, wrapped to its width; elsewhere as it is. */
function paragraph(text: string, output: Output): string[] {
  return output.isTTY ? text.split("\n").flatMap((line) => wrap(line, output.columns)) : text.split("\n");
}

/** Lines of at most so many columns, broken at blanks; a longer word has a line of its own. */
function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && width(last) + 1 + width(word) <= columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function page(sections: readonly (readonly string[])[]): string {
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}
