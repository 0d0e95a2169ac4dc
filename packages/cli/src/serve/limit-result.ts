import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Tool } from "mci-ts";

/** Clients built on the SDK end the session at a message above 10 MiB; the rest is for the envelope around the result. */
export const MAX_RESULT_BYTES = 10 * 1024 * 1024 - 64 * 1024;

export interface ResultForms {
  /** Clients require the structured content that a tool announces. */
  readonly hasOutputSchema: boolean;
  /** `result.format` of the tool. */
  readonly format?: NonNullable<Tool["result"]>["format"];
}

/**
 * A result that its client can receive. A JSON result is there twice, as text and as structured content: the tool may choose
 * one of them, and of a large one only one is sent. What is still too large is an error that says so, because it would end
 * the session without a word.
 */
export function limitResult(
  result: CallToolResult,
  { hasOutputSchema, format }: ResultForms,
  maxBytes = MAX_RESULT_BYTES,
): CallToolResult {
  const chosen = format === "text" || format === "structured" ? oneForm(result, format) : result;
  if (sizeOf(chosen) <= maxBytes) return chosen;
  // Models read the text.
  const single = oneForm(chosen, hasOutputSchema || format === "structured" ? "structured" : "text");
  const size = sizeOf(single);
  if (size <= maxBytes) return single;
  const message = `The result has ${size} bytes, and clients accept at most ${maxBytes}. Ask for less of it, or shape it in the tool's "result": select, maxItems or maxChars.`;
  return { content: [{ type: "text", text: message }], isError: true };
}

/** A result that is not JSON has its content only. */
function oneForm(result: CallToolResult, form: "text" | "structured"): CallToolResult {
  const { structuredContent, ...text } = result;
  if (form === "text" || structuredContent === undefined) return text;
  return { ...result, content: [{ type: "text", text: "See the structured content of this result." }] };
}

function sizeOf(result: CallToolResult): number {
  return Buffer.byteLength(JSON.stringify(result));
}
