import { isObject } from "@mci-ts/primitives/is-object";
import { type FormSchema, kindOf, resolveSchema } from "../parts/form/json-schema.ts";
import { readStored, writeStored } from "../parts/stored.ts";

const KEY = "input ";

/** What was typed into the form of a tool. It survives other screens and a reload of the page. */
export function savedInput(tool: string): Record<string, unknown> | undefined {
  return readStored(KEY + tool);
}

/** Passwords are typed again: they are stored nowhere. */
export function saveInput(
  tool: string,
  input: Record<string, unknown> | undefined,
  schema: FormSchema = {},
): void {
  writeStored(KEY + tool, input && withoutPasswords(schema, input, schema));
}

/** Another input in place of what was typed, as a form or as JSON. */
export function replaceInput(
  tool: string,
  input: Record<string, unknown> | undefined,
  schema?: FormSchema,
): void {
  saveInput(tool, input, schema);
  writeStored(`json ${tool}`, undefined);
}

function withoutPasswords(
  schema: FormSchema,
  value: Record<string, unknown>,
  root: FormSchema,
): Record<string, unknown> {
  const { properties = {} } = resolveSchema(schema, root);
  const entries = Object.entries(value).flatMap(([name, each]) => {
    const property = Object.hasOwn(properties, name) ? resolveSchema(properties[name]!, root) : {};
    if (kindOf(property) === "password") return [];
    return [[name, isObject(each) ? withoutPasswords(property, each, root) : each]];
  });
  return Object.fromEntries(entries);
}
