import type { Diagnostic } from "../load/diagnostics.ts";
import type { JsonPath } from "../template-api.ts";

/** Warns about a whole command line in `command`: there is no shell that would split it. */
export function commandLineWarnings(command: string, place: JsonPath): Diagnostic[] {
  const [program = "", ...args] = command.trim().split(/\s+/);
  // A path may have blanks; a template may give anything.
  if (args.length === 0 || /[\\/]|\{\{|\{!!/.test(program)) return [];
  const hasShellSyntax = /[|&;<>$`'"]/.test(command);
  return [
    {
      place: [...place, "command"],
      severity: "warning",
      message: "'command' is the program alone, and this looks like a whole command line",
      hint: hasShellSyntax
        ? `for pipes and quotes start a shell: "command": "sh", "args": ["-c", ${JSON.stringify(command.slice(0, 60))}]`
        : `write "command": ${JSON.stringify(program)}, "args": ${JSON.stringify(args.slice(0, 10))}`,
    },
  ];
}
