import { isObject } from "@mci-ts/primitives/is-object";
import { field, type JsonObject } from "../json.ts";
import { References } from "./references.ts";

/** The paths of a document without references, except in schemas. */
export interface Structure {
  readonly paths: JsonObject;
  /** References that lead nowhere, by `GET /path`; those of a path as a whole by `/path`. */
  readonly unresolved: ReadonlyMap<string, readonly string[]>;
}

/** Deeper, a document is no longer looked through. */
const MAX_DEPTH = 60;
/** Schemas keep their references, which say what is shared and where a circle is; the others are not part of a request. */
const LEFT_ALONE = /^(?:schema|schemas|example|examples|callbacks|links|x-.*)$/;
const METHOD = /^(?:get|put|post|delete|options|head|patch|trace|query)$/i;

/**
 * Follows references wherever they stand: at a path, a method, a list of parameters, a media type, a description. The
 * specification allows them in few of these places; documents that are split over many files have them in all.
 */
export function resolveStructure(document: JsonObject): Structure {
  const references = new References(document);
  /** Each object of the document is visited once: one that repeats others at every level must not take exponential time. */
  const visited = new Map<object, { readonly value: unknown; readonly lost: ReadonlySet<string> }>();
  const open = new Set<object>();
  let lost = new Set<string>();

  const visit = (value: unknown, depth: number): unknown => {
    if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
    const cached = visited.get(value);
    if (cached !== undefined) {
      for (const reference of cached.lost) lost.add(reference);
      return cached.value;
    }
    if (open.has(value)) return {}; // A circle outside of schemas says nothing about a request.
    const outer = lost;
    lost = new Set();
    open.add(value);
    const resolved = visitFields(value, depth);
    open.delete(value);
    visited.set(value, { value: resolved, lost });
    for (const reference of lost) outer.add(reference);
    lost = outer;
    return resolved;
  };
  const visitFields = (value: object, depth: number): unknown => {
    if (Array.isArray(value)) return value.map((item) => visit(item, depth + 1));
    const reference = field(value, "$ref");
    if (typeof reference !== "string") return mapFields(value, (item) => visit(item, depth + 1));
    const { $ref, ...beside } = value as JsonObject;
    const target = references.find(reference);
    if (target === undefined) {
      lost.add(reference);
      return value;
    }
    const isMerged = Object.keys(beside).length > 0 && isObject(target.value);
    return visit(isMerged ? { ...(target.value as JsonObject), ...beside } : target.value, depth + 1);
  };
  /** Visits and tells what was lost there. */
  const collect = (value: unknown): { readonly value: unknown; readonly lost: readonly string[] } => {
    lost = new Set();
    return { value: visit(value, 0), lost: [...lost] };
  };

  const unresolved = new Map<string, readonly string[]>();
  const visitItem = (path: string, item: unknown): unknown => {
    // References at the path itself first: the methods are found behind them.
    const resolved = references.resolve(item) ?? item;
    const other: string[] = [];
    const fields = Object.entries(isObject(resolved) ? resolved : {}).map(([key, field]) => {
      const { value, lost } = LEFT_ALONE.test(key) ? { value: field, lost: [] } : collect(field);
      if (METHOD.test(key)) unresolved.set(`${key.toUpperCase()} ${path}`, lost);
      else other.push(...lost);
      return [key, value];
    });
    unresolved.set(path, other);
    return isObject(resolved) ? Object.fromEntries(fields) : resolved;
  };
  const declared = field(document, "paths");
  const all = references.resolve(declared) ?? {};
  const paths = Object.entries(all).map(([path, item]) => [path, visitItem(path, item)]);
  return { paths: Object.fromEntries(paths), unresolved };
}

function mapFields(value: object, map: (item: unknown) => unknown): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, LEFT_ALONE.test(key) ? item : map(item)]),
  );
}
