import type { StreamedEvent } from "../protocol.ts";
import { event, pieces } from "../shared/stream.ts";
import { asRecords, asText } from "../shared/values.ts";
import { CALLS, type Item } from "./item.ts";

/** An item as a stream: what grows, in pieces, then the whole. */
export function* itemEvents(item: Item, output_index: number): Iterable<StreamedEvent> {
  const { type, id: item_id } = item;
  const at = { item_id, output_index };
  const text = asText(item["arguments"]) ?? asText(item["input"]);
  if (CALLS.has(String(type)) && text !== undefined) {
    const [field, name] =
      type === "function_call"
        ? ["arguments", "function_call_arguments"]
        : ["input", "custom_tool_call_input"];
    yield event("response.output_item.added", {
      output_index,
      item: { ...item, status: "in_progress", [field!]: "" },
    });
    for (const delta of pieces(text)) yield event(`response.${name}.delta`, { ...at, delta });
    yield event(`response.${name}.done`, {
      ...at,
      [field!]: text,
      ...(type === "function_call" ? { name: item["name"] } : {}),
    });
  } else if (type === "message") {
    yield event("response.output_item.added", {
      output_index,
      item: { ...item, status: "in_progress", content: [] },
    });
    for (const [content_index, part] of asRecords(item["content"]).entries()) {
      const [field, name] = part["type"] === "refusal" ? ["refusal", "refusal"] : ["text", "output_text"];
      const whole = asText(part[field!]) ?? "";
      yield event("response.content_part.added", { ...at, content_index, part: { ...part, [field!]: "" } });
      for (const delta of pieces(whole))
        yield event(`response.${name}.delta`, {
          ...at,
          content_index,
          delta,
          ...(name === "output_text" ? { logprobs: [] } : {}),
        });
      yield event(`response.${name}.done`, {
        ...at,
        content_index,
        [field!]: whole,
        ...(name === "output_text" ? { logprobs: [] } : {}),
      });
      yield event("response.content_part.done", { ...at, content_index, part });
    }
  } else if (type === "reasoning") {
    yield event("response.output_item.added", { output_index, item: { ...item, summary: [] } });
    for (const [summary_index, part] of asRecords(item["summary"]).entries()) {
      const whole = asText(part["text"]) ?? "";
      yield event("response.reasoning_summary_part.added", {
        ...at,
        summary_index,
        part: { ...part, text: "" },
      });
      for (const delta of pieces(whole))
        yield event("response.reasoning_summary_text.delta", { ...at, summary_index, delta });
      yield event("response.reasoning_summary_text.done", { ...at, summary_index, text: whole });
      yield event("response.reasoning_summary_part.done", { ...at, summary_index, part });
    }
  } else yield event("response.output_item.added", { output_index, item });
  yield event("response.output_item.done", { output_index, item });
}
