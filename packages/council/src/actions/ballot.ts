import { parseExact, stringifyExact, writeInteger } from "@mci-ts/primitives/exact-json";
import { isObject } from "@mci-ts/primitives/is-object";
import { propertyLookup, withBranches } from "../answer-schema/branches.ts";
import type { JsonSchema } from "../answer-schema/inline.ts";
import { setsSpelling } from "../answer-schema/vote-key.ts";
import { canonicalCode, looksLikeCode } from "../canonical/code.ts";
import { canonicalJson, stableJson } from "../canonical/json.ts";
import { type ActConfig, matchesAny } from "./act-config.ts";
import { canonicalCommand } from "./command.ts";
import type { CompiledTool, ReadCall } from "./tools.ts";

/** An action as it is counted. */
export interface Ballot {
  /** Equal for actions that are one vote. */
  readonly key: string;
  /** The same without free text: equal for actions that differ in nothing but words. */
  readonly skeleton: string;
  /** The free texts of its arguments, as they were written, in an order that equal skeletons share. */
  readonly texts: readonly string[];
  /** How it is shown. */
  readonly label: string;
}

type TextRules = Pick<ActConfig, "exact" | "free">;

/** Calls side by side are compared as a set: their order makes no difference. */
export function ballotOf(calls: readonly ReadCall[], rules: TextRules): Ballot {
  const read = calls
    .map((call) => callBallot(call, rules))
    .toSorted((a, b) => compare(a.skeleton, b.skeleton) || compare(a.key, b.key));
  const key = JSON.stringify(read.map((call) => call.key).toSorted());
  const label = read.map((call) => call.label).join(" + ");
  return {
    key,
    get skeleton() {
      return JSON.stringify(read.map(({ skeleton }) => skeleton));
    },
    texts: read.flatMap(({ texts }) => texts),
    label: label.length > MAX_LABEL_CHARS ? `${label.slice(0, MAX_LABEL_CHARS)}… #${digest(key)}` : label,
  };
}

const MAX_LABEL_CHARS = 500;

function callBallot({ tool, value, text }: ReadCall, rules: TextRules): Ballot {
  // Numbers beyond what a JavaScript number holds stay the numbers that were written.
  const exact = tool.isText || text.trim() === "" ? value : parseExact(text);
  const texts: string[] = [];
  const { schema } = tool.check();
  const schemas = schema ? [schema] : [];
  const scope = { tool, rules, matches: { left: MAX_MATCHES }, onText: (one: string) => texts.push(one) };
  const canonical = [tool.name, canonicalArgument(exact, schemas, undefined, scope)];
  return {
    key: stringifyExact(canonical),
    // Needed only where calls are compared with each other, or votes are undecided.
    get skeleton() {
      return JSON.stringify(canonical, writeSkeleton);
    },
    texts,
    label: `${tool.name}(${tool.isText ? JSON.stringify(text) : text.trim()})`,
  };
}

interface Scope {
  readonly tool: CompiledTool;
  readonly rules: TextRules;
  /** How many patterns may still be compared with names of this call's arguments. */
  readonly matches: { left: number };
  readonly onText: (text: string) => void;
}

const MAX_MATCHES = 20_000;

/** Names of properties, the innermost first. undefined: the root. */
type Path = { readonly name: string; readonly outer: Path } | undefined;

/** A text that two actions may write differently. */
class FreeText {
  readonly #words: readonly string[];

  constructor(words: readonly string[]) {
    this.#words = words;
  }

  toJSON(): readonly string[] {
    return this.#words;
  }
}

/** The key without the words of free texts. */
function writeSkeleton(this: Record<string, unknown>, name: string, value: unknown): unknown {
  return this[name] instanceof FreeText ? [] : writeInteger(name, value);
}

/**
 * With sorted keys, and without what says no more than its absence. Lists begin with their kind, so that no value looks like one of
 * another kind. `schemas`: all that apply to the value.
 */
