import { parseJson } from "@mci-ts/primitives/parse-json";
import { z } from "zod";

/** The part of a chat completions request that the test provider looks at; anything else is let through. */
export const ChatRequest = z.looseObject({
  model: z.string(),
  // What an assistant says beside its calls may be absent.
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown().optional() })).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  temperature: z.number().nullish(),
  max_tokens: z.number().nullish(),
  tools: z.array(z.unknown()).nullish(),
  response_format: z
    .looseObject({ type: z.string(), json_schema: z.looseObject({ schema: z.unknown() }).nullish() })
    .nullish(),
});
export type ChatRequest = z.output<typeof ChatRequest>;

/** All the text of a request's messages. */
export function textOf(request: ChatRequest): string {
  return request.messages.map((message) => contentText(message.content)).join("\n");
}

/** The schema an answer must fit: from `response_format`, or written out in the messages after "JSON Schema". */
export function schemaOf(request: ChatRequest): JsonSchema | undefined {
  const declared = request.response_format?.json_schema?.schema;
  if (isSchema(declared)) return declared;
  const text = textOf(request);
  const mention = text.lastIndexOf("JSON Schema");
  const start = mention < 0 ? -1 : text.indexOf("{", mention);
  if (start < 0) return undefined;
  for (let end = text.lastIndexOf("}"); end > start; end = text.lastIndexOf("}", end - 1)) {
    const parsed = parseJson(text.slice(start, end + 1));
    if (isSchema(parsed)) return parsed;
  }
  return undefined;
}

export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly minItems?: number;
  readonly minimum?: number;
}

function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return (
    content
      // Results of tools have a form of their own in each dialect.
      .map((part: { text?: unknown }) => (typeof part?.text === "string" ? part.text : JSON.stringify(part)))
      .join("\n")
  );
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && ("type" in value || "properties" in value);
}
