// biome-ignore-all lint/suspicious/noExplicitAny: tools are looked at as plain data
import { type ImportOptions, importOpenApi } from "../../src/openapi/index.ts";

export type Json = Record<string, unknown>;

/** A document with these paths, and the tools it becomes. */
export function tools(paths: Json, more: Json = {}, options: ImportOptions = {}) {
  const document = {
    openapi: "3.0.3",
    info: { title: "Pet Shop", version: "1" },
    servers: [{ url: "https://api.example.com/v1/" }],
    paths,
    ...more,
  };
  return importOpenApi(document, options);
}

/** The only tool of a document with one operation. */
export function only(operation: Json, more: Json = {}, { method = "get", path = "/pets" } = {}): any {
  return tools({ [path]: { [method]: operation } }, more).toolset.tools[0];
}

export const query = (name: string, schema: Json, more: Json = {}) => ({
  name,
  in: "query",
  schema,
  ...more,
});
export const jsonBody = (schema: Json, required = true) => ({
  required,
  content: { "application/json": { schema } },
});
export const properties = (tool: any) => Object.keys(tool.inputSchema.properties);
