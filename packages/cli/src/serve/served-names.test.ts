import fc from "fast-check";
import { expect, test } from "vitest";
import { servedNames } from "./served-names.ts";

test("[RUN-names] valid names stay, others are made valid and stay distinct", () => {
  const long = "x".repeat(200);
  const names = ["get_user", "a b", "a_b", "a/b", "grüße", "😀", long, `${long}y`, "v1.2-x", "a b"];
  expect([...servedNames(names)]).toEqual([
    ["get_user", "get_user"],
    ["a_b", "a_b"],
    ["v1.2-x", "v1.2-x"],
    ["a b", "a_b_2"],
    ["a/b", "a_b_3"],
    ["grüße", "gr__e"],
    ["😀", "_"],
    [long, "x".repeat(128)],
    [`${long}y`, `${"x".repeat(126)}_2`],
  ]);
});

test("[RUN-names] every served name is valid and stands for one tool", () => {
  const name = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.constantFrom("a", "a b", "a_b", "a_b_2", "é".repeat(130)),
  );
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 40 }), (names) => {
      const served = servedNames(names);
      expect([...served.keys()].sort()).toEqual([...names].sort());
      expect(new Set(served.values()).size).toBe(names.length);
      for (const one of served.values()) expect(one).toMatch(/^[A-Za-z0-9_.-]{1,128}$/);
    }),
  );
});
