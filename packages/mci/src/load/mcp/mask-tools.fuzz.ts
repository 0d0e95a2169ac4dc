import fc from "fast-check";
import type { Tool } from "../../schema/tool.ts";
import { Secrets } from "../../secrets.ts";
import { maskListed } from "./mask-tools.ts";

/** Secrets as services make them, with a part that does not occur by coincidence. */
const secret = fc
  .tuple(fc.string({ minLength: 4, maxLength: 12 }), fc.integer({ min: 1000, max: 9999 }))
  .map(([text, number]) => `k§${text}${number}`);
const text = fc.string({ maxLength: 8 });
const keyword = fc.constantFrom(
  ...["description", "title", "default", "examples", "enum", "const", "pattern", "x-note", "properties"],
  ...["$ref", "required", "items", "allOf", "type", "name"],
);

/** A tool as a server describes it, in which SECRET stands anywhere. */
const { part } = fc.letrec<{ part: unknown }>((tie) => ({
  part: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    text,
    fc.constantFrom<unknown>("SECRET", "a SECRET b", 5, true, null),
    fc.dictionary(fc.oneof(keyword, fc.constant("x SECRET")), tie("part"), { maxKeys: 4 }),
    fc.array(tie("part"), { maxLength: 3 }),
  ),
}));
const tool = fc.record({
  name: fc.constantFrom("read", "read_SECRET"),
  description: fc.oneof(text, fc.constant("Reads SECRET")),
  inputSchema: fc.dictionary(keyword, part, { maxKeys: 4 }),
});

export default [
  {
    name: "echoed secrets: none is left in a server's tools, wherever it repeats it",
    property: fc.property(secret, fc.array(tool, { maxLength: 3 }), (value, tools) => {
      const listed = JSON.parse(
        JSON.stringify(tools).replaceAll("SECRET", () => JSON.stringify(value).slice(1, -1)),
      ) as Tool[];
      const secrets = new Secrets();
      secrets.add(value, "credential");
      const masked = maskListed(listed, secrets);
      const all = [masked.tools, masked.leftOut];
      return (
        masked.tools.length + masked.leftOut.length === tools.length &&
        !stringsIn(all).some((text) => text.includes(value))
      );
    }),
  },
  {
    name: "echoed secrets: one of digits is not left in a server's tools as a number",
    property: fc.property(fc.integer({ min: 100_000 }), fc.array(tool, { maxLength: 3 }), (value, tools) => {
      const listed = JSON.parse(
        JSON.stringify(tools).replaceAll('"SECRET"', String(value)).replaceAll("SECRET", String(value)),
        (key, item) => (key === "name" ? String(item) : item),
      ) as Tool[];
      const secrets = new Secrets();
      secrets.add(String(value), "credential");
      const masked = maskListed(listed, secrets);
      return (
        masked.tools.length + masked.leftOut.length === tools.length &&
        !JSON.stringify([masked.tools, masked.leftOut]).includes(String(value))
      );
    }),
  },
];

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...stringsIn(item)]);
}
