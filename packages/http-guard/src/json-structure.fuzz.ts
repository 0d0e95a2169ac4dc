import * as fc from "fast-check";
import { GuardError } from "./error.ts";
import { JsonStructure } from "./json-structure.ts";

/** Small ones, so that most values come near them. */
const limits = fc.record({ maxDepth: fc.nat(6), maxValues: fc.integer({ min: 1, max: 30 }) });
const text = fc.string({
  unit: fc.constantFrom("a", '"', "\\", ",", "[", "]", "{", "}", "é", "\n"),
  maxLength: 6,
});
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "medium" },
    text,
    fc.constantFrom<unknown>(null, true, -1.5e3, {}, []),
    fc.array(tie("value"), { maxLength: 8 }),
    fc.dictionary(text, tie("value"), { maxKeys: 5 }),
  ),
}));
const cuts = fc.array(fc.nat(40), { maxLength: 5 });

export default [
  {
    name: "bodies: values and levels of any JSON are counted, however its bytes are cut into chunks",
    property: fc.property(
      value,
      limits,
      cuts,
      fc.constantFrom(undefined, 1),
      (json, bounds, lengths, indent) => {
        const { depth, values, counted } = measure(json);
        const isRefused = refuses(chunks(Buffer.from(JSON.stringify(json, null, indent)), lengths), bounds);
        // An empty list or object may count as one value more.
        if (depth > bounds.maxDepth || values > bounds.maxValues) return isRefused;
        return isRefused === counted > bounds.maxValues;
      },
    ),
  },
  {
    name: "bodies: any bytes are counted without another error",
    property: fc.property(fc.uint8Array({ maxLength: 200 }), limits, cuts, (bytes, bounds, lengths) => {
      refuses(chunks(bytes, lengths), bounds);
    }),
  },
];

function refuses(parts: Iterable<Uint8Array>, bounds: { maxDepth: number; maxValues: number }): boolean {
  const structure = new JsonStructure(bounds);
  try {
    for (const part of parts) structure.add(part);
    return false;
  } catch (error) {
    if (error instanceof GuardError) return true;
    throw error;
  }
}

function* chunks(bytes: Uint8Array, lengths: readonly number[]): Generator<Uint8Array> {
  let start = 0;
  for (const length of lengths) {
    yield bytes.subarray(start, start + length);
    start += length;
  }
  yield bytes.subarray(start);
}

function measure(value: unknown): { depth: number; values: number; counted: number } {
  if (typeof value !== "object" || value === null) return { depth: 0, values: 1, counted: 1 };
  const parts = Object.values(value).map(measure);
  const sum = (key: "values" | "counted") => parts.reduce((total, part) => total + part[key], 0);
  return {
    depth: 1 + Math.max(0, ...parts.map(({ depth }) => depth)),
    values: 1 + sum("values"),
    counted: 1 + Math.max(1, sum("counted")),
  };
}
