import type { Body } from "../protocol.ts";
import { asRecords, asText, isRecord } from "./values.ts";

/** The beginning of a conversation as a text; of long texts in it only their beginning. */
export const openingOf = (value: unknown) =>
  JSON.stringify(value, (_, one) => (typeof one === "string" ? one.slice(0, MAX_OPENING_CHARS) : one)) ?? "";

const MAX_OPENING_CHARS = 2000;

/** The text of a content that may be a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return asRecords(content)
    .flatMap(({ text }) => asText(text) ?? [])
    .join("\n");
}

/** What names the conversation of a client of OpenAI's. */
export const sessionKeyOf = ({ prompt_cache_key: key, metadata }: Body) =>
  asText(key) ?? (isRecord(metadata) ? asText(metadata["session_id"]) : undefined);
