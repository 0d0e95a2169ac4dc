import { expect, test } from "vitest";
import { CliError } from "../cli-error.ts";
import { readFilter, readFilters } from "./filter.ts";

test.each([
  [["only:a,b"], { only: ["a", "b"] }],
  [["except:a"], { without: ["a"] }],
  [["tags: a , b,"], { tags: ["a", "b"] }],
  [["withoutTags:a"], { withoutTags: ["a"] }],
  [["without-tags:a"], { withoutTags: ["a"] }],
  [["toolsets:x"], { toolsets: ["x"] }],
  [["only:a:b"], { only: ["a:b"] }],
  [[], {}],
])("[C-filter] %j is understood", (given, expected) => {
  expect(readFilters(given)).toEqual(expected);
});

test("[C-filter] several filters combine: values of one type add up, types stand side by side", () => {
  expect(readFilters(["tags:a", "tags:b", "without-tags:c", "withoutTags:d", "only:x"])).toEqual({
    tags: ["a", "b"],
    withoutTags: ["c", "d"],
    only: ["x"],
  });
});

test.each([
  ["only", "Invalid filter specification: 'only'"],
  ["Only:a", "Invalid filter type: 'Only'"],
  ["only:", "No values provided for filter type 'only'"],
  ["only: , ", "No values provided for filter type 'only'"],
  ["__proto__:a", "Invalid filter type: '__proto__'"],
])("%j is a usage error that says what is expected", (given, message) => {
  expect(() => readFilters([given])).toThrow(CliError);
  expect(() => readFilters([given])).toThrow(message);
});

test("a type that is spelled wrongly is known with those there are", () => {
  expect(() => readFilters(["tag:a"])).toThrow(
    expect.objectContaining({ misspelled: { name: "tag", among: expect.arrayContaining(["tags"]) } }),
  );
});

test("the types can be narrowed", () => {
  expect(() => readFilter("toolsets:a", ["only", "tags"])).toThrow("Invalid filter type: 'toolsets'");
});
