import { isObject } from "@mci-ts/primitives/is-object";
import { Setting } from "../../template/setting.ts";
import { SkippedOperation } from "../errors.ts";
import { field, type JsonObject, listField, objectField, textField } from "../json.ts";
import type { Operation } from "../read/operations.ts";
import { isReadOnly } from "../schema/keywords.ts";
import type { Schema } from "../schema/schema.ts";
import { shapesOf } from "../schema/shapes.ts";
import { type BodyKind, chooseMedia, type Media } from "./body-media.ts";
import type { Draft, WireStyle } from "./draft.ts";
import { type ParameterContext, wireStyle } from "./parameters.ts";

/** Puts the body of an operation into a draft: its properties where it is an object, else one property `body`. */
export function addBody(operation: Operation, draft: Draft, context: ParameterContext): void {
  const declared = field(operation.value, "requestBody");
  if (declared === undefined || declared === null) return;
  const body = context.references.resolve(declared);
  if (body === undefined) throw new SkippedOperation("the reference of its request body does not resolve");
  const media = chooseMedia(objectField(body, "content"), context);
  if (media === undefined) return;
  const required = field(body, "required") === true;
  const contentType = WRITERS[media.kind](media, body, required, draft, context);
  if (contentType !== undefined && contentType !== USUAL_TYPES[media.kind] && !contentType.includes("*"))
    draft.headers.set("Content-Type", contentType);
}

/** What the executor sends by itself. */
const USUAL_TYPES: Readonly<Record<BodyKind, string>> = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  multipart: "multipart/form-data",
  text: "text/plain",
  file: "", // By the file's name, which the document may not allow.
};

/** Puts a body of one kind into the draft; gives the content type to send. */
type Writer = (
  media: Media,
  body: JsonObject,
  required: boolean,
  draft: Draft,
  context: ParameterContext,
) => string | undefined;

const WRITERS: Readonly<Record<BodyKind, Writer>> = {
  json(media, body, required, draft, context) {
    const fields = flatten(media, required, draft, context);
    const content = fields ? fromEntries(fields) : whole(media, body, required, draft, context);
    draft.body = { type: "json", content, ...(fields && !required ? { omitEmpty: true } : {}) };
    return media.type;
  },

  form(media, body, required, draft, context) {
    const fields = flatten(media, required, draft, context);
    const content = fields ? fromEntries(fields) : whole(media, body, required, draft, context);
    const encoding = fields
      ? fields.flatMap((item) => formStyle(item, media, context))
      : [["*", "deepObject"] as [string, WireStyle]];
    draft.body = {
      type: "form",
      content,
      ...(encoding.length > 0 ? { encoding: Object.fromEntries(encoding) } : {}),
      ...(fields && !required ? { omitEmpty: true } : {}),
    };
    return media.type;
  },

  multipart(media, body, required, draft, context) {
    const fields = flatten(media, required, draft, context);
    if (fields === undefined) {
      const { maybeList } = shapesOf(
        context.converter.convert(media.schema ?? {}),
        context.converter.definitions,
      );
      if (maybeList) throw new SkippedOperation("its multipart body is a list whose parts have no names");
      const content = whole(media, body, required, draft, context);
      draft.body = { type: "multipart", content, ...(required ? {} : { omitEmpty: true }) };
      return undefined;
    }
    const isFile = ({ schema }: Field) => shapesOf(schema, context.converter.definitions).isBinary;
    const files = fields.filter(isFile).map(({ name, property }) => [name, filePart(name, property, media)]);
    const encoded = fields.filter((item) => !isFile(item));
    for (const { schema } of fields.filter(isFile)) askForFile(schema, context);
    const types = encoded.flatMap(({ name }) => partType(name, media));
    draft.body = {
      type: "multipart",
      content: fromEntries(encoded),
      ...(files.length > 0 ? { files: Object.fromEntries(files) } : {}),
      ...(types.length > 0 ? { contentTypes: Object.fromEntries(types) } : {}),
      ...(required ? {} : { omitEmpty: true }),
    };
    return undefined; // The boundary belongs to it.
  },

  text(media, body, required, draft, context) {
    const schema: Schema = {
      type: "string",
      description: about(body, `The request body, as ${media.type}`, context),
    };
    const property = draft.ask("body", "request", schema, required);
    draft.body = { type: "raw", content: Setting.text(property) };
    return media.type;
  },

  file(media, body, required, draft, context) {
    const schema: Schema = { type: "string", description: about(body, "The file to send", context) };
    askForFile(schema, context);
    const property = draft.ask("body", "request", schema, required);
    draft.body = { type: "file", content: Setting.text(property) };
    return media.type;
  },
};

/** A property of an object body. */
interface Field {
  readonly name: string;
  readonly property: string;
  readonly schema: Schema;
}

