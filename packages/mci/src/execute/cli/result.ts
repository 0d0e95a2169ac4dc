import { ToolError } from "../../errors.ts";
import type { Outcome } from "../../result.ts";
import type { Output, ProcessReport } from "./process.ts";

interface ResultOptions {
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly successExitCodes: readonly number[];
  readonly parse?: "json" | undefined;
  readonly mask: (text: string) => string;
}

/** What a finished command means to the caller: its output, or an error that keeps whatever was printed. */
export function commandOutcome(
  report: ProcessReport,
  { timeoutMs, maxOutputBytes, successExitCodes, parse, mask }: ResultOptions,
): Outcome {
  const { endReason, exitCode, signal, stdout, stderr } = report;
  const metadata = {
    exit_code: endReason === "exit" ? exitCode : null,
    ...(signal === null || endReason !== "exit" ? {} : { signal }),
    stdout_bytes: stdout.bytes,
    stderr_bytes: stderr.bytes,
    stderr: stderr.text,
    execution_time_ms: Math.round(report.durationMs),
  };
  if (endReason === "exit" && exitCode !== null && successExitCodes.includes(exitCode)) {
    const content = [{ type: "text" as const, text: stdout.text }];
    return parse === undefined
      ? { content, metadata }
      : { content, metadata, ...parsed(stdout, metadata, mask) };
  }
  const failure = { metadata: { ...metadata, stdout: stdout.text } };
  switch (endReason) {
    case "timeout":
      throw new ToolError("command_timeout", `Command timed out after ${timeoutMs}ms`, failure);
    case "aborted":
      throw new ToolError("aborted", "The call was cancelled and its command ended.", failure);
    case "stdout_limit":
    case "stderr_limit":
      throw new ToolError("command_output_limit", outputLimitMessage(endReason, maxOutputBytes), failure);
    case "exit": {
      const how = exitCode === null ? `signal ${signal}` : `exit code ${exitCode}`;
      throw new ToolError(
        "command_failed",
        `Command failed with ${how}${excerpts(stderr, stdout, mask)}`,
        failure,
      );
    }
  }
}

/** Only objects and lists are structured content; other JSON is what its text says. */
function parsed(
  stdout: Output,
  metadata: Readonly<Record<string, unknown>>,
  mask: ResultOptions["mask"],
): { structuredContent?: unknown } {
  try {
    const value: unknown = JSON.parse(stdout.text);
    return typeof value === "object" && value !== null ? { structuredContent: value } : {};
  } catch (cause) {
    throw new ToolError("result_not_json", `The command did not print JSON: ${excerpt(stdout, mask)}`, {
      cause,
      metadata: { ...metadata, stdout: stdout.text },
    });
  }
}

function outputLimitMessage(ending: "stdout_limit" | "stderr_limit", limit: number): string {
  const where = ending === "stdout_limit" ? "standard output" : "standard error";
  return `Command printed more than ${limit} bytes to ${where} and was ended. Ask for less, or raise the limit maxCommandOutputBytes.`;
}

const MAX_EXCERPT = 2000;

/** Both outputs, as far as they fit a message; all of them are in the metadata. */
function excerpts(stderr: Output, stdout: Output, mask: ResultOptions["mask"]): string {
  const [error, output] = [excerpt(stderr, mask), excerpt(stdout, mask)];
  if (error === "" || output === "") return error === output ? "" : `: ${error}${output}`;
  return `: ${error}\n\nStandard output:\n${output}`;
}

/** Masked before it is cut: half a secret could not be recognised. */
function excerpt({ text }: Output, mask: ResultOptions["mask"]): string {
  const trimmed = text.trim();
  if (trimmed.length <= MAX_EXCERPT) return trimmed;
  const masked = mask(trimmed);
  if (masked.length <= MAX_EXCERPT) return masked;
  const cut = masked.slice(0, MAX_EXCERPT);
  const word = Math.max(cut.lastIndexOf(" "), cut.lastIndexOf("\n"));
  return `${(word > 0 ? cut.slice(0, word) : cut).toWellFormed()}…`;
}

const NO_SHELL = " (a command is the name of one program; its arguments go into args)";

/** A command that could not be started at all, with the exit codes that shells use for it. */
export function startError(error: unknown, command: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case "ENOENT":
      return notStarted(
        127,
        `command not found: ${command}${/\s/.test(command.trim()) ? NO_SHELL : ""}`,
        error,
      );
    case "EACCES":
    case "EPERM":
    case "ENOEXEC":
    case "EISDIR":
    case "ENOTDIR":
      return notStarted(126, `not an executable program: ${command}`, error);
    case "E2BIG":
      return new ToolError("invalid_config", "The arguments are too long for a command line.", {
        cause: error,
      });
    case "ERR_INVALID_ARG_VALUE":
      // Its message repeats the value, which may be a secret.
      return new ToolError(
        "invalid_config",
        "The command cannot be started: its name, its working directory or one of its variables holds a NUL character.",
        { cause: error },
      );
    default:
      if (code === undefined) return error;
      return new ToolError("command_failed", `Command could not be started (${code}): ${command}`, {
        cause: error,
      });
  }
}

function notStarted(exitCode: number, reason: string, cause: unknown): ToolError {
  return new ToolError("command_not_found", `Command failed with exit code ${exitCode}: ${reason}`, {
    cause,
    metadata: { exit_code: exitCode },
  });
}
