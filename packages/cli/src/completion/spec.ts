import { HELP } from "../arguments.ts";
import type { Command, Completion, Options } from "../command.ts";

/** What shells need to complete a command, generated from its tables. */
export interface CompletionSpec {
  readonly names: readonly string[];
  readonly summary: string;
  readonly options: readonly OptionSpec[];
  readonly operands: readonly ValueSpec[];
}

export interface OptionSpec extends ValueSpec {
  readonly long: string;
  readonly short?: string;
  readonly help: string;
  readonly takesValue: boolean;
}

export interface ValueSpec {
  readonly choices?: readonly string[];
  readonly complete?: Completion;
  readonly multiple?: boolean;
}

export function completionSpec(name: string, alias: string | undefined, command: Command): CompletionSpec {
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
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
