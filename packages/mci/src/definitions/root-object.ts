import { anyOf, isSchema, type JsonSchema, type ReportLoss } from "./json-schema.ts";

/** The outermost schema of a tool's input: an object with properties, and no choice between several objects. */
export interface ObjectSchema extends JsonSchema {
  type: "object";
  properties: Record<string, JsonSchema>;
  required?: string[];
}

/**
 * A schema as every provider wants the outermost one. `allOf` becomes one object. Of `oneOf` and `anyOf` all properties
 * are offered, those are required that every branch requires, and the description lists the choices.
 */
export function rootObject(schema: JsonSchema, report: ReportLoss = () => {}): ObjectSchema {
  const { allOf, oneOf, anyOf: any, ...own } = inlinedRoot(schema);
  let merged = asObject(own);
  for (const part of branches(allOf)) merged = both(merged, rootObject(part, report));
  for (const choices of [branches(oneOf), branches(any)]) {
    if (choices.length === 0) continue;
    const objects = choices.map((choice) => rootObject(choice, report));
    report("a choice between objects at the root is offered as one object with all their properties");
    merged = both(merged, oneOfThem(objects));
  }
  for (const keyword of REFUSED) {
    if (!(keyword in merged)) continue;
    report(`'${keyword}' at the root is left out`);
    delete merged[keyword];
  }
  return merged;
}

const REFUSED = ["not", "enum", "const"] as const;

/** A root that is itself a reference to a definition that leads back to itself. */
function inlinedRoot(schema: JsonSchema): JsonSchema {
  const { $ref, $defs } = schema;
  const name = typeof $ref === "string" ? /^#\/\$defs\/(.+)$/.exec($ref)?.[1] : undefined;
  const target = name !== undefined && isSchema($defs) ? $defs[name] : undefined;
  return isSchema(target) ? { ...target, $defs } : schema;
}

function branches(list: unknown): JsonSchema[] {
  // A branch that is only null says that there may be no input at all, which no call has.
  return Array.isArray(list) ? list.filter((item) => isSchema(item) && item["type"] !== "null") : [];
}

function asObject(schema: JsonSchema): ObjectSchema {
  const properties = isSchema(schema["properties"]) ? schema["properties"] : {};
  return { ...schema, type: "object", properties: { ...properties } as ObjectSchema["properties"] };
}

function both(a: ObjectSchema, b: ObjectSchema): ObjectSchema {
  const properties = { ...a.properties };
  for (const [name, schema] of Object.entries(b.properties)) {
    const existing = properties[name];
    properties[name] = existing === undefined ? schema : narrower(existing, schema);
  }
  const required = [...new Set([...(a.required ?? []), ...(b.required ?? [])])];
  const description = [a["description"], b["description"]].filter((text) => text !== undefined).join(" ");
  return {
    ...b,
    ...a,
    properties,
    ...(required.length > 0 ? { required } : {}),
    ...(description === "" ? {} : { description }),
  };
}

/** Both hold. Mostly one of them says nothing (`{}`), or they are the same. */
function narrower(a: JsonSchema, b: JsonSchema): JsonSchema {
  return { ...b, ...a };
}

function oneOfThem(objects: readonly ObjectSchema[]): ObjectSchema {
  const names = [...new Set(objects.flatMap(({ properties }) => Object.keys(properties)))];
  const properties = names.map((name) => {
    const variants = objects.flatMap((object) => object.properties[name] ?? []);
    return [name, anyOf(variants)] as const;
  });
  const [first, ...others] = objects.map(({ required }) => new Set(required));
  const required = [...first!].filter((name) => others.every((other) => other.has(name)));
  const choices = objects.map(describe);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
    ...(objects.length > 1 ? { description: `Give one of: ${choices.join("; or ")}.` } : {}),
  };
}

function describe({ required = [], properties, title }: ObjectSchema): string {
  const names = required.length > 0 ? required : Object.keys(properties);
  const values = names.map((name) => {
    const { const: value } = properties[name] ?? {};
    return value === undefined ? name : `${name} = ${JSON.stringify(value)}`;
  });
  return `${typeof title === "string" ? `${title}: ` : ""}${values.join(", ") || "nothing"}`;
}
