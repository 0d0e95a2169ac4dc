import { expect, test } from "vitest";
import { unusedProperties } from "./unused-properties.ts";

const unusedOf = (execution: object, more: object = {}) =>
  unusedProperties(
    {
      name: "t",
      description: "about q",
      inputSchema: { type: "object", properties: { q: {}, "a-b": {} } },
      execution,
      ...more,
    } as never,
    ["tools", 0],
  ).map(({ place }) => place.at(-1));

test.each<[string, object, unknown[]]>([
  ["nothing of it", { type: "text", text: "hi" }, ["q", "a-b"]],
  ["a path", { type: "text", text: "{{props.q}} {{ props['a-b'] }}" }, []],
  ["a part of another name", { type: "text", text: "{{props.query}} {{env.a-b}}" }, ["q"]],
  ["a condition", { type: "text", text: "@if(q == 1)x@endif {{props.a-b}}" }, []],
  [
    "all of them",
    { type: "http", url: "https://a.example", body: { type: "json", content: "{!!props!!}" } },
    [],
  ],
  ["a loop over all", { type: "text", text: "@foreach(k, v in props){{k}}@endforeach" }, []],
  ["a computed name", { type: "text", text: "{{ props[env.NAME] }}" }, []],
  ["a flag", { type: "cli", command: "ls", flags: { "-q": { from: "props.q", type: "boolean" } } }, ["a-b"]],
  ["an included file", { type: "text", text: '@include("x.md")' }, []],
  ["a file that is read", { type: "file", path: "x.md" }, []],
  ["a server", { type: "mcp", serverName: "s", toolName: "t" }, []],
])("[L-unused] %s", (_, execution, expected) => {
  expect(unusedOf(execution)).toEqual(expected);
});
