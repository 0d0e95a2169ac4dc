import type { Diagnostic } from "../../load/diagnostics.ts";
import { splitCommandLine } from "../../load/validate/split-command-line.ts";
import type { JsonPath } from "../../template-api.ts";

/** Warns about a whole command line in `command`: there is no shell that would split it. */
export function commandLineWarnings(command: string, place: JsonPath): Diagnostic[] {
  const [program = "", ...others] = command.trim().split(/\s+/, 2);
  // A path may have blanks; a template may give anything.
  if (others.length === 0 || /[\\/]|\{\{|\{!!/.test(program)) return [];
  const split = splitCommandLine(command);
  return [
    {
      place: [...place, "command"],
      severity: "warning",
      message: "'command' is the program alone, and this looks like a whole command line",
      hint:
        split === undefined
          ? "there is no shell: put the line into a script, and make the script the command"
          : `there is no shell: write "command": ${JSON.stringify(split.command)}, "args": ${JSON.stringify(split.args)}`,
    },
  ];
}
