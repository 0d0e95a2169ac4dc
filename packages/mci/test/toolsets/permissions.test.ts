import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { entry, file, load, project } from "./support.ts";

const REFUSED =
  "File path access outside context directory and allow-list is not allowed unless enableAnyPaths is true.";

/** Three directories: the entry file's own, and two beside it. A tool of a toolset reads from all of them. */
function layout({
  main = {},
  reference = {},
  set = {},
  tool = {},
}: Record<"main" | "reference" | "set" | "tool", object> | Record<string, object>) {
  const root = project({
    "app/tools.mci.json": entry([{ name: "files", ...reference }], main),
    "app/own.txt": "own",
    "red/red.txt": "red",
    "blue/blue.txt": "blue",
    "app/mci/files.mci.json": {
      ...file({
        name: "read",
        ...tool,
        inputSchema: { type: "object", properties: { path: { type: "string" } } },
        execution: { type: "file", path: "{{props.path}}" },
      }),
      ...set,
    },
  });
  return join(root, "app");
}

async function readable(app: string, env?: Record<string, string>): Promise<string[]> {
  const client = await load(app, { env });
  const results = await Promise.all(
    ["own.txt", "../red/red.txt", "../blue/blue.txt"].map((path) => client.execute("read", { path })),
  );
  for (const result of results) if (result.isError) expect(result.text).toContain(REFUSED);
  return results.flatMap((result) => (result.isError ? [] : [result.text]));
}

const ANY = { enableAnyPaths: true };
const NOT_ANY = { enableAnyPaths: false };
const RED = { directoryAllowList: ["../red"] };
const BLUE = { directoryAllowList: ["../blue"] };
const BOTH = { directoryAllowList: ["../red", "../blue"] };

describe("what a toolset's tools may reach [L-permissions]", () => {
  test.each<[string, Parameters<typeof layout>[0], string[]]>([
    ["nothing is said: the entry file's directory", {}, ["own"]],
    ["a tool cannot give itself all paths", { tool: ANY }, ["own"]],
    ["a tool cannot give itself a directory", { tool: RED }, ["own"]],
    ["a toolset file cannot give itself all paths", { set: ANY }, ["own"]],
    ["a toolset file cannot give itself a directory", { set: RED }, ["own"]],
    ["the entry file's list holds for toolsets", { main: RED }, ["own", "red"]],
    ["the entry file's any holds for toolsets", { main: ANY }, ["own", "red", "blue"]],
    ["the reference may give more", { reference: BOTH }, ["own", "red", "blue"]],
    ["the reference may give all", { reference: ANY }, ["own", "red", "blue"]],
    ["the reference may take away", { main: ANY, reference: NOT_ANY }, ["own"]],
    ["a tool may narrow a list", { main: BOTH, tool: BLUE }, ["own", "blue"]],
    ["a tool may narrow any to a list", { main: ANY, tool: BLUE }, ["own", "blue"]],
    ["a tool may give up any", { main: ANY, tool: NOT_ANY }, ["own"]],
    [
      "giving up any leaves the entry file's list",
      { main: { ...ANY, ...RED }, tool: NOT_ANY },
      ["own", "red"],
    ],
    ["a toolset file may narrow", { reference: ANY, set: RED }, ["own", "red"]],
    [
      "a tool narrows in another way than the list allows: only what both allow",
      { main: RED, tool: BLUE },
      ["own"],
    ],
    ["an empty list says nothing", { main: RED, tool: { directoryAllowList: [] } }, ["own", "red"]],
  ])("%s", async (_, permissions, names) => {
    expect(await readable(layout(permissions))).toEqual(names);
  });

  test("lists may depend on env, on either side", async () => {
    const list = { directoryAllowList: ["{{env.DIR}}"] };
    expect(await readable(layout({ main: list, tool: list }), { DIR: "../red" })).toEqual(["own", "red"]);
  });
});