/** The properties of a body, asked for one by one; undefined if it is not an object with known properties. */
function flatten(
  media: Media,
  required: boolean,
  draft: Draft,
  context: ParameterContext,
): Field[] | undefined {
  const { converter } = context;
  const raw = objectSchema(media.schema, context);
  if (raw === undefined) return undefined;
  const properties = objectField(raw, "properties");
  const needed = listField(raw, "required").filter((name) => typeof name === "string");
  const extra = raw.additionalProperties === false ? [] : needed;
  const names = new Set([...Object.keys(properties), ...extra]);
  const fields: Field[] = [];
  // Converted together, so that what is read-only is left out in one place.
  const schema = converter.convert({ type: "object", properties, required: needed });
  const converted = objectField(schema, "properties");
  const requiredNames = listField(schema, "required");
  for (const name of names) {
    if (Object.hasOwn(properties, name) && !Object.hasOwn(converted, name)) continue; // read-only
    const own = { ...objectField(converted, name) };
    const property = draft.ask(name, "body", own, required && requiredNames.includes(name));
    fields.push({ name, property, schema: own });
  }
  return fields.length === 0 ? undefined : fields;
}

/** The body's schema if it is an object whose properties are all in one place. */
function objectSchema(schema: unknown, context: ParameterContext): JsonObject | undefined {
  const resolved = context.references.resolve(schema);
  if (resolved === undefined || isReadOnly(resolved)) return undefined;
  const merged = context.converter.allOf.merge(resolved);
  if (merged === undefined || !isObject(merged.properties) || merged.nullable === true) return undefined;
  const types = [merged.type].flat();
  if (merged.type !== undefined && (!types.includes("object") || types.length > 1)) return undefined;
  if (isObject(merged.discriminator)) return undefined;
  const others = merged.additionalProperties;
  if (isObject(others) && Object.keys(others).length > 0) return undefined;
  // What only holds for the object as a whole cannot be said of its properties one by one.
  if (["oneOf", "anyOf", "not", "if", "dependentRequired", "dependentSchemas"].some((key) => key in merged))
    return undefined;
  return Number(merged.minProperties ?? 0) > listField(merged, "required").length ? undefined : merged;
}

function whole(
  media: Media,
  body: JsonObject,
  required: boolean,
  draft: Draft,
  context: ParameterContext,
): Setting {
  const schema = context.converter.convert(media.schema ?? {});
  const description = about(body, undefined, context);
  const property = draft.ask(
    "body",
    "request",
    { ...schema, ...(description ? { description } : {}) },
    required,
  );
  return Setting.value(property);
}

function fromEntries(fields: readonly Field[]): Record<string, unknown> {
  return Object.fromEntries(fields.map(({ name, property }) => [name, Setting.value(property)]));
}

/** How a field of a form is written where it may be more than one text. Objects become `a[b]=c`. */
function formStyle({ name, schema }: Field, media: Media, context: ParameterContext): [string, WireStyle][] {
  const encoding = objectField(media.encoding, name);
  const { maybeList, maybeObject } = shapesOf(schema, context.converter.definitions);
  const style = textField(encoding, "style");
  const allowReserved = encoding.allowReserved === true;
  if (style === undefined && typeof encoding.explode !== "boolean" && !allowReserved) {
    if (/json/i.test(textField(encoding, "contentType") ?? "")) return [[name, "json"]];
    return maybeObject ? [[name, "deepObject"]] : [];
  }
  const chosen = style ?? "form";
  const explode = typeof encoding.explode === "boolean" ? encoding.explode : chosen === "form";
  const isPlain = chosen === "form" && explode && !maybeObject && !allowReserved;
  return isPlain || (!maybeList && !maybeObject && !allowReserved)
    ? []
    : [[name, wireStyle(chosen, explode, allowReserved)]];
}

function filePart(name: string, property: string, media: Media): object {
  const type = textField(objectField(media.encoding, name), "contentType");
  const isOne = type !== undefined && !/[,*]/.test(type);
  return { path: Setting.value(property), ...(isOne ? { contentType: type } : {}) };
}

function partType(name: string, media: Media): [string, string][] {
  const type = textField(objectField(media.encoding, name), "contentType");
  return type === undefined || /[,*]/.test(type) ? [] : [[name, type]];
}

const FILE_NOTE = "Path of the file to upload.";

/** A model names the file; its bytes never pass through the conversation. */
function askForFile(schema: Schema, context: ParameterContext): void {
  const { maybeList } = shapesOf(schema, context.converter.definitions);
  const description = [schema.description, FILE_NOTE].filter((text) => text !== undefined).join("\n");
  for (const keyword of Object.keys(schema)) delete schema[keyword];
  Object.assign(schema, maybeList ? { type: "array", items: { type: "string" } } : { type: "string" }, {
    description,
  });
}

function about(body: JsonObject, fallback: string, context: ParameterContext): string;
function about(body: JsonObject, fallback: undefined, context: ParameterContext): string | undefined;
function about(
  body: JsonObject,
  fallback: string | undefined,
  context: ParameterContext,
): string | undefined {
  const text = textField(body, "description") ?? fallback;
  return text === undefined ? undefined : context.converter.cut(text);
}
