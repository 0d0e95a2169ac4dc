import { parseJson } from "@mci-ts/primitives/parse-json";
import { ToolError } from "../errors.ts";
import { selectJson } from "../json/select-json.ts";
import type { Outcome } from "../result.ts";
import type { ResultSettings } from "../schema/result.ts";
import { truncateJson, truncateText } from "./truncate.ts";

/** The part of a successful result that the caller gets: selected, then cut. What is cut stays valid JSON. */
export async function shapeOutcome(outcome: Outcome, settings: ResultSettings): Promise<Outcome> {
  const { select, maxChars, maxItems } = settings;
  if (select === undefined && maxChars === undefined && maxItems === undefined) return outcome;
  const json = jsonOf(outcome);
  if (json === undefined) {
    if (select !== undefined)
      throw new ToolError(
        "result_not_json",
        "result.select needs JSON, and the tool returned something else.",
      );
    return maxChars === undefined ? outcome : truncateTexts(outcome, maxChars);
  }
  const part =
    select === undefined
      ? json.value
      : ((await selectJson(json.value, select, "result.select cannot be applied to the result")) ?? null);
  const isNothing = select !== undefined && part === null;
  const { value, missing } = truncateJson(part, settings);
  const text = JSON.stringify(value);
  const isStructured = typeof value === "object" && value !== null;
  return {
    ...(outcome.notes === undefined ? {} : { notes: outcome.notes }),
    content: [{ type: "text", text }],
    ...(isStructured ? { structuredContent: value } : {}),
    metadata: { ...outcome.metadata, ...(missing === 0 ? {} : { truncated: true }) },
    ...(isNothing ? { notes: [...(outcome.notes ?? []), foundNothing(select)] } : {}),
  };
}

/** JMESPath gives null in both cases. */
const foundNothing = (select: string) =>
  `result.select '${select.slice(0, 200)}' found nothing: nothing in the response matches it, or the value is null.`;

/** The value of a result that is JSON: structured, or one text that is an object or a list. */
function jsonOf({ content, structuredContent }: Outcome): { readonly value: unknown } | undefined {
  if (structuredContent !== undefined) return { value: structuredContent };
  const [item, ...more] = content;
  if (item?.type !== "text" || more.length > 0 || !/^\s*[[{]/.test(item.text)) return undefined;
  const value = parseJson(item.text);
  return value === undefined ? undefined : { value };
}

function truncateTexts(outcome: Outcome, maxChars: number): Outcome {
  let isCut = false;
  const content = outcome.content.map((item) => {
    if (item.type !== "text" || item.text.length <= maxChars) return item;
    isCut = true;
    return { ...item, text: truncateText(item.text, maxChars) };
  });
  return isCut ? { ...outcome, content, metadata: { ...outcome.metadata, truncated: true } } : outcome;
}
