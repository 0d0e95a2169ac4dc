import { Ajv, type ErrorObject } from "ajv";
import formats from "ajv-formats";

const MAX_ERRORS = 20;

/** What is wrong with a document, each with its place; empty if nothing is. */
export function schemaErrors(schema: object, document: unknown): string[] {
  const ajv = new Ajv({ strict: false, allErrors: true });
  // A package for CommonJS: bundlers and Node.js do not agree where its default is.
  (("default" in formats ? formats.default : formats) as (ajv: Ajv, names: string[]) => void)(ajv, [
    "uri",
    "uri-template",
  ]);
  const check = ajv.compile(schema);
  if (check(document)) return [];
  const errors = (check.errors ?? []).filter(({ keyword }) => keyword !== "anyOf" && keyword !== "allOf");
  const lines = new Set(errors.map((error) => `${placeOf(error)} ${messageOf(error)}`));
  return [...lines].slice(0, MAX_ERRORS);
}

function placeOf({ instancePath }: ErrorObject): string {
  return instancePath === "" ? "The document" : `'${instancePath.slice(1).replaceAll("/", ".")}'`;
}

function messageOf({ keyword, message = "is not valid", params }: ErrorObject): string {
  if (keyword === "maxLength") return `is longer than ${params.limit} characters`;
  if (keyword === "enum") return `must be one of: ${(params.allowedValues as string[]).join(", ")}`;
  return message;
}
