import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readPage, root } from "./markdown.ts";

const source = (path: string) => readFileSync(`${root}packages/mci/src/${path}`, "utf8");
const text = ["api", "api-functions"].map((name) => readPage(`docs/reference/${name}.md`).text).join("\n");
const named = new Set([...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, code]) => code!.match(/\w+/g) ?? []));

test("every export is on one of the two pages", () => {
  const exports = [...source("index.ts").matchAll(/export (?:type )?\{([^}]+)\}/g)].flatMap(([, names]) =>
    names!.split(",").map((name) => name.replace("type ", "").trim()),
  );
  expect(exports.length).toBeGreaterThan(20);
  expect(exports.filter((name) => name !== "" && !named.has(name))).toEqual([]);
});

test.each([
  ["LoadOptions", "load/load-options.ts"],
  ["McpTimeouts", "load/load-options.ts"],
  ["LoadFileOptions", "client/client-options.ts"],
  ["ExecuteOptions", "client/client-options.ts"],
  ["MCIClient", "client.ts"],
  ["Limits", "execute/executor.ts"],
  ["TemplateLimits", "template-api.ts"],
  ["ToolFilter", "tools/select.ts"],
  ["Problem", "errors.ts"],
  ["LintResult", "lint/result.ts"],
  ["LiteMcpClient", "mcp/lite-client.ts"],
  ["LiteMcpClientConfig", "mcp/lite-client.ts"],
  ["StdioConfig", "mcp/server-config.ts"],
  ["HttpConfig", "mcp/server-config.ts"],
])("every public member of %s is on one of the two pages", (name, file) => {
  const [, body] = new RegExp(`(?:interface|class) ${name}\\b[^{]*\\{\\n(.*?)\\n\\}`, "s").exec(
    source(file),
  )!;
  const members = [...body!.matchAll(/^ {2}(?:static )?(?:async )?(?:readonly )?([a-z]\w+)\??[:(]/gm)]
    .map(([, member]) => member!)
    .filter((member) => member !== "constructor");
  expect(members.length).toBeGreaterThan(0);
  expect(members.filter((member) => !named.has(member))).toEqual([]);
});
