import { describe, expect, test } from "vitest";
import { cpuMs } from "../../../../test/cpu-time.ts";
import { MCIClientError } from "../errors.ts";
import { inputReader } from "./input.ts";

const read = async (inputSchema: Record<string, unknown>, given: object) =>
  (await inputReader({ name: "t", inputSchema }))(given);

/** Generous for a busy machine, and far below what the same input took before it was bounded. */
const MAX_MS = 2500;

async function timed(work: () => Promise<unknown>): Promise<unknown> {
  const start = cpuMs();
  const result = await work().catch((error: unknown) => error);
  expect(cpuMs() - start).toBeLessThan(MAX_MS);
  return result;
}

const object = (properties: Record<string, unknown>, rest: object = {}) => ({
  type: "object",
  properties,
  ...rest,
});

describe("[P-hostile-schema] a schema from a stranger", () => {
  test("cannot turn validation into a promise", async () => {
    const schema = { $async: true, ...object({ n: { type: "number", $async: true } }) };
    await expect(read(schema, { n: "x" })).rejects.toThrow("n: must be number");
    expect(await read(schema, { n: 1 })).toMatchObject({ props: { n: 1 } });
  });

  test("cannot make a pattern backtrack, also not over a default", async () => {
    const value = `${"a".repeat(100_000)}!`;
    const schema = object({ s: { type: "string", pattern: "^(a+)+$", default: value } });
    expect(await timed(() => read(schema, {}))).toMatchObject({ props: { s: value } });
    expect(await timed(() => read(schema, { s: value }))).toMatchObject({ code: "invalid_input" });
  });

  test("cannot make a pattern of property names backtrack", async () => {
    const schema = object({ a: {} }, { patternProperties: { "^(a+)+$": { type: "integer" } } });
    const names = { [`${"a".repeat(50_000)}!`]: "1", aaa: "2" };
    expect(await timed(() => read(schema, names))).toMatchObject({ props: { aaa: 2 } });
  });

  test("with a pattern that cannot run in linear time is used without it", async () => {
    const schema = object({ s: { type: "string", pattern: "(a+)+\\1$" } });
    expect(await timed(() => read(schema, { s: `${"a".repeat(40)}!` }))).toMatchObject({ props: {} });
  });

  test("whose references double at every level is stopped", async () => {
    const level = (index: number) => ({ allOf: Array(2).fill({ $ref: `#/$defs/d${index}` }) });
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`d${index}`, index < 39 ? level(index + 1) : {}]),
    );
    const result = await timed(() => read({ ...object({ p: level(0) }), $defs }, { p: { a: 1 } }));
    expect(result).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("too long to validate"),
    });
  });

  test.each(["anyOf", "oneOf", "allOf"])(
    "whose %s doubles with the input's depth is stopped",
    async (keyword) => {
      const branch = { properties: { next: { $ref: "#/$defs/node" } } };
      const schema = {
        ...object({ p: { $ref: "#/$defs/node" } }),
        $defs: { node: { [keyword]: [branch, branch] } },
      };
      let p: object = { next: 1 };
      for (let depth = 0; depth < 60; depth++) p = { next: p };
      const result = await timed(() => read(schema, { p }));
      if (keyword !== "anyOf") expect(result).toMatchObject({ code: "invalid_input" });
    },
  );

  const many = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, i) => make(i));
  const defaults = Object.fromEntries(many(500, (index) => [`d${index}`, { default: index }]));

  test.each([
    ["words to compare with", { enum: many(19_000, (index) => `v${index}`) }, "v18999"],
    ["objects to compare with", { enum: many(2000, (index) => ({ a: index })) }, { a: 1999 }],
    ["defaults to fill in", { properties: defaults }, {}],
    ["names to compare with", { propertyNames: { enum: many(19_000, (index) => `v${index}`) } }, { v1: 1 }],
  ])("with many %s is stopped where they multiply with the input", async (_, items, item) => {
    const schema = object({ list: { type: "array", items } });
    const result = await timed(() => read(schema, { list: many(10_000, () => item) }));
    expect(result).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("too long to validate"),
    });
    expect(await read(schema, { list: [item] })).toMatchObject({ ignored: [] });
  });

  test.each([
    ["values", { enum: Array.from({ length: 30_000 }, (_, index) => index) }, "more than 20000 values"],
    ["levels", JSON.parse(`${'{"items":'.repeat(300)}{}${"}".repeat(300)}`), "nested more than 200 levels"],
  ])("with too many %s is an error of its tool", async (_, schema, message) => {
    const result = await timed(() => read(object({ p: schema }), { p: 1 }));
    expect(result).toBeInstanceOf(MCIClientError);
    expect(result).toMatchObject({ code: "schema_invalid", message: expect.stringContaining(message) });
  });
});

