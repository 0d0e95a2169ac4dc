import { closestMatch } from "@mci-ts/primitives/closest-match";
import { ExecutionResult } from "../result.ts";
import type { Tool } from "../schema/tool.ts";
import type { ExecuteOptions } from "./client-options.ts";

/** The result of a call with arguments that the tool does not have: what was dropped is said, not lost. */
export function withIgnored(
  { result }: ExecutionResult,
  ignored: readonly string[],
  tool: Tool,
  { noteIgnored = false }: ExecuteOptions,
): ExecutionResult {
  const note = { type: "text", text: describeIgnored(ignored, tool) } as const;
  return new ExecutionResult({
    ...result,
    content: noteIgnored ? [...result.content, note] : result.content,
    metadata: { ...result.metadata, ignored_arguments: ignored },
  });
}

function describeIgnored(ignored: readonly string[], { name, inputSchema }: Tool): string {
  const names = Object.keys((inputSchema?.["properties"] ?? {}) as object);
  const described = ignored.slice(0, MAX_NAMES).map((each, index) => {
    const similar = index < MAX_SUGGESTIONS ? closestMatch(each, names) : undefined;
    return `'${each.slice(0, MAX_LENGTH)}'${similar === undefined ? "" : ` (did you mean '${similar}'?)`}`;
  });
  const more = ignored.length > MAX_NAMES ? `, and ${ignored.length - MAX_NAMES} more` : "";
  return `Note: tool '${name}' has no argument ${described.join(", ")}${more}; ignored.`;
}

const MAX_NAMES = 20;
const MAX_SUGGESTIONS = 5;
const MAX_LENGTH = 100;
