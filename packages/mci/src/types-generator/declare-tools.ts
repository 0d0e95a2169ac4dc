import { docComment } from "./doc-comment.ts";
import { SchemaTypes } from "./schema-types.ts";
import { propertyName, TypeNames } from "./type-names.ts";

/** Tools as code calls them: one TypeScript declaration, for a model to write code by. */
export function declareTools(
  tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: object;
    readonly outputSchema?: object;
    readonly annotations: { readonly readOnlyHint?: boolean };
  }[],
): string {
  const names = new TypeNames();
  const types: string[] = [];
  const declare = (name: string, schema: object, isInput: boolean) => {
    const declared = new SchemaTypes(names, { schema, isInput }).declare(name);
    types.push(...declared.declarations.map((text) => text.replace(/^export /m, "")));
    return declared.type;
  };
  const members = tools.map(({ name, description, inputSchema, outputSchema, annotations }) => {
    const input = declare(`${name} Input`, inputSchema, true);
    const output = outputSchema === undefined ? "any" : declare(`${name} Output`, outputSchema, false);
    const kind = annotations.readOnlyHint === true ? "" : " Writes.";
    const comment = docComment(shorten(description) + kind, "  ");
    return `${comment}  ${propertyName(name)}(input: ${input}): Promise<${output}>;\n`;
  });
  return [`declare const tools: {\n${members.join("")}};`, ...types].join("\n");
}

function shorten(text: string): string {
  return text.length <= 300 ? text : `${text.slice(0, 299)}…`;
}
