import type { AnswerSchema, ModelRequest } from "@mci-ts/council";
import type { RequestShape } from "./capabilities.ts";
import type { LanguageModel } from "./sdk.ts";

type Prompt = Parameters<LanguageModel["doGenerate"]>[0]["prompt"];

/** A conversation as the SDK wants it; the schema in words where the endpoint does not get it otherwise. */
export function toPrompt(request: ModelRequest, { structured, system: hasSystemRole }: RequestShape): Prompt {
  const system = request.messages
    .filter((message) => message.role === "system")
    .map((message) => message.content);
  if (request.schema && structured !== "json_schema") system.push(inWords(request.schema));
  const turns = request.messages.filter((message) => message.role !== "system");
  const said = system.join("\n\n");
  if (!hasSystemRole && said !== "") {
    const [first, ...rest] = turns;
    const merged = {
      role: "user" as const,
      content: [said, first?.role === "user" ? first.content : ""].join("\n\n"),
    };
    return [merged, ...(first?.role === "user" ? rest : turns)].map(toTurn);
  }
  const prompt = turns.map(toTurn);
  return said === "" ? prompt : [{ role: "system", content: said }, ...prompt];
}

function toTurn({ role, content }: ModelRequest["messages"][number]): Prompt[number] {
  return { role: role === "assistant" ? role : "user", content: [{ type: "text", text: content }] };
}

function inWords({ jsonSchema }: AnswerSchema): string {
  return (
    "Reply with one JSON object and nothing else: no introduction, no code fence. " +
    `It must be valid against this JSON Schema:\n${JSON.stringify(jsonSchema)}`
  );
}
