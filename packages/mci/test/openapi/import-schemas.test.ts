// biome-ignore-all lint/suspicious/noExplicitAny: tools are looked at as plain data
import { describe, expect, test } from "vitest";
import { type Json, jsonBody, only, properties, query, tools } from "./one-operation.ts";
import { compile } from "./wire/sample.ts";

describe("schemas", () => {
  const bodyOf = (schema: Json, more: Json = {}) =>
    only({ requestBody: jsonBody(schema) }, more, { method: "post" });

  test("[I-defaults] defaults are described, not sent: a partial update must not reset what it leaves out", () => {
    const tool = bodyOf({ type: "object", properties: { private: { type: "boolean", default: false } } });
    expect(tool.inputSchema.properties.private).toEqual({ type: "boolean", description: "Default: false" });
  });

  test("[I-schema] nullable becomes a type and an enum value; nullable: false loses nothing", () => {
    const tool = bodyOf({
      type: "object",
      properties: {
        a: { type: "string", nullable: true },
        b: { type: "string", nullable: true, enum: ["x"] },
        c: { type: "string", nullable: false },
      },
    });
    expect(tool.inputSchema.properties).toEqual({
      a: { type: ["string", "null"] },
      b: { type: ["string", "null"], enum: ["x", null] },
      c: { type: "string" },
    });
  });

  test("[I-schema] references become $defs of the tools that use them, and cycles stay references", () => {
    const schemas = {
      Node: {
        type: "object",
        properties: {
          next: { $ref: "#/components/schemas/Node" },
          leaf: { $ref: "#/components/schemas/Leaf" },
        },
      },
      Leaf: { type: "object", properties: { id: { type: "integer" } } },
      Unused: { type: "object" },
    };
    const tool = bodyOf(
      { type: "object", properties: { tree: { $ref: "#/components/schemas/Node" } } },
      { components: { schemas } },
    );
    expect(tool.inputSchema.properties.tree).toEqual({ $ref: "#/$defs/Node" });
    expect(Object.keys(tool.inputSchema.$defs)).toEqual(["Node", "Leaf"]);
    expect(compile(tool.inputSchema)({ tree: { next: { next: { leaf: { id: 1 } } } } })).toBe(true);
    expect(compile(tool.inputSchema)({ tree: { next: { leaf: { id: "x" } } } })).toBe(false);
  });

  test("[I-schema] a reference may lead anywhere in the document", () => {
    const shared = {
      "/other": {
        get: { parameters: [query("a~/b", { type: "object", properties: { n: { type: "integer" } } })] },
      },
    };
    const reference = "#/paths/~1other/get/parameters/0/schema";
    const { toolset } = tools({
      ...shared,
      "/x": { post: { requestBody: jsonBody({ type: "array", items: { $ref: reference } }) } },
    });
    const schema: any = toolset.tools[1]!.inputSchema;
    expect(compile(schema)({ body: [{ n: 1 }] })).toBe(true);
    expect(compile(schema)({ body: [{ n: "1" }] })).toBe(false);
  });

  test("[I-schema] read-only properties are not asked for, at any depth, not even if required", () => {
    const tool = bodyOf({
      type: "object",
      required: ["id", "name"],
      properties: {
        id: { type: "string", readOnly: true },
        name: { type: "string" },
        owner: {
          type: "object",
          required: ["id"],
          properties: { id: { type: "string", readOnly: true }, login: { type: "string" } },
        },
      },
    });
    expect(properties(tool)).toEqual(["name", "owner"]);
    expect(tool.inputSchema.required).toEqual(["name"]);
    expect(tool.inputSchema.properties.owner).toEqual({
      type: "object",
      properties: { login: { type: "string" } },
    });
  });

  test("[I-schema] a discriminator becomes a const in each branch", () => {
    const schemas = {
      Cat: { type: "object", properties: { kind: { type: "string" }, lives: { type: "integer" } } },
      Dog: { type: "object", properties: { kind: { type: "string" }, barks: { type: "boolean" } } },
    };
    const pet = {
      oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }],
      discriminator: { propertyName: "kind", mapping: { cat: "#/components/schemas/Cat", dog: "Dog" } },
    };
    const tool = bodyOf({ type: "object", properties: { pet } }, { components: { schemas } });
    const fits = compile(tool.inputSchema);
    expect(fits({ pet: { kind: "cat", lives: 9 } })).toBe(true);
    expect(fits({ pet: { kind: "cat", lives: "nine" } })).toBe(false);
    expect(fits({ pet: { kind: "bird" } })).toBe(false);
    expect(JSON.stringify(tool.inputSchema)).not.toContain("oneOf");
  });

  test("[I-schema] examples, ids and extensions go as keywords and stay as names of properties", () => {
    const tool = bodyOf({
      type: "object",
      "x-internal": true,
      properties: {
        example: { type: "string", example: "x", id: "clash" },
        id: { type: "integer", xml: { name: "i" }, $id: "https://example.com/clash" },
      },
    });
    expect(tool.inputSchema.properties).toEqual({ example: { type: "string" }, id: { type: "integer" } });
  });

  test("[I-schema] what clients refuse is mended: lists without items, repeated names, true as a schema, foreign patterns", () => {
    const tool = bodyOf({
      type: "object",
      required: ["a", "a"],
      properties: {
        a: { type: "array" },
        b: true,
        c: { type: "string", pattern: "(?i)^x$" },
        d: { type: "string", enum: ["x", "x", 1] },
        e: { type: "integer", minimum: 1, exclusiveMinimum: true },
        f: { type: "int" },
      },
    });
    expect(tool.inputSchema.required).toEqual(["a"]);
    expect(tool.inputSchema.properties).toMatchObject({
      a: { type: "array", items: {} },
      b: {},
      c: { type: "string" },
      d: { type: "string", enum: ["x", "1"] },
      e: { type: "integer", exclusiveMinimum: 1 },
      f: { type: "integer" },
    });
    expect(tool.inputSchema.properties.e).not.toHaveProperty("minimum");
    compile(tool.inputSchema);
  });

  test("[I-schema] rules about the names of properties stay", () => {
    const labels = {
      type: "object",
      propertyNames: { pattern: "^[a-z]+$" },
      additionalProperties: { type: "string" },
    };
    const tool = bodyOf({ type: "object", properties: { labels } });
    expect(tool.inputSchema.properties.labels).toEqual(labels);
  });

  test("[I-schema] allOf is put together, so that its properties can be asked for", () => {
    const schemas = { Base: { type: "object", required: ["id"], properties: { id: { type: "string" } } } };
    const schema = {
      allOf: [{ $ref: "#/components/schemas/Base" }, { properties: { name: { type: "string" } } }],
    };
    expect(properties(bodyOf(schema, { components: { schemas } }))).toEqual(["id", "name"]);
  });

  test("[I-schema] a schema too large for a client is shortened and says so", () => {
    const deep = (depth: number): Json => ({
      type: "object",
      description: "d".repeat(300),
      properties:
        depth === 0 ? {} : Object.fromEntries("abcdef".split("").map((key) => [key, deep(depth - 1)])),
    });
    const { toolset, warnings } = tools({
      "/x": {
        post: {
          operationId: "big",
          requestBody: jsonBody({ type: "object", properties: { root: deep(4) } }),
        },
      },
    });
    const [tool] = toolset.tools;
    expect(Buffer.byteLength(JSON.stringify(tool!.inputSchema))).toBeLessThanOrEqual(50_000);
    expect(warnings).toEqual(["big: its input schema was shortened to 50 kB"]);
    compile(tool!.inputSchema);
  });
});
