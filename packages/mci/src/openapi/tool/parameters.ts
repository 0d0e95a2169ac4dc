import { isObject } from "@mci-ts/primitives/is-object";
import { Setting } from "../../template/setting.ts";
import { SkippedOperation } from "../errors.ts";
import { field, type JsonObject, objectField, textField } from "../json.ts";
import type { LeftOut } from "../left-out.ts";
import type { Operation } from "../read/operations.ts";
import type { References } from "../read/references.ts";
import type { SchemaConverter } from "../schema/convert.ts";
import type { Schema } from "../schema/schema.ts";
import { shapesOf } from "../schema/shapes.ts";
import type { Draft, WireStyle } from "./draft.ts";
import type { Credentials } from "./security.ts";
import { encodeUrlText } from "./servers.ts";

export interface ParameterContext {
  readonly references: References;
  readonly converter: SchemaConverter;
  readonly credentials: Credentials;
  readonly maxDescription: number;
  readonly leftOut: LeftOut;
}

/** Puts the path and the parameters of an operation into a draft. */
export function addParameters(operation: Operation, draft: Draft, context: ParameterContext): void {
  const parameters = operation.parameters.filter((parameter) => isAsked(parameter, context));
  addPath(operation, parameters, draft, context);
  for (const parameter of parameters) {
    const place = String(parameter.in);
    if (place === "path") {
      if (!operation.path.includes(`{${parameter.name}}`))
        context.leftOut.add("parameters", String(parameter.name));
      continue;
    }
    if (place === "query" || place === "header" || place === "cookie")
      addTo(place, parameter, draft, context);
    else if (place === "querystring") addQuerystring(parameter, draft, context);
    else throw new SkippedOperation(`parameter '${parameter.name}' has the unknown place '${place}'`);
  }
}

/** The specification leaves these three to the request itself; credentials come from variables, not from a model. */
const RESERVED_HEADERS = ["accept", "content-type", "authorization"];

function isAsked(
  parameter: JsonObject,
  { credentials: { carriers, auth }, leftOut }: ParameterContext,
): boolean {
  const name = String(parameter.name).toLowerCase();
  if (carriers.has(`${parameter.in} ${name}`)) return false;
  if (parameter.in !== "header" || !RESERVED_HEADERS.includes(name)) return true;
  if (name !== "authorization" || auth === undefined) leftOut.add("parameters", String(parameter.name));
  return false;
}

function addPath(
  { path }: Operation,
  parameters: readonly JsonObject[],
  draft: Draft,
  context: ParameterContext,
): void {
  const byName = new Map(parameters.filter((item) => item.in === "path").map((item) => [item.name, item]));
  for (const [index, piece] of path.split(/\{([^{}]*)\}/).entries()) {
    if (index % 2 === 0) {
      draft.url.push(encodeUrlText(piece));
      continue;
    }
    if (draft.pathParams.has(piece)) {
      draft.url.push(`{${piece}}`);
      continue;
    }
    // A path that names a parameter which is declared nowhere is a common mistake; the value is still needed.
    const parameter = byName.get(piece) ?? { name: piece, in: "path", schema: { type: "string" } };
    const { schema, style } = read({ ...parameter, required: true }, "simple", context);
    if (schema.type === "string" && schema.enum === undefined) schema.minLength ??= 1;
    const property = draft.ask(piece, "path", schema, true);
    if (style === undefined) draft.url.push(Setting.text(property));
    else {
      const name = encodeUrlText(piece);
      draft.url.push(`{${name}}`);
      draft.pathParams.set(name, Setting.value(property));
      draft.styles.path.set(name, style);
    }
  }
}

/** Where a parameter goes: which setting of the execution has it, and how it is written if it says nothing. */
const PLACES = {
  query: { setting: "params", style: "form" },
  header: { setting: "headers", style: "simple" },
  cookie: { setting: "cookies", style: "form" },
} as const;

function addTo(
  place: keyof typeof PLACES,
  parameter: JsonObject,
  draft: Draft,
  context: ParameterContext,
): void {
  const name = String(parameter.name);
  const { setting, style: usual } = PLACES[place];
  const { schema, style } = read(parameter, usual, context);
  const property = draft.ask(name, place, schema, parameter.required === true);
  const isText = place !== "query" && style === undefined;
  draft[setting].set(name, isText ? Setting.text(property) : Setting.value(property));
  if (style !== undefined) draft.styles[place].set(name, style);
}

/** OpenAPI 3.2: the whole query as one value. As a form it is an object whose properties are parameters. */
function addQuerystring(parameter: JsonObject, draft: Draft, context: ParameterContext): void {
  const media = objectField(objectField(parameter, "content"), "application/x-www-form-urlencoded");
  if (!isObject(media.schema)) throw new SkippedOperation("its query string is not a form");
  const property = draft.ask(
    String(parameter.name),
    "query",
    { ...context.converter.convert(media.schema), ...described(parameter, context) },
    parameter.required === true,
  );
  draft.params.set(String(parameter.name), Setting.value(property));
  draft.styles.query.set(String(parameter.name), "form");
}

/** A parameter's schema, and its style where the value may be more than one piece of text. */
function read(
  parameter: JsonObject,
  usual: "form" | "simple",
  context: ParameterContext,
): { readonly schema: Schema; readonly style: WireStyle | undefined } {
  const { converter } = context;
  const [[type, media] = []] = Object.entries(objectField(parameter, "content"));
  const raw = type === undefined ? field(parameter, "schema") : field(media, "schema");
  const schema = { ...converter.convert(raw ?? {}), ...described(parameter, context, raw) };
  if (type !== undefined) return { schema, style: /json/i.test(type) ? "json" : undefined };
  const style = textField(parameter, "style") ?? usual;
  const explode =
    typeof parameter.explode === "boolean" ? parameter.explode : style === "form" || style === "cookie";
  const allowReserved = parameter.allowReserved === true;
  const { maybeList, maybeObject } = shapesOf(schema, converter.definitions);
  const isDefault = style === usual && !allowReserved;
  // `params` repeat the name of a list by themselves, and a single text needs no style.
  const isPlain =
    isDefault && !maybeObject && (!maybeList || (usual === "form" && explode && parameter.in === "query"));
  return { schema, style: isPlain ? undefined : wireStyle(style, explode, allowReserved) };
}

export function wireStyle(style: string, explode: boolean, allowReserved: boolean): WireStyle {
  const usual = style === "form" || style === "deepObject" || style === "cookie";
  if (explode === usual && !allowReserved) return style;
  return { style, ...(explode === usual ? {} : { explode }), ...(allowReserved ? { allowReserved } : {}) };
}

/** The parameter's own description, else that of its schema. */
function described(parameter: JsonObject, { converter }: ParameterContext, raw?: unknown): Schema {
  const text = textField(parameter, "description");
  const deprecated = parameter.deprecated === true ? { deprecated: true } : {};
  if (text === undefined) return deprecated;
  const fallback = field(raw, "default");
  const note =
    fallback === undefined || fallback === null || fallback === ""
      ? ""
      : `\nDefault: ${describeValue(fallback)}`;
  return {
    description: `${converter.cut(text)}${note.length > 120 ? "" : note}`,
    ...deprecated,
  };
}

function describeValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
