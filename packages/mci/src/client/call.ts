import { parseExact } from "@mci-ts/primitives/exact-json";
import { raceAbort } from "../abort.ts";
import { MCIClientError, type Problem } from "../errors.ts";
import { approvalRequest, isApproval } from "../mcp/approval.ts";
import type { OnInput } from "../mcp/input.ts";
import { ExecutionResult } from "../result.ts";
import type { Tool } from "../schema/tool.ts";

/**
 * Asked before a tool runs that is not marked as read-only. Anything but true refuses the call; a string is the reason
 * that the model gets. It sees the input as the tool will: checked, with defaults, under the file's names.
 */
export type Approve = (
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
) => boolean | string | Promise<boolean | string>;

/** A failed result in place of an exception: what the model did wrong, for the model to put right. */
export function failedResult(code: string, text: string): ExecutionResult {
  return new ExecutionResult({
    content: [{ type: "text", text }],
    isError: true,
    metadata: { error_code: code },
  });
}

/** A model's arguments; most providers hand them over as JSON text, and some models write none as an empty one. */
export async function argumentsOf(tool: string, rawInput: unknown): Promise<unknown> {
  if (typeof rawInput !== "string") return rawInput;
  if (rawInput.trim() === "") return {};
  try {
    return parseExact(rawInput);
  } catch (cause) {
    // JSON.parse does not always say where.
    const { jsonSyntaxError } = await import("../load/parse/json-errors.ts");
    const { problems } = jsonSyntaxError("arguments", rawInput, cause);
    const [{ message, line, column }] = problems as [Problem];
    const text = `The arguments of tool '${tool}' must be an object, and are not valid JSON: line ${line}, column ${column}: ${message}`;
    throw new MCIClientError("invalid_input", text, { cause, problems });
  }
}

/** Mistakes of the program stay exceptions; those of the model, and a client that cannot run tools, become results. */
export function asResult(error: unknown, toShown: (text: string) => string): ExecutionResult {
  if (!(error instanceof MCIClientError) || error.code === "invalid_argument") throw error;
  return failedResult(error.code, toShown(error.message));
}

/** undefined: approved. Who cannot decide has not approved. */
export async function refusal(
  approve: Approve | undefined,
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
  { onInput, signal }: { onInput?: OnInput | undefined; signal?: AbortSignal | undefined } = {},
): Promise<ExecutionResult | undefined> {
  const isRequired = tool.approve === true;
  if (approve === undefined ? !isRequired : tool.annotations?.readOnlyHint === true && !isRequired)
    return undefined;
  const noOne = "the file says that a person approves each call, and there is no one to ask";
  if (approve === undefined && onInput === undefined) return notApproved(noOne);
  // One that never decides does not outlive the call.
  const waiting = signal ?? new AbortController().signal;
  const ask = async () =>
    approve === undefined ? approvalByInput(tool, input, onInput!, waiting) : approve(tool, input);
  try {
    waiting.throwIfAborted();
    const decision = await raceAbort(ask(), waiting);
    return decision === true ? undefined : notApproved(typeof decision === "string" ? decision : "");
  } catch {
    // What the application throws may hold anything, and the model reads this.
    return waiting.aborted
      ? failedResult("aborted", "The call was cancelled before it was approved, and the tool was not run.")
      : notApproved("the approval failed");
  }
}

/** The file wants a person to be asked, and the application has said how people are asked. */
async function approvalByInput(
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
  onInput: OnInput,
  signal: AbortSignal,
): Promise<boolean | string> {
  const answer = await onInput(approvalRequest(tool.name, input), { target: tool.name, signal });
  return answer === undefined ? "the approval failed" : isApproval(answer);
}

export function notApproved(reason: string): ExecutionResult {
  const end = reason === "" ? "." : `: ${reason}`;
  return failedResult("not_approved", `The call was not approved, and the tool was not run${end}`);
}

/**
 * A message about the file's names in the names that the model knows. Field names stand at the beginning of a line and
 * in the list of what is required.
 */
export function toModelNames(text: string, properties: ReadonlyMap<string, string>): string {
  let preview = text;
  for (const [own, name] of properties) {
    const escaped = own.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const field = new RegExp(`(^- |\\(it requires |, )${escaped}(?=[:.,[)]|$)`, "gm");
    preview = preview.replaceAll(field, (_, before: string) => before + name);
  }
  return preview;
}
