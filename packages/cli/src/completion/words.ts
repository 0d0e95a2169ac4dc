import { HELP } from "../arguments.ts";
import type { Command, Completion, Options } from "../command.ts";

/** What shells need to know of a command, made from its tables. */
export interface CommandWords {
  readonly names: readonly string[];
  readonly summary: string;
  readonly options: readonly OptionWords[];
  readonly operands: readonly ValueWords[];
}

export interface OptionWords extends ValueWords {
  readonly long: string;
  readonly short?: string;
  readonly help: string;
  readonly takesValue: boolean;
}

export interface ValueWords {
  readonly choices?: readonly string[];
  readonly complete?: Completion;
  readonly multiple?: boolean;
}

export function wordsOf(name: string, alias: string | undefined, command: Command): CommandWords {
  const options: Options = { ...command.options, help: HELP };
  return {
    names: alias === undefined ? [name] : [name, alias],
    summary: command.summary,
    options: Object.entries(options).map(([long, option]) => ({
      long,
      help: option.help,
      takesValue: option.type === "string",
      ...(option.short === undefined ? {} : { short: option.short }),
      ...(option.type === "string" ? { choices: option.choices, complete: option.complete } : {}),
    })),
    operands: (command.operands ?? []).map(({ choices, complete, multiple }) => ({
      choices,
      complete,
      multiple,
    })),
  };
}

/** Text inside single quotes of any of the three shells. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
