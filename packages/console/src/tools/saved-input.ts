import { isObject } from "@mci-ts/primitives/is-object";
import { takesPassword } from "../../serve/tools/takes-password.ts";
import { type FormSchema, resolveSchema } from "../parts/form/json-schema.ts";
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
  writeStored(KEY + tool, input && (takesPassword(schema) ? withoutPasswords(schema, input, schema) : input));
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

/** Whether a JSON text, valid or not, has no place for a password: it names nothing that may hold one. */
export function isWithoutPasswords(schema: FormSchema, text: string): boolean {
  if (!takesPassword(schema)) return true;
  const { properties = {}, additionalProperties, oneOf, anyOf } = resolveSchema(schema, schema);
  // Names may be written with escapes.
  if (oneOf ?? anyOf ?? (mayTakePassword((additionalProperties ?? {}) as FormSchema) || text.includes("\\u")))
    return false;
  return Object.entries(properties).every(
    ([name, property]) => !text.includes(name) || !mayTakePassword(resolveSchema(property, schema)),
  );
}

function withoutPasswords(
  schema: FormSchema,
  value: Record<string, unknown>,
  root: FormSchema,
): Record<string, unknown> {
  const { properties = {}, additionalProperties, oneOf, anyOf } = resolveSchema(schema, root);
  // Which shape it has is not known here, so neither what of it is a password.
  if (oneOf ?? anyOf) return {};
  const entries = Object.entries(value).flatMap(([name, each]) => {
    const written = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    const property = isObject(written) ? resolveSchema(written as FormSchema, root) : {};
    if (!mayTakePassword(property)) return [[name, each]];
    return isObject(each) && property.properties ? [[name, withoutPasswords(property, each, root)]] : [];
  });
  return Object.fromEntries(entries);
}

/** What stands behind a reference further inside is not looked up. */
const mayTakePassword = (schema: FormSchema) =>
  takesPassword(schema) || JSON.stringify(schema).includes('"$ref"');
