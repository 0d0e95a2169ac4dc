import type { AnswerSchema, ModelRequest } from "@mci-ts/council";
import type { LanguageModel } from "./sdk.ts";

type Prompt = Parameters<LanguageModel["doGenerate"]>[0]["prompt"];

/** A conversation as the SDK wants it; a schema in words where the endpoint takes no other. */
export function toPrompt(request: ModelRequest, schemaInWords: boolean): Prompt {
  const system = request.messages
    .filter((message) => message.role === "system")
    .map((message) => message.content);
  if (request.schema && schemaInWords) system.push(inWords(request.schema));
  const turns: Prompt = request.messages.flatMap(({ role, content }) =>
    role === "system" ? [] : [{ role, content: [{ type: "text", text: content }] }],
  );
  return system.length > 0 ? [{ role: "system", content: system.join("\n\n") }, ...turns] : turns;
}

function inWords({ jsonSchema }: AnswerSchema): string {
  return (
    "Reply with one JSON object and nothing else: no introduction, no code fence. " +
    `It must be valid against this JSON Schema:\n${JSON.stringify(jsonSchema)}`
  );
}
