import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cpuMs } from "../../../../test/cpu-time.ts";
import { truncateJson, truncateText } from "./truncate.ts";

describe("[RS-cut] what is cut stays valid JSON and says how much is missing", () => {
  test.each([
    ["a list", [1, 2, 3, 4], { maxItems: 2 }, [1, 2, "… 2 more items"]],
    ["a list in an object", { a: [1, 2, 3] }, { maxItems: 2 }, { a: [1, 2, "… 1 more item"] }],
    ["nothing, where all fits", { a: [1, 2, 3] }, { maxItems: 3, maxChars: 100 }, { a: [1, 2, 3] }],
  ])("%s", (_, value, limits, expected) => {
    expect(truncateJson(value, limits).value).toEqual(expected);
  });

  test("a long text in an object is cut before small fields are left out", () => {
    const { value, missing } = truncateJson({ text: "x".repeat(5000), id: 7, ok: true }, { maxChars: 300 });
    expect(value).toMatchObject({
      id: 7,
      ok: true,
      text: expect.stringMatching(/^x+… \(5000 characters in all\)$/),
    });
    expect(missing).toBe(1);
  });

  test("any value fits its limit afterwards", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 200, max: 2000 }), (value, maxChars) => {
        const text = JSON.stringify(truncateJson(value, { maxChars }).value);
        expect(text.length).toBeLessThanOrEqual(maxChars);
        JSON.parse(text);
      }),
      { numRuns: 150 },
    );
  });

  test("deep and large data takes no time worth mentioning", () => {
    const deep = JSON.parse("[".repeat(3000) + "]".repeat(3000));
    expect(JSON.stringify(truncateJson(deep, { maxChars: 500 }).value).length).toBeLessThanOrEqual(500);
    const wide = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `item ${id}`, tags: ["a", "b"] }));
    const started = cpuMs();
    const { value } = truncateJson(wide, { maxChars: 1000 });
    expect(cpuMs() - started).toBeLessThan(1000);
    expect(JSON.stringify(value)).toMatch(/… 199\d\d more items"\]$/);
  });

  test("a text says its whole length", () => {
    const text = truncateText("y".repeat(1000), 100);
    expect(text).toHaveLength(100);
    expect(text).toContain("1000 characters in all");
  });
});
