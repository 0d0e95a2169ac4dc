import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { Cases } from "../../../../../test/cases.ts";
import type { LoadedTool } from "../loaded.ts";
import { canonicalJson } from "./canonical-json.ts";
import { lockTools } from "./lock.ts";

/** As a parser gives it: no -0, no objects without a prototype. */
const parsed = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const json = fc.jsonValue({ maxDepth: 4 }).map(parsed);
const record = fc.dictionary(fc.string({ maxLength: 4 }), json, { maxKeys: 3 });
/** Mostly what is usual; deep now and then. */
const depth = fc.oneof({ weight: 30, arbitrary: fc.nat(6) }, { weight: 1, arbitrary: fc.nat(3000) });
const tool = fc.record({
  tool: fc.record({ name: fc.constant("t"), inputSchema: record, annotations: record, execution: record }),
  settings: record,
  input: fc.record({ schema: record, fixed: record, hidden: fc.constant(new Set<string>()) }),
});

function digest(tool: object): string {
  return lockTools([tool as LoadedTool], {}).tools["t"]!.digest;
}

/** Every place in a value, as the steps that lead to it. */
function* places(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  yield path;
  if (typeof value !== "object" || value === null) return;
  for (const [key, item] of Object.entries(value)) yield* places(item, [...path, key]);
}

function replace(value: unknown, [step, ...rest]: readonly string[], by: unknown): unknown {
  if (step === undefined) return by;
  const entries = Object.entries(value as object).map(([key, item]) => [
    key,
    key === step ? replace(item, rest, by) : item,
  ]);
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

/** The same data with the keys of every object in reverse. */
function reversed(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  const entries = Object.entries(value).map(([key, item]) => [key, reversed(item)] as const);
  return Object.fromEntries(entries.reverse());
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((place, step) => (place as Record<string, unknown>)[step], value);
}

const changes = new Cases();

export default [
  {
    cases: changes,
    name: "lock: a tool in which any value is another one, at any depth, has another digest",
    property: fc.property(tool, fc.array(json, { minLength: 1, maxLength: 4 }), (loaded, values) => {
      const { hidden, ...input } = loaded.input;
      const plain = { ...loaded, input };
      const withHidden = (tool: typeof plain) => ({ ...tool, input: { ...tool.input, hidden } });
      const before = digest(withHidden(plain));
      // Every place of the tool has another value in turn.
      const inside = [...places(plain)].filter((path) => path.length > 2).slice(0, 60);
      const other = inside.map((path, index) => ({ path, by: values[index % values.length] }));
      for (const { path, by } of changes.of(
        other.filter(({ path, by }) => !isDeepStrictEqual(valueAt(plain, path), by)),
      )) {
        const changed = replace(plain, path, by) as typeof plain;
        if (digest(withHidden(changed)) === before) throw new Error(`${path.join("/")} does not count`);
      }
    }),
  },
  {
    name: "lock: the canonical text of a value is that of no other value, whatever the order of its keys",
    property: fc.property(json, json, depth, (a, b, depth) => {
      const nest = (value: unknown) => {
        let nested = value;
        for (let level = 0; level < depth; level++) nested = level % 2 === 0 ? [nested] : { k: nested };
        return nested;
      };
      const isSame = isDeepStrictEqual(a, b);
      return (
        canonicalJson(reversed(a)) === canonicalJson(a) &&
        isSame === (canonicalJson(nest(a)) === canonicalJson(nest(b)))
      );
    }),
  },
];
