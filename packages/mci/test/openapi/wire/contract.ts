// biome-ignore-all lint/suspicious/noExplicitAny: documents may have any shape
/**
 * What a document says about the request of one operation, read independently: nothing here uses the importer, so that a
 * misunderstanding there does not hide itself.
 */
type Json = Record<string, any>;

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  readonly required: boolean;
  readonly schema: Json;
  readonly style: string;
  readonly explode: boolean;
  /** The value is JSON text. */
  readonly json: boolean;
}

export interface Contract {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly required: boolean; readonly content: Readonly<Record<string, Json>> };
  /** Alternatives; in each, all schemes are needed. */
  readonly security: readonly Json[];
  readonly schemes: Readonly<Record<string, Json>>;
  readonly document: Json;
}

const STYLES: Record<string, [style: string, explode: boolean]> = {
  csv: ["form", false],
  ssv: ["spaceDelimited", false],
  tsv: ["tabDelimited", false],
  pipes: ["pipeDelimited", false],
  multi: ["form", true],
};

export function contractOf(document: Json, method: string, path: string): Contract {
  const item = resolve(document, document.paths[path]);
  const operation: Json = item[method.toLowerCase()];
  const byKey = new Map<string, Json>();
  for (const raw of [...(item.parameters ?? []), ...(operation.parameters ?? [])]) {
    const parameter = resolve(document, raw);
    byKey.set(`${parameter.in} ${parameter.in === "body" ? "" : parameter.name}`, parameter);
  }
  const all = [...byKey.values()];
  const isSwagger = document.swagger !== undefined;
  const parameters = all
    .filter((parameter) => ["path", "query", "header", "cookie"].includes(parameter.in))
    .filter((parameter) => !isIgnored(parameter))
    .map((parameter) => (isSwagger ? fromSwagger(parameter) : fromOpenApi(parameter)));
  return {
    method: method.toUpperCase(),
    path,
    parameters,
    body: isSwagger ? swaggerBody(document, operation, all) : openApiBody(document, operation),
    security: operation.security ?? document.security ?? [],
    schemes: (isSwagger ? document.securityDefinitions : document.components?.securitySchemes) ?? {},
    document,
  };
}

function isIgnored({ in: place, name }: Json): boolean {
  return (
    place === "header" && ["accept", "content-type", "authorization"].includes(String(name).toLowerCase())
  );
}

function fromOpenApi(parameter: Json): Parameter {
  const [type] = Object.keys(parameter.content ?? {});
  const usual = parameter.in === "query" || parameter.in === "cookie" ? "form" : "simple";
  const style = parameter.style ?? usual;
  return {
    name: parameter.name,
    in: parameter.in,
    required: parameter.required === true,
    schema: (type === undefined ? parameter.schema : parameter.content[type].schema) ?? {},
    style,
    explode: parameter.explode ?? style === "form",
    json: type !== undefined && /json/.test(type),
  };
}

function fromSwagger(parameter: Json): Parameter {
  const isSimple = parameter.in === "path" || parameter.in === "header";
  const [style, explode] = STYLES[parameter.collectionFormat ?? "csv"]!;
  return {
    name: parameter.name,
    in: parameter.in,
    required: parameter.required === true,
    schema: parameter.schema ?? withoutKeys(parameter),
    style: isSimple ? "simple" : style,
    explode: isSimple ? false : explode,
    json: false,
  };
}

function withoutKeys({ name, in: _, required, description, collectionFormat, ...schema }: Json): Json {
  return schema;
}

function openApiBody(document: Json, operation: Json): Contract["body"] {
  if (operation.requestBody === undefined) return undefined;
  const body = resolve(document, operation.requestBody);
  return { required: body.required === true, content: body.content ?? {} };
}

function swaggerBody(document: Json, operation: Json, parameters: readonly Json[]): Contract["body"] {
  const consumes: string[] = operation.consumes ?? document.consumes ?? [];
  const body = parameters.find((parameter) => parameter.in === "body");
  if (body !== undefined) {
    const types = consumes.length > 0 ? consumes : ["application/json"];
    return {
      required: body.required === true,
      content: Object.fromEntries(types.map((type) => [type, { schema: body.schema }])),
    };
  }
  const fields = parameters.filter((parameter) => parameter.in === "formData");
  if (fields.length === 0) return undefined;
  const hasFile = fields.some(({ type }) => type === "file");
  const media = {
    schema: {
      type: "object",
      properties: Object.fromEntries(
        fields.map((field) => [
          field.name,
          field.type === "file" ? { type: "string", format: "binary" } : withoutKeys(field),
        ]),
      ),
      required: fields.filter(({ required }) => required === true).map(({ name }) => name),
    },
    encoding: Object.fromEntries(
      fields
        .filter(({ type }) => type === "array")
        .map((field) => {
          const [style, explode] = STYLES[field.collectionFormat ?? "csv"]!;
          return [field.name, { style, explode }];
        }),
    ),
  };
  const declared = consumes.filter((type) => /x-www-form-urlencoded|multipart/.test(type));
  const types = hasFile
    ? ["multipart/form-data"]
    : declared.length > 0
      ? declared
      : ["application/x-www-form-urlencoded"];
  return {
    required: media.schema.required.length > 0,
    content: Object.fromEntries(types.map((type) => [type, media])),
  };
}

/** Follows local references; fields beside one are added. */
export function resolve(document: Json, value: any): any {
  let current = value;
  for (let hops = 0; typeof current?.$ref === "string" && hops < 50; hops++) {
    const steps = current.$ref
      .slice(2)
      .split("/")
      .map((step: string) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"));
    const { $ref, ...beside } = current;
    current = { ...steps.reduce((node: any, step: string) => node?.[step], document), ...beside };
  }
  return current ?? {};
}
