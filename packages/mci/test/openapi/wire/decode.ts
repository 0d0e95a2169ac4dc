// biome-ignore-all lint/suspicious/noExplicitAny: documents may have any shape
import { type Parameter, resolve } from "./contract.ts";

type Json = Record<string, any>;
type Source = string | string[] | undefined | [string, string][];

/** The value that a server would read; undefined if the parameter was not sent. Names it used are added to `used`. */
export function decodeParameter(
  parameter: Parameter,
  source: Source,
  document: Json,
  used: Set<string>,
): unknown {
  const { schema, json } = parameter;
  if (source === undefined) return undefined;
  if (parameter.in === "path") return decodePath(parameter, source as string, document);
  if (parameter.in === "header") {
    const text = String(source);
    return json ? JSON.parse(text) : split(text, ",", parameter, document, parameter.explode, (item) => item);
  }
  const pairs = source as [string, string][];
  return decodePairs(parameter, pairs, schema, json, document, used);
}

function decodePairs(
  parameter: Parameter,
  pairs: [string, string][],
  schema: Json,
  json: boolean,
  document: Json,
  used: Set<string>,
): unknown {
  const { name, style, explode } = parameter;
  const own = pairs.filter(([key]) => key === name);
  const kinds = kindsOf(schema, document);
  if (style === "deepObject") return decodeBrackets(name, pairs, schema, document, used);
  if (kinds.has("object") && explode && !json && own.length === 0) {
    const properties = Object.keys(propertiesOf(schema, document));
    const found = pairs.filter(([key]) =>
      properties.length === 0 ? key === "key" || /^key\d$/.test(key) : properties.includes(key),
    );
    for (const [key] of found) used.add(key);
    if (found.length === 0) return properties.length === 0 ? undefined : undefined;
    return Object.fromEntries(
      found.map(([key, value]) => [
        key,
        decodeValue(decodeURIComponent(value), propertiesOf(schema, document)[key] ?? {}, document),
      ]),
    );
  }
  if (own.length === 0) return undefined;
  used.add(name);
  if (json) return JSON.parse(decodeURIComponent(own[0]![1]));
  const isText = kinds.has("string") && own.length === 1;
  if (kinds.has("array") && explode && !isText) {
    const items = resolve(document, arrayBranch(schema, document)).items ?? {};
    return own.map(([, value]) => decodeValue(decodeURIComponent(value), items, document));
  }
  const separator = { spaceDelimited: "%20", pipeDelimited: "%7C", tabDelimited: "%09" }[style] ?? ",";
  return split(own[0]![1], separator, parameter, document, false, decodeURIComponent);
}

function split(
  text: string,
  separator: string,
  { schema }: Parameter,
  document: Json,
  explode: boolean,
  decode: (text: string) => string,
): unknown {
  const kinds = kindsOf(schema, document);
  if (kinds.has("array") && kinds.has("string") && !text.includes(separator)) return decode(text);
  if (kinds.has("array")) {
    const items = resolve(document, arrayBranch(schema, document)).items ?? {};
    return text.split(separator).map((item) => decodeValue(decode(item), items, document));
  }
  if (!kinds.has("object")) return decodeValue(decode(text), schema, document);
  const pieces = text.split(separator);
  const entries = explode
    ? pieces.map((piece) => piece.split("="))
    : Array.from({ length: Math.ceil(pieces.length / 2) }, (_, index) =>
        pieces.slice(index * 2, index * 2 + 2),
      );
  const properties = propertiesOf(schema, document);
  return Object.fromEntries(
    entries.map(([key, value]) => [
      decode(key!),
      decodeValue(decode(value ?? ""), properties[decode(key!)] ?? {}, document),
    ]),
  );
}

