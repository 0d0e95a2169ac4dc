import { asObject, type Dialect, type Json, newId, refuseIf, type ToolResult, type Turn } from "./dialect.ts";
import { checkGeminiSchema } from "./schema-rules.ts";

/** Gemini's generateContent. */
export const gemini: Dialect = {
  read(body, { path }) {
    const declarations = (body.tools ?? []).flatMap((tool: Json) => tool.functionDeclarations ?? []);
    checkDeclarations(declarations);
    return {
      tools: declarations.map(({ name }: Json) => name),
      results: resultsOf(body.contents),
      stream: path.includes(":streamGenerateContent"),
    };
  },
  respond: (turn) => response(turn),
  stream: (turn) => [{ data: response(turn) }],
  refuse: (message) => ({ error: { code: 400, message, status: "INVALID_ARGUMENT" } }),
};

/**
 * "Must start with a letter or an underscore. Must be a-z, A-Z, 0-9, or contain underscores, dots, colons and dashes,
 * with a maximum length of 128" (genai.d.ts, `FunctionDeclaration.name`); servers said 64 (AstrBotDevs/AstrBot#5416).
 * At most 512 declarations (genai.d.ts, `Tool.functionDeclarations`).
 */
function checkDeclarations(declarations: readonly Json[]): void {
  refuseIf(declarations.length > 512, "At most 512 function declarations can be provided.");
  for (const [index, declaration] of declarations.entries()) {
    const { name, parametersJsonSchema, parameters } = declaration;
    const place = `tools[0].function_declarations[${index}]`;
    refuseIf(!/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(name ?? ""), `Invalid function name at ${place}.`);
    // The OpenAPI form of the schema is written in capitals by SDKs; one or the other is there.
    if (parametersJsonSchema !== undefined)
      checkGeminiSchema(`${place}.parameters_json_schema`, parametersJsonSchema);
    else
      refuseIf(
        parameters !== undefined && parameters.type === undefined,
        `${place}.parameters: missing type`,
      );
  }
  refuseIf(
    new Set(declarations.map(({ name }) => name)).size < declarations.length,
    "Duplicate function declaration found.",
  );
}

/**
 * "Please ensure that the number of function response parts is equal to the number of function call parts of the
 * function call turn" (the API's own message). `response` is an object with `output` or `error`
 * (genai.d.ts, `FunctionResponse.response`); calls with an id want it back.
 */
function resultsOf(contents: readonly Json[]): ToolResult[] {
  for (const [index, { parts }] of contents.entries()) {
    const calls = parts.flatMap((part: Json) => part.functionCall ?? []);
    const responses = (contents[index + 1]?.parts ?? []).flatMap((part: Json) => part.functionResponse ?? []);
    refuseIf(
      calls.length > 0 && calls.length !== responses.length,
      "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
    );
    for (const [at, call] of calls.entries())
      refuseIf(
        responses[at].id !== undefined && responses[at].id !== call.id,
        "The id of a function response does not match its call.",
      );
  }
  const responses = contents
    .flatMap(({ parts }) => parts)
    .flatMap((part: Json) => part.functionResponse ?? []);
  return responses.map(({ response, parts = [] }: Json) => {
    refuseIf(
      typeof response !== "object" || Array.isArray(response),
      "function_response.response: must be an object",
    );
    const { error, output, result, content } = response;
    const said = error ?? output ?? result ?? content ?? response;
    return {
      text: typeof said === "string" ? said : JSON.stringify(said),
      isError: error !== undefined,
      media: parts.map((part: Json) => part.inlineData.mimeType),
    };
  });
}

function response(turn: Turn): Json {
  const parts =
    "text" in turn
      ? [{ text: turn.text }]
      : turn.calls.map(({ name, input }) => ({
          functionCall: { id: newId("call"), name, args: asObject(input) },
        }));
  return {
    candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: "local",
    responseId: newId("resp"),
  };
}
