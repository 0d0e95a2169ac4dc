import type { Body, StreamedEvent } from "../protocol.ts";
import { asNumber, asRecords, asText, isRecord, parseInput } from "../shared/values.ts";

export function readStream(events: readonly StreamedEvent[]): Body | undefined {
  const message: Record<string, unknown> = { role: "assistant", content: null };
  const calls = new Map<number, { id?: unknown; function: { name: string; arguments: string } }>();
  let whole: Record<string, unknown> = {};
  let finish: unknown;
  for (const { data } of events) {
    const chunk = parseInput(data);
    if (!isRecord(chunk)) continue;
    const [choice] = asRecords(chunk["choices"]);
    whole = { ...whole, ...chunk, ...(isRecord(chunk["usage"]) ? {} : { usage: whole["usage"] }) };
    if (!choice) continue;
    finish = choice["finish_reason"] ?? finish;
    for (const [name, value] of Object.entries(isRecord(choice["delta"]) ? choice["delta"] : {})) {
      if (name !== "tool_calls")
        message[name] =
          typeof value === "string" && name !== "role"
            ? (asText(message[name]) ?? "") + value
            : (value ?? message[name]);
      else
        for (const call of asRecords(value)) {
          const index = asNumber(call["index"]) ?? 0;
          const { name = "", arguments: text = "" } = (
            isRecord(call["function"]) ? call["function"] : {}
          ) as { name?: string; arguments?: string };
          const before = calls.get(index) ?? { function: { name: "", arguments: "" } };
          calls.set(index, {
            ...before,
            ...(call["id"] ? { id: call["id"] } : {}),
            function: { name: before.function.name + name, arguments: before.function.arguments + text },
          });
        }
    }
  }
  if (finish === undefined) return undefined;
  const tool_calls = [...calls.values()].map((call) => ({ type: "function", ...call }));
  return {
    ...whole,
    choices: [
      {
        index: 0,
        message: { ...message, ...(tool_calls.length > 0 ? { tool_calls } : {}) },
        finish_reason: finish,
      },
    ],
  };
}
