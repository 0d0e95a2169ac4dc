import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fixtureProgram } from "../../../../test/programs/programs.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { MCIClient } from "../../src/index.ts";

const owner = { type: "string", description: "Whose secret_projects" };
const properties = { owner, debug: { type: "boolean" }, q: { type: "string" } };
const args = { type: "object", properties, required: ["owner"] };

/** The same properties in every shape that a server may choose. */
const SHAPES: Readonly<Record<string, object>> = {
  properties: args,
  nothing: {},
  allOf: { allOf: [{ properties: { owner }, required: ["owner"] }, { properties: { debug: {}, q: {} } }] },
  anyOf: { anyOf: [args, { properties: { id: {} }, required: ["id"] }] },
  oneOf: { oneOf: [args, { properties: { id: {} }, required: ["id"] }] },
  ref: { $ref: "#/$defs/Args", $defs: { Args: args } },
  refs: {
    $ref: "#/$defs/A",
    $defs: {
      A: { allOf: [{ $ref: "#/$defs/B" }], properties: { q: {} } },
      B: args,
      C: { $ref: "#/$defs/C" },
    },
  },
  "ref in allOf": { allOf: [{ $ref: "#/definitions/Args" }], definitions: { Args: args } },
  patternProperties: { patternProperties: { "^(owner|debug|q)$": {} }, additionalProperties: false },
  additionalProperties: { additionalProperties: { type: ["string", "boolean"] } },
  unevaluatedProperties: {
    allOf: [{ $ref: "#/$defs/Args" }],
    $defs: { Args: args },
    unevaluatedProperties: false,
  },
  "boolean schemas": { properties: { owner: true, debug: true, q: true } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  conditions: { if: { required: ["q"] }, then: args, else: { properties: { owner, debug: {} } } },
  dependencies: {
    properties: { q: {} },
    dependentSchemas: { owner: { properties } },
    dependentRequired: { q: ["owner"] },
  },
  numbers: {
    properties: { ...properties, owner: { type: ["string", "integer"] } },
    additionalProperties: false,
  },
  examples: { ...args, examples: [{ owner: "me", debug: true, q: "x" }], default: { owner: "me" } },
};
const REFUSED: Readonly<Record<string, object>> = {
  "another type": { properties: { ...properties, owner: { type: "integer" } } },
  "a closed schema without it": { properties: { q: {} }, additionalProperties: false },
  "a schema that refuses it": { properties: { ...properties, owner: false } },
  "an enum without it": { allOf: [{ properties: { owner: { enum: ["other"] } } }], properties: { q: {} } },
};

let client: MCIClient;
beforeAll(async () => {
  const shapes = { ...SHAPES, ...REFUSED };
  const tools = Object.entries(shapes).map(([name, shape]) => ({
    name,
    inputSchema: { type: "object", ...shape },
  }));
  const root = temporaryFolder({ "tools.json": tools }, afterAll);
  const program = fixtureProgram("packages/mci/test/mcp/servers/changing.ts");
  const override = { properties: { owner: { value: "acme-007" }, debug: { hidden: true } } };
  client = await MCIClient.fromObject(
    {
      schemaVersion: "1.0",
      mcp_servers: {
        web: {
          command: process.execPath,
          args: [program, join(root, "tools.json")],
          overrides: Object.fromEntries(Object.keys(shapes).map((name) => [name, override])),
        },
      },
    },
    { baseDir: root },
  );
  return () => client.close();
});

describe("[OV-shape] a fixed value and a hidden name hold whatever shape the server's schema has", () => {
  test.each(Object.keys(SHAPES))("%s", async (name) => {
    const hostile = { q: "x", owner: "evil", debug: true };
    for (const result of [await client.execute(name, hostile), await client.call(name, hostile)]) {
      expect(result.error).toBeUndefined();
      const [item] = result.content;
      expect(JSON.parse(String((item as { text: string }).text).slice(name.length))).toEqual({
        q: "x",
        owner: "acme-007",
      });
    }
    const shown = JSON.stringify([
      client.getToolSchema(name),
      client.toolDefinitions({ filter: { only: [name] } }),
    ]);
    expect(shown).not.toMatch(/acme|owner|debug|secret_projects/);
  });

  test.each(Object.keys(REFUSED))("or the call is refused, and tells nothing: %s", async (name) => {
    const result = await client.call(name, { q: "x" });
    expect(result.metadata.error_code).toBe("schema_invalid");
    expect(result.text).toContain("does not fit its inputSchema");
    expect(result.text).not.toMatch(/acme|owner|debug/);
  });

  test.each(["nothing", "additionalProperties", "patternProperties", "allOf"])(
    "another spelling of a hidden name, which a server may take for it, is dropped and named: %s",
    async (name) => {
      const spellings = ["Owner", "OWNER", "own_er", "\uff4fwner", "DE-BUG", "\u1d48ebug"];
      const given = Object.fromEntries(spellings.map((spelling) => [spelling, "evil"]));
      const result = await client.execute(name, { q: "x", ...given });
      expect(JSON.parse(result.text.slice(name.length))).toEqual({ q: "x", owner: "acme-007" });
      expect(result.metadata["ignored_arguments"]).toEqual(spellings);
    },
  );

  test("errors of the caller are told without what is fixed", async () => {
    const { text } = await client.call("anyOf", { q: { not: "text" }, owner: 5 });
    expect(text).toContain("q: must be string");
    expect(text).not.toMatch(/acme|owner/);
  });
});
