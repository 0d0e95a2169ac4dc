import type { Tool } from "../schema/tool.ts";
import { docComment } from "./doc-comment.ts";
import { SchemaTypes } from "./schema-types.ts";
import { propertyName, TypeNames } from "./type-names.ts";

type TypedTool = Pick<Tool, "name" | "description" | "inputSchema" | "outputSchema">;

/**
 * TypeScript declarations for tools: an interface `Tools` for `MCIClient.load<Tools>(…)`, and a type for each input and
 * output. The same tools always give the same text.
 */
export function generateTypes(tools: readonly TypedTool[], source: string): string {
  const names = new TypeNames();
  const members: string[] = [];
  const types: string[] = [];
  for (const { name, description, inputSchema, outputSchema } of tools) {
    const declare = (suffix: string, schema: unknown, isInput: boolean) => {
      const declared = new SchemaTypes(names, { schema, isInput }).declare(`${name} ${suffix}`);
      types.push(...declared.declarations);
      return declared.type;
    };
    const input = hasProperties(inputSchema)
      ? declare("Input", inputSchema, true)
      : "{ [name: string]: unknown }";
    const output = outputSchema === undefined ? "unknown" : declare("Output", outputSchema, false);
    members.push(
      `${docComment(description, "  ")}  ${propertyName(name)}: { input: ${input}; output: ${output} };\n`,
    );
  }
  const head = `// The types of the tools in ${oneLine(source)}. Written by 'mci types'; run it again instead of editing this file.\n`;
  return [head, `export interface Tools {\n${members.join("")}}\n`, ...types].join("\n");
}

/** Without a schema, or with an empty one, a tool takes any properties. */
function hasProperties(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  return Object.entries(schema).some(([keyword, value]) => {
    if (keyword === "properties") return Object.keys((value ?? {}) as object).length > 0;
    return !/^\$(schema|id|comment)$/.test(keyword) && keyword !== "type";
  });
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, " ");
}
