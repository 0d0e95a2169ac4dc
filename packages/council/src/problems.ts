import { closestMatch } from "@mci-ts/primitives/closest-match";
import { z } from "zod";
import type { RequestProblem } from "./errors.ts";

/** A value with more problems is something else altogether. */
const MAX_PROBLEMS = 100;

/** What is wrong with a value, in sentences: which field, what it may be, what it is. `root` stands before every path. */
export function problemsOf(
  error: z.ZodError,
  schema: z.ZodType,
  value: unknown,
  root = "",
): readonly RequestProblem[] {
  // With an empty registry, named schemas are inlined where they are used.
  const options = { io: "input", unrepresentable: "any", metadata: z.registry<object>() } as const;
  const allowed = z.toJSONSchema(schema, options) as Part;
  const problems = error.issues.slice(0, MAX_PROBLEMS).flatMap((issue): RequestProblem[] => {
    const path = pathText(issue.path, root);
    const part = issue.path.reduce((part, key) => inside(notNull(part), key), allowed);
    if (issue.code === "unrecognized_keys") {
      const object = notNull(part);
      const fields = object.propertyNames?.enum?.map(String) ?? Object.keys(object.properties ?? {});
      // An unknown key is best shown as the place it stands at.
      return issue.keys.slice(0, MAX_PROBLEMS).map((key) => {
        const at = pathText([...issue.path, key], root);
        const similar = closestMatch(key, fields);
        const suggestion = similar === undefined ? "" : ` (did you mean ${similar}?)`;
        return {
          path: at,
          message: `${at} is not a field${suggestion}; ${path || "the request"} takes ${list(fields, "and")}`,
        };
      });
    }
    const found = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown>)?.[key], value);
    // Our own rules say what they want; what zod itself would say is better said by the whole of what is allowed.
    const rule = issue.message.startsWith("must ") ? issue.message : `must be ${inWords(part)}`;
    const is = found === undefined ? "it is missing" : `it is ${describeValue(found)}`;
    return [{ path, message: `${path || "the request"} ${rule}; ${is}` }];
  });
  // An empty list where text should be is also too short a text: one sentence tells both.
  const seen = new Set<string>();
  return problems.filter(({ message }) => !seen.has(message) && seen.add(message));
}

/** `["config", "k"]` is `config.k`; `["messages", 0]` is `messages[0]`. */
function pathText(path: readonly PropertyKey[], root: string): string {
  return path.reduce<string>(
    (text, key) =>
      typeof key === "number" ? `${text}[${key}]` : text === "" ? String(key) : `${text}.${String(key)}`,
    root,
  );
}

/** The little of JSON Schema that descriptions need. */
interface Part {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Part>>;
  readonly additionalProperties?: Part | boolean;
  readonly propertyNames?: Part;
  readonly items?: Part;
  readonly anyOf?: readonly Part[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** A part that may also be null, as the rest of it. */
function notNull(part: Part): Part {
  const others = part.anyOf?.filter(({ type }) => type !== "null");
  return others?.length === 1 && part.anyOf?.length === 2 ? others[0]! : part;
}

function inside(part: Part, key: PropertyKey): Part {
  const { properties, additionalProperties: any } = part;
  const found = typeof key === "number" ? part.items : properties?.[String(key)];
  if (found) return found;
  if (typeof any === "object" && Object.keys(any).length > 0) return any;
  // Through what may be left out, or be of several kinds.
  return part.anyOf?.map((one) => inside(one, key)).find((one) => Object.keys(one).length > 0) ?? {};
}

function inWords(part: Part): string {
  if (part.anyOf) return list(kinds(part).map(inWords), "or");
  if (part.enum) return `one of ${list(part.enum.map(describeValue), "or")}`;
  if (part.const !== undefined) return describeValue(part.const);
  switch (part.type) {
    case "string":
      return withSize("text", "character", part.minLength, part.maxLength);
    case "array":
      return withSize("a list", "item", part.minItems, part.maxItems);
    case "integer":
      return `a whole number${range(part)}`;
    case "number":
      return `a number${range(part)}`;
    case "boolean":
      return "true or false";
    case "object":
      return "an object";
    case "null":
      return "null";
    default:
      return "of another kind";
  }
}

/** Without those that JSON Schema has no words for. */
function kinds(part: Part): readonly Part[] {
  if (part.anyOf) return part.anyOf.flatMap(kinds);
  return Object.keys(part).length > 0 ? [part] : [];
}

function range({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Part): string {
  const least = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? undefined : minimum;
  const most = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (least !== undefined && most !== undefined) return ` from ${least} to ${most}`;
  const bounds = [
    ...(least === undefined ? [] : [`of at least ${least}`]),
    ...(exclusiveMinimum === undefined ? [] : [`above ${exclusiveMinimum}`]),
    ...(most === undefined ? [] : [`of at most ${most}`]),
    ...(exclusiveMaximum === undefined ? [] : [`below ${exclusiveMaximum}`]),
  ];
  return bounds.length === 0 ? "" : ` ${list(bounds, "and")}`;
}

function withSize(what: string, unit: string, least?: number, most?: number): string {
  const units = (count: number) => `${count} ${unit}${count === 1 ? "" : "s"}`;
  if (least !== undefined && most !== undefined) return `${what} of ${least} to ${units(most)}`;
  if (least !== undefined) return `${what} of at least ${units(least)}`;
  return most === undefined ? what : `${what} of at most ${units(most)}`;
}

/** What was given, no longer than it takes to recognise it. */
function describeValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
  if (typeof value === "object" && value !== null) return "an object";
  // Whose text would be its source.
  if (typeof value === "function") return "a function";
  if (typeof value !== "string") return String(value);
  return JSON.stringify(value.length > MAX_SHOWN_CHARS ? `${value.slice(0, MAX_SHOWN_CHARS)}…` : value);
}

const MAX_SHOWN_CHARS = 40;

function list(all: readonly string[], word: "and" | "or"): string {
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} ${word} ${all.at(-1)}`;
}

/**
 * For the arguments of exported functions. Throws a `TypeError` that names every problem: a mistake in a program should show where
 * it is made, not as a property of undefined somewhere inside. The value stays as it is, so that it may be of a class.
 */
export function checkArgument(name: string, value: unknown, schema: z.ZodType): void {
  const { error } = schema.safeParse(value);
  if (!error) return;
  throw new TypeError(
    problemsOf(error, schema, value, name)
      .map(({ message }) => message)
      .join("\n"),
  );
}
