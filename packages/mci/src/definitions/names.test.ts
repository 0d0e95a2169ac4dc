import fc from "fast-check";
import { expect, test } from "vitest";
import { acceptedNames, TOOL_NAME } from "./names.ts";

const accepted = (...names: string[]) => [...acceptedNames(names, TOOL_NAME).values()];

test.each([
  [
    ["get_weather", "a-b"],
    ["get_weather", "a-b"],
  ],
  [
    ["weather.get", "über/alles", "2nd", "日本"],
    ["weather_get", "uber_alles", "_2nd", "tool"],
  ],
])("names that fit stay, others are rewritten: %j [A-definitions]", (names, expected) => {
  expect(accepted(...names)).toEqual(expected);
});

test("names that would be alike carry a hash, and those that fit stay [A-definitions]", () => {
  const [own, dot, slash] = accepted("a_b", "a.b", "a/b");
  expect(own).toBe("a_b");
  expect(dot).toMatch(/^a_b_[a-z0-9]{7}$/);
  expect(slash).toMatch(/^a_b_[a-z0-9]{7}$/);
  expect(dot).not.toBe(slash);
  expect(accepted("a/b", "a.b", "a_b")).toEqual([slash, dot, own]);
});

test("every name is accepted, and none is given twice [A-definitions]", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ unit: "grapheme", maxLength: 90 }), { maxLength: 30 }),
      (names) => {
        const given = accepted(...names);
        expect(new Set(given).size).toBe(names.length);
        for (const name of given) expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/);
      },
    ),
  );
});
