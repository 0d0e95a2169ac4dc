import { expect, test } from "vitest";
import { toTools } from "./map.ts";

const inputSchema = { type: "object" } as const;

test("annotations become tags in a fixed order, and only where they are true [M-map]", () => {
  const annotations = {
    audience: ["assistant", "robot"],
    openWorldHint: true,
    idempotentHint: true,
    destructiveHint: false,
    readOnlyHint: true,
    title: "T",
  };
  expect(toTools("s", [{ name: "t", inputSchema, annotations }])).toEqual([
    {
      name: "t",
      description: "",
      inputSchema,
      annotations: {
        title: "T",
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: true,
        audience: ["assistant"],
      },
      tags: ["IsReadOnly", "IsIdempotent", "IsOpenWorld", "audience_assistant"],
      execution: { type: "mcp", serverName: "s", toolName: "t" },
    },
  ]);
});

test("a title may stand on the tool itself; it comes before the annotation's [M-map]", () => {
  const titles = toTools("s", [
    { name: "a", inputSchema, title: "Own" },
    { name: "b", inputSchema, title: "Own", annotations: { title: "Annotated" } },
  ]).map(({ annotations }) => annotations?.title);
  expect(titles).toEqual(["Own", "Own"]);
});

test("a name that is listed twice, or is blank, is not added twice, or at all [M-map]", () => {
  const tools = toTools("s", [
    { name: "a", inputSchema, description: "first" },
    { name: "a", inputSchema, description: "second" },
    { name: "  ", inputSchema },
  ]);
  expect(tools.map(({ name, description }) => [name, description])).toEqual([["a", "first"]]);
});
