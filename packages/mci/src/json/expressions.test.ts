import { expect, test } from "vitest";
import { loadExpressions } from "./expressions.ts";

const { template, jmespath } = await loadExpressions();

test("a template reads the values it is given by their bare names", () => {
  const greeting = template("Step {{step}}: {{state.n}}@if(state.more) and more@endif");
  expect(greeting.render({ step: 2, state: { n: 7, more: true } })).toBe("Step 2: 7 and more");
  expect(() => greeting.render({ step: 2, state: {} })).toThrow("state.n");
});

test.each([
  ["a placeholder that is not closed", "{{state.n"],
  ["an include, for which there is no file", '@include("other.txt")'],
])("a template with %s is refused", (_, source) => {
  expect(() => template(source)).toThrow();
});

test("values stay values: braces inside them are text", () => {
  expect(template("{{state.text}}").render({ state: { text: "{{env.KEY}}" } })).toBe("{{env.KEY}}");
});

test("JMESPath is checked once and applied to any data", () => {
  const next = jmespath("{ n: answer.n, gone: missing }");
  expect(next({ answer: { n: 3 } })).toEqual({ n: 3, gone: null });
  expect(() => jmespath("state.[")).toThrow();
});