describe("[P-hostile-input] an input from a stranger", () => {
  test("with a million errors is refused for the first, in bounded time and memory", async () => {
    const list = Array.from({ length: 1_000_000 }, (_, index) => index);
    const before = process.memoryUsage().heapUsed;
    const result = await timed(() =>
      read(object({ list: { type: "array", items: { type: "string" } } }), { list }),
    );
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200_000_000);
    expect(result).toMatchObject({ code: "invalid_input" });
    expect((result as MCIClientError).problems.length).toBeLessThan(1001);
  });

  test("with many errors of many keywords costs no more", async () => {
    const required = Array.from({ length: 5000 }, (_, index) => `r${index}`);
    const list = Array.from({ length: 5000 }, () => ({}));
    const schema = object({ list: { type: "array", items: { required } } });
    expect(await timed(() => read(schema, { list }))).toMatchObject({ code: "invalid_input" });
  });

  test("of usual size still has every failing field named", async () => {
    const schema = object({ a: { type: "number" }, b: { type: "boolean" } }, { required: ["c"] });
    await expect(read(schema, { a: "x", b: "y" })).rejects.toThrow(
      /a: must be number[\s\S]*b: must be boolean/,
    );
  });

  test("with many items is checked for duplicates in linear time", async () => {
    const schema = object({ list: { type: "array", uniqueItems: true } });
    const list: unknown[] = Array.from({ length: 10_000 }, (_, index) => ({ b: index, a: [index] }));
    expect(await timed(() => read(schema, { list }))).toMatchObject({ props: {} });
    const again = [...list, { a: [7], b: 7 }];
    expect(await timed(() => read(schema, { list: again }))).toMatchObject({ code: "invalid_input" });
    await expect(read(schema, { list: ["1", 1, true, "true", null, [], {}] })).resolves.toBeDefined();
    await expect(read(schema, { list: [1, 2, 1] })).rejects.toThrow("list");
  });

  test.each([
    ["a long number", { type: "number" }, `${"1".repeat(80_000)}x`],
    ["a long fraction", { type: "number" }, `1.${"1".repeat(80_000)}e`],
    ["a long url", { type: "string", format: "url" }, `http://${":".repeat(80_000)} `],
    ["a long uri", { type: "string", format: "uri" }, `http://${":".repeat(80_000)} `],
    ["a long email", { type: "string", format: "email" }, `${"a.".repeat(80_000)}@`],
  ])("that is almost %s is refused in linear time", async (_, schema, value) => {
    expect(await timed(() => read(object({ p: schema }), { p: value }))).toMatchObject({
      code: "invalid_input",
    });
  });

  test("is never printed as a whole", async () => {
    const schema = object({ p: { type: "array", maxItems: 1 } });
    const error = await read(schema, { p: Array(9000).fill({ deep: ["x".repeat(100)] }) }).catch(
      (thrown) => thrown,
    );
    expect(error.message.length).toBeLessThan(400);
  });
});

describe("[P-older-schema] a schema of an older draft or of OpenAPI", () => {
  test.each<[string, Record<string, unknown>, unknown, unknown]>([
    ["exclusiveMinimum: true", { type: "integer", minimum: 1, exclusiveMinimum: true }, 2, 1],
    ["exclusiveMaximum: true", { type: "integer", maximum: 9, exclusiveMaximum: true }, 8, 9],
    ["exclusiveMinimum: false", { type: "integer", minimum: 1, exclusiveMinimum: false }, 1, 0],
    ["nullable with a type", { type: "string", nullable: true }, null, 1],
    ["nullable with an enum", { type: "string", enum: ["a"], nullable: true }, null, "b"],
    ["nullable without a type", { enum: ["a"], nullable: true }, null, "b"],
    ["divisibleBy", { type: "integer", divisibleBy: 3 }, 6, 7],
    [
      "a list of schemas in items",
      { type: "array", items: [{ type: "integer" }], additionalItems: false },
      [1],
      [1, 2],
    ],
    ["a pattern with (?i)", { type: "string", pattern: "(?i)^x$" }, "X", "y"],
    ["a pattern with \\A and \\Z", { type: "string", pattern: "\\Ax\\Z" }, "x", "xy"],
    ["a pattern with a needless backslash", { type: "string", pattern: "^a\\-b$" }, "a-b", "ab"],
  ])("%s is translated", async (_, schema, good, bad) => {
    await expect(read(object({ p: schema }), { p: good })).resolves.toBeDefined();
    await expect(read(object({ p: schema }), { p: bad })).rejects.toThrow("Invalid input");
  });

  test("required: true on a property requires it; the type any allows anything", async () => {
    const schema = object({ p: { type: "any", required: true } });
    await expect(read(schema, {})).rejects.toThrow("p: is required");
    await expect(read(schema, { p: [1] })).resolves.toMatchObject({ props: { p: [1] } });
  });
});
