import { isObject } from "@mci-ts/primitives/is-object";
import * as z from "zod/mini";
import { type Document, document as documentSchema } from "../schema/document.ts";
import { type McpServer, mcpServer, type ToolsetReference, toolsetReference } from "../schema/source.ts";
import { type Tool, tool as toolSchema } from "../schema/tool.ts";
import type { JsonPath } from "../template-api.ts";

/** The valid parts of a document, so that one error does not hide problems elsewhere. */
export interface LenientDocument
  extends Pick<
    Document,
    "libraryDir" | "templateEngine" | "enableAnyPaths" | "directoryAllowList" | "envAllowList"
  > {
  readonly tools: readonly { readonly tool: Tool; readonly place: JsonPath }[];
  readonly toolsets: readonly { readonly reference: ToolsetReference; readonly place: JsonPath }[];
  readonly servers: readonly { readonly name: string; readonly server: McpServer }[];
}

/** Accepts unvalidated data. Disabled tools are left out, as everywhere. */
export function parseLenient(data: unknown): LenientDocument {
  if (!isObject(data)) return { tools: [], toolsets: [], servers: [] };
  const { tools, mcp_servers: servers, toolsets, ...rest } = data;
  const top = z.safeParse(documentSchema, { ...rest, schemaVersion: "1.0" });
  return {
    ...(top.success ? top.data : {}),
    tools: (Array.isArray(tools) ? tools : []).flatMap((item, index) => {
      const { success, data: tool } = z.safeParse(toolSchema, item);
      return success && !tool.disabled ? [{ tool, place: ["tools", index] }] : [];
    }),
    toolsets: (Array.isArray(toolsets) ? toolsets : []).flatMap((item, index) => {
      const { success, data: reference } = z.safeParse(toolsetReference, item);
      return success ? [{ reference, place: ["toolsets", index] }] : [];
    }),
    servers: Object.entries(isObject(servers) ? servers : {}).flatMap(([name, item]) => {
      const { success, data: server } = z.safeParse(mcpServer, item);
      return success ? [{ name, server }] : [];
    }),
  };
}

/** The input schemas of all tools, each at its tool's index. */
export function inputSchemas(data: unknown): { inputSchema?: Record<string, unknown> }[] {
  const tools = isObject(data) && Array.isArray(data.tools) ? data.tools : [];
  return tools.map((tool: unknown) =>
    isObject(tool) && isObject(tool.inputSchema) ? { inputSchema: tool.inputSchema } : {},
  );
}
