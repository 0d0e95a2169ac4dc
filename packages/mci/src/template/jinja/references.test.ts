import { expect, test } from "vitest";
import { jinjaReferences } from "./references.ts";

test.each([
  ["{{ env.A }}", ["env.A"]],
  ["{% if env.A and props.b %}{{ input['c d'] }}{% endif %}", ["env.A", "props.b", "props.c d"]],
  ['{{ env["A"] | default("env.B") }}', ["env.A"]],
  ["env.A {# {{ }} #} {{ x.env.A }} {{ myenv.A }}", []],
  ["{{ env.A", []],
])("%s reads %j", (source, expected) => {
  expect(jinjaReferences(source).map(({ root, path }) => `${root}.${path.join(".")}`)).toEqual(expected);
});

test("the offset is that of the root", () => {
  expect(jinjaReferences("ab {{ env.A }}")[0]).toEqual({
    root: "env",
    path: ["A"],
    hasFallback: true,
    offset: 6,
  });
});
