import type { Body, StreamedEvent } from "../protocol.ts";
import { asNumber, asText, isRecord, parseInput } from "../shared/values.ts";
import type { Block } from "./block.ts";

export function readStream(events: readonly StreamedEvent[]): Body | undefined {
  let message: Record<string, unknown> | undefined;
  const blocks: Block[] = [];
  const inputs = new Map<number, string>();
  for (const { data } of events) {
    const one = parseInput(data);
    if (!isRecord(one)) continue;
    const index = asNumber(one["index"]) ?? 0;
    const delta = isRecord(one["delta"]) ? one["delta"] : {};
    if (one["type"] === "message_start" && isRecord(one["message"])) message = one["message"];
    if (one["type"] === "content_block_start" && isRecord(one["content_block"]))
      blocks[index] = { ...one["content_block"] };
    const block = blocks[index];
    if (one["type"] === "content_block_delta" && block) {
      if (typeof delta["partial_json"] === "string")
        inputs.set(index, (inputs.get(index) ?? "") + delta["partial_json"]);
      else
        for (const name of ["text", "thinking", "signature"])
          if (typeof delta[name] === "string") block[name] = (asText(block[name]) ?? "") + delta[name];
    }
    if (one["type"] === "message_delta" && message)
      message = {
        ...message,
        ...delta,
        usage: { ...(message["usage"] as object), ...(isRecord(one["usage"]) ? one["usage"] : {}) },
      };
  }
  if (message?.["stop_reason"] == null) return undefined;
  return {
    ...message,
    content: blocks.map((block, i) =>
      inputs.has(i) ? { ...block, input: parseInput(inputs.get(i)) } : block,
    ),
  };
}
