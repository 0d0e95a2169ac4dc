import type { AnswerSchema, Message, ModelRequest } from "@mci-ts/council";
import type { RequestShape } from "./capabilities.ts";
import type { LanguageModel } from "./language-model.ts";

type Prompt = Parameters<LanguageModel["doGenerate"]>[0]["prompt"];

/** A conversation as the SDK wants it; the schema is part of it where the endpoint does not get it otherwise. */
export function toPrompt(request: ModelRequest, { structured, system: hasSystemRole }: RequestShape): Prompt {
  const system = request.messages
    .filter((message) => message.role === "system")
    .map((message) => message.content);
  if (request.schema && structured !== "json_schema") system.push(inWords(request.schema));
  const turns = request.messages.filter((message) => message.role !== "system");
  const instructions = system.join("\n\n");
  if (!hasSystemRole && instructions !== "") {
    const [first, ...rest] = turns;
    const merged = {
      role: "user" as const,
      content: [instructions, first?.role === "user" ? first.content : ""].join("\n\n"),
    };
    return [merged, ...(first?.role === "user" ? rest : turns)].map(toTurn);
  }
  const prompt = turns.map(toTurn);
  return instructions === "" ? prompt : [{ role: "system", content: instructions }, ...prompt];
}

function toTurn(message: Message): Prompt[number] {
  const { role, content } = message;
  if (role === "tool") {
    const { toolCallId, toolName } = message;
    const output = { type: "text" as const, value: content };
    return { role, content: [{ type: "tool-result", toolCallId, toolName, output }] };
  }
  const text = { type: "text" as const, text: content };
  if (role !== "assistant") return { role: "user", content: [text] };
  const calls = (message.toolCalls ?? []).map(({ id, name, input, metadata }) => ({
    type: "tool-call" as const,
    toolCallId: id,
    toolName: name,
    input,
    // Such as the signature that a reasoning model checks its own calls by.
    ...(metadata === undefined ? {} : { providerOptions: metadata as never }),
  }));
  return { role, content: [...(content === "" && calls.length > 0 ? [] : [text]), ...calls] };
}

function inWords({ jsonSchema }: AnswerSchema): string {
  return (
    "Reply with one JSON object and nothing else: no introduction, no code fence. " +
    `It must be valid against this JSON Schema:\n${JSON.stringify(jsonSchema)}`
  );
}
