import { usageError } from "./cli-error.ts";
import type { CommandEntry, CommandTable } from "./command.ts";

/** The command of that name or alias. */
export function findCommand(commands: CommandTable, word: string): CommandEntry & { readonly name: string } {
  for (const [name, entry] of Object.entries(commands)) {
    if (name === word || entry.alias === word) return { name, ...entry };
  }
  const names = Object.entries(commands).flatMap(([name, { alias }]) =>
    alias === undefined ? [name] : [name, alias],
  );
  throw usageError(`mci has no command '${word}'.`, "Run 'mci help' to see every command.", {
    name: word,
    among: names,
  });
}
