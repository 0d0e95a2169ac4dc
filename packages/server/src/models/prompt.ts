import type { AnswerSchema, ModelRequest } from "@mci-ts/council";
import type { JSONSchema7, ModelMessage, OutputInterface } from "ai";

/** Instructions apart from the conversation, as the SDK wants them; a schema in words where the endpoint takes no other. */
export function splitMessages(
  request: ModelRequest,
  structured: "schema" | "text",
): { instructions?: string; messages: ModelMessage[] } {
  const system = request.messages
    .filter((message) => message.role === "system")
    .map((message) => message.content);
  if (request.schema && structured === "text") system.push(inWords(request.schema));
  const messages: ModelMessage[] = request.messages.flatMap((message) =>
    message.role === "system" ? [] : [{ role: message.role, content: message.content }],
  );
  return { ...(system.length > 0 ? { instructions: system.join("\n\n") } : {}), messages };
}

/**
 * Asks for JSON of a schema and hands back what was written, unparsed: whether it is well-formed is for the engine to judge,
 * and the SDK's own parser would throw the text away.
 */
export function jsonOutput({ name, jsonSchema }: AnswerSchema): OutputInterface<string, string, never> {
  return {
    name,
    responseFormat: Promise.resolve({ type: "json", name, schema: jsonSchema as JSONSchema7 }),
    parseCompleteOutput: async ({ text }) => text,
    parsePartialOutput: async ({ text }) => ({ partial: text }),
    createElementStreamTransform: () => undefined,
  };
}

function inWords({ jsonSchema }: AnswerSchema): string {
  return (
    "Reply with one JSON object and nothing else: no introduction, no code fence. " +
    `It must be valid against this JSON Schema:\n${JSON.stringify(jsonSchema)}`
  );
}
