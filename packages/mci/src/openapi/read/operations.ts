import { isObject } from "@mci-ts/primitives/is-object";
import { field, type JsonObject, listField, objectField, textField } from "../json.ts";
import type { LeftOut } from "../left-out.ts";
import { METHODS } from "./methods.ts";
import type { References } from "./references.ts";

/** One method of one path, with what its path item says about all of them. */
export interface Operation {
  /** Upper case. */
  readonly method: string;
  readonly path: string;
  readonly operationId: string | undefined;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  /** The Operation Object itself. */
  readonly value: JsonObject;
  /** Its own parameters, then those of the path it does not replace. */
  readonly parameters: readonly JsonObject[];
  /** Its own servers, else those of the path, else those of the document. */
  readonly servers: readonly unknown[];
}

/** All operations in the order of the document. Callbacks and webhooks are calls of the API, not to it. */
export function readOperations(
  document: JsonObject,
  references: References,
  warn: (message: string) => void,
  leftOut: LeftOut,
): Operation[] {
  const operations: Operation[] = [];
  for (const [path, value] of Object.entries(objectField(document, "paths"))) {
    if (path.startsWith("x-")) continue;
    const item = references.resolve(value);
    if (item === undefined) {
      warn(`${path}: the path item is not an object, or its reference does not resolve.`);
      continue;
    }
    for (const [key, other] of Object.entries(item))
      if (isObject(other) && !FIELDS.has(key) && !key.startsWith("x-"))
        leftOut.add("fields", `${key} of ${path}`);
    for (const [method, operation] of methodsOf(item)) {
      operations.push(readOperation(method, path, operation, item, document, references, warn));
    }
  }
  return operations;
}

const FIELDS: ReadonlySet<string> = new Set([...METHODS, "additionalOperations", "parameters", "servers"]);

/** A header's name is a token; any other text is possible elsewhere. */
function isNamed({ name, in: place }: JsonObject): boolean {
  if (typeof name !== "string" || name.trim() === "") return false;
  return (place !== "header" && place !== "cookie") || /^[\w!#$%&'*+.^`|~-]+$/.test(name);
}

function methodsOf(item: JsonObject): [string, JsonObject][] {
  const found: [string, JsonObject][] = [];
  for (const method of METHODS) {
    const operation = field(item, method);
    if (isObject(operation)) found.push([method.toUpperCase(), operation]);
  }
  // OpenAPI 3.2: methods of any name.
  for (const [method, operation] of Object.entries(objectField(item, "additionalOperations")))
    if (isObject(operation)) found.push([method.toUpperCase(), operation]);
  return found;
}

function readOperation(
  method: string,
  path: string,
  value: JsonObject,
  item: JsonObject,
  document: JsonObject,
  references: References,
  warn: (message: string) => void,
): Operation {
  const merged = new Map<string, JsonObject>();
  for (const raw of [...listField(item, "parameters"), ...listField(value, "parameters")]) {
    const parameter = references.resolve(raw);
    if (parameter === undefined || !isNamed(parameter)) {
      warn(
        `${method} ${path}: a parameter has no usable name, or its reference does not resolve; it is left out.`,
      );
      continue;
    }
    merged.set(`${parameter.in} ${parameter.name}`, parameter);
  }
  const servers = [value, item, document].map((level) => listField(level, "servers"));
  return {
    method,
    path,
    operationId: textField(value, "operationId"),
    tags: listField(value, "tags").filter((tag) => typeof tag === "string"),
    deprecated: field(value, "deprecated") === true,
    value,
    parameters: [...merged.values()],
    servers: servers.find((list) => list.length > 0) ?? [],
  };
}
