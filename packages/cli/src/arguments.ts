import { parseArgs } from "node:util";
import { shellWord } from "@mci-ts/primitives/shell-word";
import { usageError } from "./cli-error.ts";
import type { Command, Input, Option, Options } from "./command.ts";

/** Understood by every command. */
export const HELP = { type: "boolean", short: "h", help: "Show this help." } as const satisfies Option;

/** Reads the arguments of a command; undefined if they ask for help. Throws a usage error for invalid arguments. */
export function readArguments<O extends Options>(
  name: string,
  { options, operands = [] }: Pick<Command<O>, "options" | "operands">,
  argv: readonly string[],
): Input<O> | undefined {
  const declared: Options = { ...options, help: HELP };
  // Not strict: the tokens are checked below, to answer with the nearest name and the next step.
  const { tokens, positionals } = parseArgs({
    args: [...argv],
    options: declared,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });

  const values: Record<string, boolean | string | string[] | undefined> = {};
  for (const [key, option] of Object.entries(options)) {
    values[key] = option.type === "boolean" ? false : option.multiple ? [] : undefined;
  }
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const option = Object.hasOwn(declared, token.name) ? declared[token.name] : undefined;
    if (option === undefined) throw unknownOption(name, token.rawName, declared, operands);
    if (token.name === "help") return undefined;
    const value = readValue(option, token);
    const before = values[token.name];
    if (Array.isArray(before)) before.push(value as string);
    else values[token.name] = value;
  }

  checkOperands(name, operands, positionals, declared);
  return { values: values as Input<O>["values"], operands: positionals };
}

interface OptionToken {
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function readValue(option: Option, { rawName, value, inlineValue }: OptionToken): string | true {
  if (option.type === "boolean") {
    if (value !== undefined) throw usageError(`${rawName} takes no value.`);
    return true;
  }
  // "--file --verbose" is a forgotten value far more often than a file of that name; "-" alone is standard input.
  if (value === undefined || (!inlineValue && value.length > 1 && value.startsWith("-"))) {
    const example = rawName.startsWith("--") ? `${rawName}=${option.value}` : `${rawName} ${option.value}`;
    throw usageError(`${rawName} needs a value.`, `Write ${example}.`);
  }
  const { choices } = option;
  if (choices === undefined || choices.includes(value)) return value;
  const choice = choices.find((one) => one.toLowerCase() === value.toLowerCase());
  if (choice === undefined) throw notAChoice(rawName, value, choices);
  return choice;
}

function checkOperands(
  name: string,
  operands: NonNullable<Command["operands"]>,
  operandValues: readonly string[],
  declared: Options,
): void {
  const missing = operands.filter((operand) => operand.required)[operandValues.length];
  if (missing)
    throw usageError(`${missing.name} is missing: ${missing.help}`, `Run 'mci help ${name}' for examples.`);
  const most = operands.some((operand) => operand.multiple) ? Number.POSITIVE_INFINITY : operands.length;
  if (operandValues.length > most) {
    const extra = operandValues[most]!;
    const file = declared.file !== undefined && /\.(json|ya?ml)$/i.test(extra);
    throw usageError(
      `Unexpected argument '${extra}'.`,
      file ? `Write --file ${shellWord(extra)}.` : `Run 'mci help ${name}' to see what '${name}' takes.`,
    );
  }
  for (const [index, { name: operand, choices, hiddenChoices = [] }] of operands.entries()) {
    const value = operandValues[index];
    if (value === undefined || hiddenChoices.includes(value)) continue;
    if (choices && !choices.includes(value)) throw notAChoice(operand, value, choices);
  }
}

/** What others call an option of ours. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  // Node.js looks for its own option of that name among a script's arguments, too: it leaves if the file is missing, and
  // obeys NODE_OPTIONS in it. So the option must not be ours.
  "env-file": "dotenv",
  // `mcix add` names the file so.
  path: "file",
  p: "file",
};

function unknownOption(
  name: string,
  written: string,
  declared: Options,
  operands: NonNullable<Command["operands"]>,
): Error {
  // Many commands elsewhere have --json.
  const { format } = declared;
  const wanted = written.replace(/^-+/, "");
  if (format?.type === "string" && format.choices?.includes(wanted))
    return usageError(`'${name}' has no option '${written}'.`, `Write --format ${wanted}.`);
  const ours = ELSEWHERE[wanted];
  if (ours !== undefined && declared[ours])
    return usageError(`'${name}' has no option '${written}'.`, `Write --${ours} FILE.`);
  const misspelled = { name: written, among: Object.keys(declared).map((key) => `--${key}`) };
  const pairs = operands.some((operand) => operand.name === "KEY=VALUE")
    ? `Properties have no dashes: ${wanted}=VALUE. `
    : "";
  return usageError(
    `'${name}' has no option '${written}'.`,
    `${pairs}Run 'mci help ${name}' to see its options.`,
    misspelled,
  );
}

function notAChoice(what: string, value: string, choices: readonly string[]): Error {
  return usageError(`${what} cannot be '${value}'.`, `Use one of: ${choices.join(", ")}.`, {
    name: value,
    among: choices,
  });
}
