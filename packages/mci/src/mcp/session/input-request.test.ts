import { expect, test } from "vitest";
import { readInputRequest } from "./input-request.ts";

const form = (fields: number, message = "?") => {
  const properties = Array.from({ length: fields }, (_, index) => [`f${index}`, { type: "string" }]);
  return {
    method: "elicitation/create",
    params: { message, requestedSchema: { type: "object", properties: Object.fromEntries(properties) } },
  };
};

test("a form of 100 fields and a long text reach the person", () => {
  expect(readInputRequest(form(100, "x".repeat(100_000)))).toMatchObject({ mode: "form" });
});

test.each([
  ["101 fields", form(101), "101 values at once"],
  ["a text of 300,000 characters", form(1, "x".repeat(300_000)), "more than 200000 characters"],
  [
    "a page with a text of 300,000 characters",
    {
      method: "elicitation/create",
      params: { mode: "url", message: "x".repeat(300_000), url: "https://x.example" },
    },
    "more than 200000 characters",
  ],
])("a question with %s is refused", (_, request, reason) => {
  expect(() => readInputRequest(request)).toThrow(reason);
});