function canonicalArgument(
  value: unknown,
  schemas: readonly JsonSchema[],
  path: Path,
  scope: Scope,
): unknown {
  const applying = schemas.length === 0 ? schemas : schemas.flatMap(withBranches);
  if (typeof value === "string") return canonicalString(value, applying, path, scope);
  if (Array.isArray(value)) {
    const items = applying.flatMap(({ items }) => (isObject(items) ? [items] : []));
    return ["[", ...value.map((item) => canonicalArgument(item, items, path, scope))];
  }
  // A number that is too large for JSON would be written as null.
  if (!isObject(value)) return value === Infinity || value === -Infinity ? ["=", `${value}`] : value;
  const names = Object.keys(value).toSorted();
  const schemasOf = propertyLookup(applying, names);
  const entries: unknown[] = ["{"];
  for (const name of names) {
    const inner = schemasOf(name);
    if (!isAsGoodAsAbsent(value[name], inner))
      entries.push([name, canonicalArgument(value[name], inner, { name, outer: path }, scope)]);
  }
  return entries;
}

/** The default of an argument, or null where null is allowed and there is no default, says what leaving it out says. */
function isAsGoodAsAbsent(value: unknown, schemas: readonly JsonSchema[]): boolean {
  if (schemas.length === 0) return false;
  const defaults = schemas.filter((schema) => Object.hasOwn(schema, "default"));
  if (defaults.length > 0)
    return (
      defaults.length === schemas.length &&
      defaults.every(
        (schema) => typeof value !== "bigint" && stableJson(schema["default"]) === stableJson(value),
      )
    );
  return value === null && schemas.flatMap(withBranches).some(allowsNull);
}

const allowsNull = ({ type, nullable, const: only, enum: allowed }: JsonSchema) =>
  [type].flat().includes("null") ||
  nullable === true ||
  only === null ||
  (Array.isArray(allowed) && allowed.includes(null));

function canonicalString(text: string, schemas: readonly JsonSchema[], path: Path, scope: Scope): unknown {
  const { tool, rules, matches, onText } = scope;
  const name = path?.name ?? "";
  matches.left -= 2 * ((rules.free?.length ?? 0) + (rules.exact?.length ?? 0));
  // The last ones of very many texts count as equal only if they are the same.
  if (matches.left < 0) return ["=", text];
  const isNamed = (patterns: readonly string[] | undefined) =>
    patterns !== undefined &&
    (matchesAny(patterns, `${tool.name}.${namesOf(path).join(".")}`) || matchesAny(patterns, name));
  const isFree = isNamed(rules.free);
  if (!isFree && (isNamed(rules.exact) || schemas.some(setsSpelling))) return ["=", text];
  onText(text);
  return new FreeText(isFree ? [] : ["~", canonicalFreeText(text, name)]);
}

/** From the root. */
function namesOf(path: Path): string[] {
  const names: string[] = [];
  for (let each = path; each !== undefined; each = each.outer) names.push(each.name);
  return names.reverse();
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Tells two long labels apart that begin alike (FNV-1a). */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
}

/**
 * The form in which two spellings of one text are equal. `name`: of the argument that holds it. Only what surely means the same is
 * merged: a wrong merge elects a wrong action, a wrong split costs a call.
 */
function canonicalFreeText(text: string, name: string): string {
  const trimmed = text.replaceAll("\r\n", "\n").trim();
  if (trimmed.length > MAX_CHARS) return `text:${trimmed}`;
  const json = canonicalJson(trimmed);
  if (json !== undefined) return `json:${json}`;
  const command = COMMAND.test(name) ? canonicalCommand(trimmed) : undefined;
  if (command !== undefined) return `command:${command}`;
  if (trimmed.includes("\n") || CODE.test(name))
    return looksLikeCode(trimmed) ? `code:${canonicalCode(trimmed)}` : `lines:${tidyLines(trimmed)}`;
  return `text:${trimmed.replace(/\s+/g, " ")}`;
}

/** A longer text is compared as it was written. */
const MAX_CHARS = 20_000;

const COMMAND = /^(cmd|command|commands|command_?line|shell|bash|exec|run)$/i;
const CODE = /^(code|source|script|snippet|program)$/i;

/** Without white space at the ends of lines, and without empty lines at the end. */
const tidyLines = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
