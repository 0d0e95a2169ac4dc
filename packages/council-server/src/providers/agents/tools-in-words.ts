import { randomUUID } from "node:crypto";
import { readReply } from "@mci-ts/council";
import type { Content, SdkCall, SdkMessage } from "../../protocols/protocol.ts";

/** A call for a model without tool calling: its tools are described, and it replies with JSON. */
export function toolsInWords({ prompt, tools = [], toolChoice, ...call }: SdkCall): SdkCall {
  const described = tools.flatMap((tool) =>
    tool.type === "function"
      ? [{ name: tool.name, description: tool.description, arguments: tool.inputSchema }]
      : [],
  );
  const must =
    toolChoice?.type === "tool"
      ? `You must call ${toolChoice.toolName} now.`
      : toolChoice?.type === "required"
        ? "You must call a tool now."
        : "If no tool is needed, reply to the user in plain text instead.";
  const instructions = [
    "You can call these tools, each given with the JSON Schema of its arguments:",
    ...described.map((tool) => JSON.stringify(tool)),
    'To call tools, reply with one JSON object and nothing else: {"calls": [{"tool": "NAME", "arguments": {…}}]}',
    must,
  ].join("\n");
  const turns = prompt.filter(({ role }) => role !== "system").map(inWords);
  return {
    ...call,
    prompt: [
      ...prompt.filter(({ role }) => role === "system"),
      { role: "system", content: instructions },
      ...turns,
    ],
  };
}

/** Earlier calls and results as text, in the form that is asked for. */
function inWords(message: SdkMessage): SdkMessage {
  if (message.role === "tool") {
    const text = message.content
      .flatMap((part) =>
        part.type === "tool-result" ? [`Result of ${part.toolName}:\n${resultText(part.output)}`] : [],
      )
      .join("\n\n");
    return { role: "user", content: [{ type: "text", text }] };
  }
  if (message.role !== "assistant") return message;
  const calls = message.content.flatMap((part) =>
    part.type === "tool-call" ? [{ tool: part.toolName, arguments: part.input }] : [],
  );
  if (calls.length === 0) return message;
  const parts = message.content.filter(({ type }) => type !== "tool-call");
  return { role: "assistant", content: [...parts, { type: "text", text: JSON.stringify({ calls }) }] };
}

type Output = Extract<
  Extract<SdkMessage, { role: "tool" }>["content"][number],
  { type: "tool-result" }
>["output"];

function resultText(output: Output): string {
  if (output.type === "content")
    return output.value.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
  return output.type === "execution-denied"
    ? "denied"
    : typeof output.value === "string"
      ? output.value
      : JSON.stringify(output.value);
}

/** The calls of such a reply; text without them is a reply to the user. Broken JSON is neither. */
export function readWords(parts: readonly Content[]): {
  readonly parts: readonly Content[];
  readonly invalid?: true;
} {
  const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  if (!/"calls"/.test(text)) return { parts };
  const read = readReply(
    { text, finishReason: "stop", usage: { inputTokens: 0, outputTokens: 0 }, latencyMs: 0 },
    { plainNumbers: true },
  );
  const calls = "value" in read ? (read.value as { calls?: unknown }).calls : undefined;
  if (!Array.isArray(calls)) return { parts: [], invalid: true };
  const reasoning = parts.filter(({ type }) => type === "reasoning");
  const called = calls.map(
    (call: { tool?: unknown; arguments?: unknown } | null): Content => ({
      type: "tool-call",
      toolCallId: `call_${randomUUID()}`,
      toolName: String(call?.tool),
      input: JSON.stringify(call?.arguments ?? {}),
    }),
  );
  return { parts: [...reasoning, ...called] };
}