function decodePath(parameter: Parameter, raw: string, document: Json): unknown {
  const { style, explode, name } = parameter;
  if (style === "label")
    return split(raw.slice(1), explode ? "." : ",", parameter, document, explode, decodeURIComponent);
  if (style !== "matrix") return split(raw, ",", parameter, document, explode, decodeURIComponent);
  const kinds = kindsOf(parameter.schema, document);
  if (explode && kinds.has("array")) {
    return split(
      raw
        .split(";")
        .slice(1)
        .map((item) => item.slice(name.length + 1))
        .join(","),
      ",",
      parameter,
      document,
      false,
      decodeURIComponent,
    );
  }
  if (explode && kinds.has("object"))
    return split(raw.slice(1), ";", parameter, document, true, decodeURIComponent);
  return split(raw.slice(name.length + 2), ",", parameter, document, false, decodeURIComponent);
}

function decodeBrackets(
  name: string,
  pairs: [string, string][],
  schema: Json,
  document: Json,
  used: Set<string>,
): unknown {
  const own = pairs.filter(([key]) => key === name || key.startsWith(`${name}[`));
  if (own.length === 0) return undefined;
  let tree: any;
  for (const [key, value] of own) {
    used.add(key);
    const steps = [...key.slice(name.length).matchAll(/\[([^\]]*)\]/g)].map((match) => match[1]!);
    tree = insert(tree, steps, decodeURIComponent(value));
  }
  return retype(tree, schema, document);
}

function insert(tree: any, [step, ...rest]: string[], value: string): any {
  if (step === undefined) return value;
  if (step === "") return [...(Array.isArray(tree) ? tree : []), insert(undefined, rest, value)];
  const node = tree ?? {};
  node[step] = insert(node[step], rest, value);
  return node;
}

function retype(value: any, schema: Json, document: Json): unknown {
  const resolved = arrayOrObject(schema, value, document);
  if (Array.isArray(value)) return value.map((item) => retype(item, resolved.items ?? {}, document));
  if (typeof value !== "object") return decodeValue(value, schema, document);
  if (kindsOf(resolved, document).has("array") || Object.keys(value).every((key) => /^\d+$/.test(key)))
    return Object.values(value).map((item) => retype(item, resolved.items ?? {}, document));
  const properties = propertiesOf(resolved, document);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      retype(item, properties[key] ?? resolved.additionalProperties ?? {}, document),
    ]),
  );
}

function arrayOrObject(schema: Json, value: unknown, document: Json): Json {
  const resolved = resolve(document, schema);
  const wanted = Array.isArray(value) ? "array" : "object";
  const branches = [...(resolved.anyOf ?? []), ...(resolved.oneOf ?? [])].map((branch) =>
    resolve(document, branch),
  );
  return branches.find((branch) => kindsOf(branch, document).has(wanted)) ?? resolved;
}

function arrayBranch(schema: Json, document: Json): Json {
  return arrayOrObject(schema, [], document);
}

export function propertiesOf(schema: unknown, document: Json): Json {
  const resolved = resolve(document, schema);
  const parts = [...(resolved.allOf ?? []), ...(resolved.anyOf ?? []), ...(resolved.oneOf ?? [])];
  return Object.assign({}, ...parts.map((part) => propertiesOf(part, document)), resolved.properties);
}

/** Kinds of value that a schema allows, as far as it says. */
export function kindsOf(schema: unknown, document: Json, depth = 0): Set<string> {
  const resolved = resolve(document, schema);
  const own = [resolved.type].flat().filter((type) => type !== undefined);
  if (own.length > 0) return new Set(own);
  if (depth > 10) return new Set();
  const parts = [...(resolved.allOf ?? []), ...(resolved.anyOf ?? []), ...(resolved.oneOf ?? [])];
  const found = new Set<string>(parts.flatMap((part) => [...kindsOf(part, document, depth + 1)]));
  if (resolved.properties) found.add("object");
  if (resolved.items) found.add("array");
  return found;
}

/** Text in the type that its schema asks for. */
export function decodeValue(text: string, schema: unknown, document: Json): unknown {
  const kinds = kindsOf(schema, document);
  if ((kinds.has("object") || kinds.has("array")) && /^[[{]/.test(text)) return JSON.parse(text);
  if ((kinds.has("integer") || kinds.has("number")) && /^-?\d/.test(text)) return Number(text);
  if (kinds.has("boolean") && /^(true|false)$/.test(text)) return text === "true";
  if (kinds.has("string")) return text;
  return text;
}
