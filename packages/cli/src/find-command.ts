import { nearest } from "mci-ts";
import type { CommandEntry, CommandTable } from "./command.ts";
import { usage } from "./failure.ts";

/** The command of that name or alias. */
export function findCommand(commands: CommandTable, given: string): CommandEntry & { readonly name: string } {
  for (const [name, entry] of Object.entries(commands)) {
    if (name === given || entry.alias === given) return { name, ...entry };
  }
  const names = Object.entries(commands).flatMap(([name, { alias }]) =>
    alias === undefined ? [name] : [name, alias],
  );
  const similar = nearest(given, names);
  const meant = similar === undefined ? "" : ` Did you mean '${similar}'?`;
  throw usage(`mci has no command '${given}'.${meant}`, "Run 'mci help' to see every command.");
}
