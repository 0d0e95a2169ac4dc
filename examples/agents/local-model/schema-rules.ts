import Ajv2020 from "ajv/dist/2020.js";
import { type Json, refuseIf } from "./dialect.ts";

/** Calls back for every schema inside a schema, with the path to it. */
export function eachSchema(schema: Json, visit: (schema: Json, path: string) => void, path = "#"): void {
  visit(schema, path);
  if (typeof schema !== "object" || schema === null) return;
  for (const keyword of [
    "items",
    "additionalProperties",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
  ])
    if (typeof schema[keyword] === "object") eachSchema(schema[keyword], visit, `${path}/${keyword}`);
  for (const keyword of ["allOf", "anyOf", "oneOf", "prefixItems"])
    for (const [index, part] of (schema[keyword] ?? []).entries())
      eachSchema(part, visit, `${path}/${keyword}/${index}`);
  for (const keyword of ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"])
    for (const [name, part] of Object.entries(schema[keyword] ?? {}))
      eachSchema(part, visit, `${path}/${keyword}/${name}`);
}

/**
 * OpenAI, both APIs.
 * - The root: "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level"
 *   (langchain-ai/langchainjs#9804).
 * - Arrays: "array schema missing items" (microsoft/vscode#248810).
 * - No lookaround in patterns, no `propertyNames` (both removed by @ai-sdk/openai before it sends a schema).
 */
export function checkOpenAiSchema(name: string, schema: Json, isStrict: boolean): void {
  const context = `Invalid schema for function '${name}': `;
  refuseIf(typeof schema !== "object" || schema === null, `${context}schema must be an object.`);
  const atRoot = ["oneOf", "anyOf", "allOf", "enum", "not", "const"].some((keyword) => keyword in schema);
  refuseIf(
    schema.type !== "object" || atRoot,
    `${context}schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.`,
  );
  refuseIf(typeof schema.properties !== "object", `${context}object schema missing properties.`);
  eachSchema(schema, (part, path) => {
    refuseIf(
      typeof part !== "object" || part === null,
      `${context}${path}: ${part} is not of type 'object'.`,
    );
    refuseIf(
      [part.type].flat().includes("array") && !("items" in part),
      `${context}${path}: array schema missing items.`,
    );
    refuseIf("nullable" in part, `${context}${path}: 'nullable' is not permitted.`);
    refuseIf("propertyNames" in part, `${context}${path}: 'propertyNames' is not permitted.`);
    refuseIf(/\(\?<?[=!]/.test(part.pattern ?? ""), `${context}${path}: regex lookaround is not supported.`);
    if (isStrict) checkStrict(part, `${context}In context=${path}, `);
  });
}

/**
 * Strict mode: "'additionalProperties' is required to be supplied and to be false" (lastmile-ai/openai-agents-mcp#2),
 * "'required' is required to be supplied and to be an array including every key in properties", "'allOf' is not
 * permitted" (makenotion/notion-mcp-server#102), "$ref cannot have keywords" (camel-ai/camel#3001).
 */
function checkStrict(part: Json, context: string): void {
  if ([part.type].flat().includes("object")) {
    refuseIf(
      part.additionalProperties !== false,
      `${context}'additionalProperties' is required to be supplied and to be false.`,
    );
    const missing = Object.keys(part.properties ?? {}).filter(
      (name) => !(part.required ?? []).includes(name),
    );
    refuseIf(
      missing.length > 0,
      `${context}'required' must include every key in properties. Missing '${missing[0]}'.`,
    );
  }
  for (const keyword of [
    "allOf",
    "not",
    "if",
    "oneOf",
    "patternProperties",
    "default",
    "minLength",
    "uniqueItems",
  ])
    refuseIf(keyword in part, `${context}'${keyword}' is not permitted.`);
  refuseIf("$ref" in part && Object.keys(part).length > 1, `${context}$ref cannot have keywords beside it.`);
  const formats = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];
  refuseIf(
    part.format !== undefined && !formats.includes(part.format),
    `${context}format '${part.format}' is not supported.`,
  );
}

const draft2020 = new Ajv2020.default({ strict: false, logger: false });

/**
 * Anthropic: `type: "object"` is required (the SDK's types say so), "input_schema does not support oneOf, allOf, or
 * anyOf at the top level" (anthropics/claude-code#5973), the rest must be JSON Schema 2020-12
 * (anthropics/claude-code#86665), and top-level property keys match `^[a-zA-Z0-9_.-]{1,64}$` (decocms/studio#6874).
 */
export function checkAnthropicSchema(path: string, schema: Json): void {
  refuseIf(schema?.type !== "object", `${path}.input_schema.type: Field required`);
  const atRoot = ["oneOf", "allOf", "anyOf"].some((keyword) => keyword in schema);
  refuseIf(
    atRoot,
    `${path}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`,
  );
  refuseIf(
    !draft2020.validateSchema(schema) || "nullable" in schema,
    `${path}.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12`,
  );
  for (const key of Object.keys(schema.properties ?? {}))
    refuseIf(
      !/^[a-zA-Z0-9_.-]{1,64}$/.test(key),
      `${path}.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`,
    );
}

/** The words documented for JSON Schema in the types of @google/genai (`responseJsonSchema`). */
const GEMINI_WORDS = new Set([
  ...[
    "$id",
    "$defs",
    "$ref",
    "$anchor",
    "type",
    "format",
    "title",
    "description",
    "enum",
    "items",
    "prefixItems",
  ],
  ...["minItems", "maxItems", "minimum", "maximum", "anyOf", "oneOf", "properties", "additionalProperties"],
  ...["required", "propertyOrdering"],
]);

/**
 * Gemini: unknown words are refused ("Unknown name "const" … Cannot find field", zed-industries/zed#44875), enums hold
 * strings or numbers ("Invalid value … enum[0] (TYPE_STRING)", microsoft/azure-devops-mcp#145), beside `$ref` stands
 * nothing, and nesting has an end (google-gemini/gemini-cli#5923).
 */
export function checkGeminiSchema(path: string, schema: Json): void {
  refuseIf(schema?.type !== "object", `${path}: the schema must describe an object`);
  eachSchema(schema, (part, at) => {
    const place = `Invalid value at '${path}${at.slice(1)}'`;
    refuseIf(typeof part !== "object", `${place}: ${part}`);
    const unknown = Object.keys(part).find((word) => !GEMINI_WORDS.has(word));
    refuseIf(
      unknown !== undefined,
      `Invalid JSON payload received. Unknown name "${unknown}" at '${path}${at.slice(1)}': Cannot find field.`,
    );
    refuseIf(
      (part.enum ?? []).some((value: unknown) => typeof value !== "string" && typeof value !== "number"),
      `${place}.enum (TYPE_STRING)`,
    );
    refuseIf(
      "$ref" in part && Object.keys(part).some((word) => !word.startsWith("$")),
      `${place}: $ref has siblings`,
    );
    refuseIf([part.type].flat().includes("array") && !("items" in part), `${place}.items: missing field.`);
    const required = (part.required ?? []).filter((name: string) => !(name in (part.properties ?? {})));
    refuseIf(required.length > 0, `${place}.required: property is not defined`);
    refuseIf(at.split("/").length > 40, "The schema exceeds the maximum allowed nesting depth.");
  });
}
