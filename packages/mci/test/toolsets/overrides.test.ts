import { describe, expect, test } from "vitest";
import { server, withServers } from "../mcp/with-servers.ts";
import { entry, load, loadFails, project } from "./support.ts";

const search = {
  name: "search",
  description: "Generated description",
  annotations: { openWorldHint: true },
  inputSchema: {
    type: "object",
    properties: {
      owner: { type: "string" },
      q: { type: "string", description: "Generated" },
      page: { type: "integer" },
      debug: { type: "boolean" },
    },
    required: ["owner", "q", "page"],
  },
  execution: { type: "text", text: "{{props}}" },
};
const remove = { name: "remove", execution: { type: "text", text: "gone" } };

const withOverrides = (overrides: object, more: object = {}) =>
  project({
    "tools.mci.json": entry([{ name: "api", overrides, ...more }]),
    "mci/api.mci.json": { schemaVersion: "1.0", tools: [search, remove] },
  });

describe("[OV-fields] the file that includes a toolset changes its tools without editing it", () => {
  test("name, description, annotations, disabled", async () => {
    const client = await load(
      withOverrides({
        search: { name: "find", description: "Ours", annotations: { readOnlyHint: true } },
        remove: { disabled: true },
      }),
    );
    expect(client.warnings).toEqual([]);
    expect(client.tools()).toMatchObject([
      { name: "find", description: "Ours", annotations: { openWorldHint: true, readOnlyHint: true } },
    ]);
  });

  test("a new name has no prefix, others keep theirs", async () => {
    const client = await load(withOverrides({ search: { name: "find" } }, { prefix: "api_" }));
    expect(client.listTools()).toEqual(["find", "api_remove"]);
  });

  test("a new name that is taken is an error as any other", async () => {
    const error = await loadFails(withOverrides({ search: { name: "remove" } }));
    expect(error.message).toContain("Duplicate tool name 'remove'");
  });

  test("description and default of a property", async () => {
    const properties = { q: { description: "Words" }, page: { default: 1 } };
    const client = await load(withOverrides({ search: { properties } }));
    expect(client.getToolSchema("search")).toMatchObject({
      properties: { q: { type: "string", description: "Words" }, page: { type: "integer", default: 1 } },
      required: ["owner", "q"],
    });
    const { text } = await client.execute("search", { owner: "me", q: "x" });
    expect(JSON.parse(text)).toEqual({ owner: "me", q: "x", page: 1 });
  });
});

describe("[OV-fixed] a fixed value is not shown to the model and cannot be overridden by it", () => {
  test("it is sent whatever the caller says", async () => {
    const properties = { owner: { value: "acme" }, page: { value: 7 }, debug: { hidden: true } };
    const client = await load(withOverrides({ search: { properties } }));
    const schema = client.getToolSchema("search");
    expect(Object.keys(schema.properties as object)).toEqual(["q"]);
    expect(schema.required).toEqual(["q"]);
    expect(JSON.stringify(client.toolDefinitions())).not.toMatch(/acme|owner|debug/);
    const given = { q: "x", owner: "evil", page: 1, debug: true, __proto__: { owner: "evil" } };
    for (const result of [await client.execute("search", given), await client.call("search", given)])
      expect(JSON.parse(result.text.split("\nNote:")[0]!)).toEqual({ q: "x", owner: "acme", page: 7 });
    expect(await client.preview("search", given)).toMatchObject({ text: expect.stringContaining("acme") });
  });

  test("approval is asked with it", async () => {
    const client = await load(
      withOverrides({ search: { properties: { owner: { value: "acme" }, page: { value: 1 } } } }),
    );
    let asked: unknown;
    const approve = (_: unknown, input: unknown) => {
      asked = input;
      return false;
    };
    await client.call("search", { q: "x" }, { approve });
    expect(asked).toEqual({ q: "x", owner: "acme", page: 1 });
  });

  test("a call cannot change it for the next one", async () => {
    const set = { ...search, inputSchema: { type: "object", properties: { list: { type: "array" } } } };
    const root = project({
      "tools.mci.json": entry([
        { name: "api", overrides: { search: { properties: { list: { value: [1] } } } } },
      ]),
      "mci/api.mci.json": { schemaVersion: "1.0", tools: [set] },
    });
    const client = await load(root);
    const approve = (_: unknown, input: Readonly<Record<string, unknown>>) => {
      (input.list as number[]).push(2);
      return true;
    };
    await client.call("search", {}, { approve });
    expect((await client.execute("search")).text).toBe('{"list":[1]}');
  });
});

describe("[OV-stale] an override that no longer applies is a warning with its place", () => {
  test.each([
    ["a tool", { serch: { disabled: true } }, "no tool 'serch'", "did you mean 'search'?", "serch"],
    [
      "a property",
      { search: { properties: { ownr: { value: 1 } } } },
      "no property 'ownr'",
      "did you mean 'owner'?",
      "search.properties.ownr",
    ],
    [
      "a required property without a value",
      { search: { properties: { owner: { hidden: true } } } },
      "no call can succeed",
      "give it a value or a default",
      "search.properties.owner",
    ],
  ])("%s", async (_, overrides, message, hint, path) => {
    const client = await load(withOverrides(overrides));
    expect(client.warnings).toMatchObject([
      {
        message: expect.stringContaining(message),
        hint,
        path: `toolsets[0].overrides.${path}`,
        severity: "warning",
      },
    ]);
    expect(client.warnings[0]?.line).toBeGreaterThan(1);
  });

  test("wrong fields are errors", async () => {
    const error = await loadFails(withOverrides({ search: { disabled: "maybe", properties: [] } }));
    expect(error.problems.map(({ path }) => path)).toEqual([
      "toolsets[0].overrides.search.disabled",
      "toolsets[0].overrides.search.properties",
    ]);
  });
});

describe("[OV-mcp] tools of an MCP server are changed the same way", () => {
  test("a fixed argument reaches the real server", async () => {
    const { settings } = server("stdio");
    const overrides = {
      echo: { name: "say", properties: { text: { value: "fixed" } } },
      gone: { disabled: true },
    };
    const client = await load(withServers({ bench: { ...settings, overrides } }));
    expect(client.warnings).toMatchObject([{ path: "mcp_servers.bench.overrides.gone" }]);
    expect(client.getToolSchema("say").properties).not.toHaveProperty("text");
    expect((await client.execute("say", { text: "mine" })).text).toBe("fixed");
  });
});
