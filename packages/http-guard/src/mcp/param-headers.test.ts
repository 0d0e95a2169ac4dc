import { expect, test } from "vitest";
import { findHeaderMismatch } from "./param-headers.ts";

const schema = {
  type: "object",
  properties: {
    region: { type: "string", "x-mcp-header": "Region" },
    count: { type: "integer", "x-mcp-header": "Count" },
    dry: { type: "boolean", "x-mcp-header": "Dry" },
    where: { type: "object", properties: { zone: { type: "string", "x-mcp-header": "Zone" } } },
    plain: { type: "string" },
    odd: { type: "string", "x-mcp-header": "not a token" },
  },
};

const base64 = (text: string) => `=?base64?${Buffer.from(text).toString("base64")}?=`;

test.each<[object | undefined, Record<string, string>]>([
  [undefined, {}],
  [{}, {}],
  [{ plain: "x", odd: "y" }, {}],
  [{ region: "eu" }, { "mcp-param-region": "eu" }],
  [{ region: null }, {}],
  [{}, { "Mcp-Param-Region": "eu" }],
  [{ region: "grün" }, { "Mcp-Param-Region": base64("grün") }],
  [{ region: "" }, { "Mcp-Param-Region": "" }],
  [{ count: 42 }, { "Mcp-Param-Count": "42" }],
  [{ count: 42 }, { "Mcp-Param-Count": "42.0" }],
  [{ dry: true }, { "Mcp-Param-Dry": "true" }],
  [{ where: { zone: "a" } }, { "Mcp-Param-Zone": "a" }],
  [{ region: { nested: 1 } }, {}],
])("[P-param-headers] %j fits %j", (args, headers) => {
  expect(findHeaderMismatch(schema, args, new Headers(headers))).toBeUndefined();
});

test.each<[object, Record<string, string>, string]>([
  [{ region: "eu" }, {}, "the body has region, but the Mcp-Param-Region header is missing"],
  [
    { region: "eu" },
    { "Mcp-Param-Region": "us" },
    "the Mcp-Param-Region header differs from region in the body",
  ],
  [
    { region: "eu" },
    { "Mcp-Param-Region": "=?base64?ZXU?=" },
    "the Mcp-Param-Region header is not valid Base64",
  ],
  [
    { region: "\ufffd" },
    { "Mcp-Param-Region": "=?base64?/w==?=" },
    "the Mcp-Param-Region header is not valid Base64",
  ],
  [{ count: 42 }, { "Mcp-Param-Count": "43" }, "the Mcp-Param-Count header differs from count in the body"],
  [{ count: 42 }, { "Mcp-Param-Count": "0x2a" }, "the Mcp-Param-Count header differs from count in the body"],
  [{ dry: false }, { "Mcp-Param-Dry": "False" }, "the Mcp-Param-Dry header differs from dry in the body"],
  [{ where: { zone: "a" } }, {}, "the body has where.zone, but the Mcp-Param-Zone header is missing"],
])("[P-param-headers] %j does not fit %j", (args, headers, message) => {
  expect(findHeaderMismatch(schema, args, new Headers(headers))?.message).toBe(message);
});
