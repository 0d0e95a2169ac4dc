import { expect, test } from "vitest";
import { limitResult } from "./limit-result.ts";

const json = (length: number) => {
  const structuredContent = { a: "x".repeat(length) };
  return { content: [{ type: "text" as const, text: JSON.stringify(structuredContent) }], structuredContent };
};

test("[SRV-size] a result that fits is sent as it is", () => {
  const result = json(10);
  expect(limitResult(result, { hasOutputSchema: false }, 1000)).toBe(result);
});

test("[SRV-size] of a large JSON result only one of its two forms is sent", () => {
  const result = json(600);
  expect(limitResult(result, { hasOutputSchema: false }, 1000)).toEqual({ content: result.content });
  expect(limitResult(result, { hasOutputSchema: true }, 1000)).toEqual({
    content: [{ type: "text", text: expect.stringContaining("structured content") }],
    structuredContent: result.structuredContent,
  });
});

test("[SRV-size] a result that is still too large is an error that says how large and what to do", () => {
  for (const hasOutputSchema of [false, true]) {
    const result = limitResult(json(2000), { hasOutputSchema }, 1000);
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/has 2\d\d\d bytes.*at most 1000.*maxItems/) }],
    });
    expect(result.structuredContent).toBeUndefined();
  }
});

test("[SRV-size] a tool may choose one of the two forms", () => {
  const result = json(10);
  const forms = (format: "text" | "structured" | "both") =>
    limitResult(result, { hasOutputSchema: false, format }, 1000);
  expect(forms("both")).toBe(result);
  expect(forms("text")).toEqual({ content: result.content });
  expect(forms("structured")).toEqual({
    content: [{ type: "text", text: expect.stringContaining("structured content") }],
    structuredContent: result.structuredContent,
  });
  const text = { content: [{ type: "text" as const, text: "three" }] };
  expect(limitResult(text, { hasOutputSchema: false, format: "structured" }, 1000)).toEqual(text);
});
