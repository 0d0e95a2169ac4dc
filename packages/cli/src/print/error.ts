import { closestMatch, MCIClientError } from "mci-ts";
import { CliError } from "../cli-error.ts";
import type { Context } from "../command.ts";
import { escapeControls } from "./escape-controls.ts";
import { problemPrinter } from "./problems.ts";
import { style } from "./style.ts";

/** Prints on standard error what happened and what to do next; returns the exit code. */
export function printError(error: unknown, context: Context): number {
  const { stderr } = context;
  const say = (message: string, hint?: string) => {
    stderr.write(`${style(stderr, ["bold", "red"], "error:")} ${escapeControls(message)}\n`);
    if (hint !== undefined) stderr.write(`${style(stderr, "green", "hint:")} ${escapeControls(hint)}\n`);
  };

  if (error instanceof CliError) {
    say(error.message + suggestion(error), error.hint);
    return error.exitCode;
  }
  if (error instanceof MCIClientError) {
    const located = error.problems.some(({ line }) => line !== undefined);
    if (located) error.problems.forEach(problemPrinter(context, stderr));
    say(located ? summary(error) : error.message, hintFor(error));
    return error.code === "tool_not_found" || error.code === "invalid_input" ? 2 : 1;
  }
  if (isSystemError(error)) {
    say(
      `${error.path ?? "A file"}: ${SYSTEM_ERRORS[error.code] ?? error.message} (${error.code})`,
      SYSTEM_HINT,
    );
    return 1;
  }
  say(
    error instanceof Error ? error.message : String(error),
    "This looks like a bug in mci; please report it with:",
  );
  stderr.write(`${escapeControls(error instanceof Error ? (error.stack ?? "") : "")}\n`);
  return 1;
}

interface SystemError extends Error {
  readonly code: string;
  readonly path?: string;
}

/** The operating system refused a file or folder: that is for the user to change, and no bug. */
function isSystemError(error: unknown): error is SystemError {
  return (
    error instanceof Error && "syscall" in error && "code" in error && String(error.code) in SYSTEM_ERRORS
  );
}

const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "not permitted",
  EROFS: "the file system is read-only",
  ENOSPC: "no space is left on the device",
  EDQUOT: "the quota is used up",
  EISDIR: "this is a folder",
  ENOTDIR: "a part of this path is not a folder",
  ENOENT: "a folder of this path does not exist",
  EEXIST: "this exists already",
  ENAMETOOLONG: "the name is too long",
  ELOOP: "its symbolic links go in a circle",
  EMFILE: "too many files are open",
};

const SYSTEM_HINT = "Choose another place for the output, or change its permissions.";

/** Leaves out what was already printed above with its lines. */
function summary({ message, problems }: MCIClientError): string {
  const errors = problems.filter(({ severity }) => severity === "error");
  const place = errors.length === 1 ? `: ${errors[0]!.file}:${errors[0]!.line}:` : "\n";
  return message.split(place, 1)[0]!;
}

function hintFor({ code, problems }: MCIClientError): string | undefined {
  if (code !== "schema_syntax" && code !== "schema_invalid") return HINTS[code];
  const places = problems.filter(({ severity }) => severity === "error").length > 1 ? "places" : "place";
  return `Fix the ${places} shown above, then run 'mci validate'.`;
}

function suggestion({ misspelled }: CliError): string {
  const suggestion = misspelled && closestMatch(misspelled.name, misspelled.among);
  return suggestion === undefined ? "" : ` Did you mean '${suggestion}'?`;
}

/** The next step, where the message alone does not give it. */
const HINTS: Partial<Record<MCIClientError["code"], string>> = {
  schema_not_found: "Check the path given with --file, or run 'mci init' to create a file.",
  schema_not_a_file: "Name the file itself: --file mci.json",
  schema_extension: "Rename it to .json, .yaml or .yml.",
  schema_unreadable: "Check that you may read the file.",
  schema_version: 'Set schemaVersion to "1.0".',
  tool_not_found: "Run 'mci list' to see every tool.",
  invalid_input: "Run 'mci list --verbose' to see what each tool takes.",
  toolset_not_found: "Put the toolset into the library folder, or correct its name under toolsets.",
  mcp_server_failed:
    "Check the server's entry under mcp_servers; 'mci validate' checks it without starting it.",
};
