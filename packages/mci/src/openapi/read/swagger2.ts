import { isObject } from "@mci-ts/primitives/is-object";
import { field, type JsonObject, listField, objectField, textField } from "../json.ts";
import { METHODS } from "./methods.ts";
import { References } from "./references.ts";

/** A Swagger 2 document in the form of OpenAPI 3. References into `definitions` stay as they are. */
export function upgradeSwagger(document: JsonObject): JsonObject {
  const references = new References(document);
  const paths = Object.entries(objectField(document, "paths")).map(([path, item]) => [
    path,
    upgradePath(references.resolve(item) ?? item, document, references),
  ]);
  const schemes = Object.entries(objectField(document, "securityDefinitions")).map(([name, scheme]) => [
    name,
    upgradeScheme(scheme),
  ]);
  return {
    ...document,
    openapi: "3.0.3",
    servers: serversOf(document, listField(document, "schemes")),
    paths: Object.fromEntries(paths),
    components: { securitySchemes: Object.fromEntries(schemes) },
  };
}

function serversOf(document: JsonObject, schemes: readonly unknown[]): unknown[] {
  const host = textField(document, "host");
  const basePath = (textField(document, "basePath") ?? "").replace(/\/$/, "");
  if (host === undefined) return basePath === "" ? [] : [{ url: basePath }];
  const scheme = schemes.length === 0 || schemes.includes("https") ? "https" : String(schemes[0]);
  return [{ url: `${scheme}://${host}${basePath}` }];
}

function upgradePath(item: unknown, document: JsonObject, references: References): unknown {
  if (!isObject(item)) return item;
  const shared = listField(item, "parameters");
  const upgraded = METHODS.filter((method) => isObject(field(item, method))).map((method) => [
    method,
    upgradeOperation(item[method] as JsonObject, shared, document, references),
  ]);
  return Object.fromEntries(upgraded);
}

function upgradeOperation(
  operation: JsonObject,
  shared: readonly unknown[],
  document: JsonObject,
  references: References,
): JsonObject {
  const parameters = mergeParameters(shared, listField(operation, "parameters"), references);
  const consumes = mediaTypes(operation, document, "consumes");
  const isIn = (place: string) => (parameter: JsonObject) => parameter.in === place;
  const body = parameters.find(isIn("body"));
  const fields = parameters.filter(isIn("formData"));
  const schemes = listField(operation, "schemes");
  const { consumes: _, produces, schemes: __, ...rest } = operation;
  return {
    ...rest,
    ...(schemes.length > 0 && textField(document, "host") ? { servers: serversOf(document, schemes) } : {}),
    parameters: parameters
      .filter(({ in: place }) => place !== "body" && place !== "formData")
      .map(upgradeParameter),
    ...(body ? { requestBody: bodyOf(body, consumes) } : {}),
    ...(fields.length > 0 ? { requestBody: formOf(fields, consumes) } : {}),
    responses: upgradeResponses(operation, mediaTypes(operation, document, "produces"), references),
  };
}

/** Parameters of the operation replace those of the path with the same name and place. */
function mergeParameters(
  shared: readonly unknown[],
  own: readonly unknown[],
  references: References,
): JsonObject[] {
  const merged = new Map<string, JsonObject>();
  for (const item of [...shared, ...own]) {
    const parameter = references.resolve(item);
    if (parameter) merged.set(`${parameter.in} ${parameter.in === "body" ? "" : parameter.name}`, parameter);
  }
  return [...merged.values()];
}

function mediaTypes(operation: JsonObject, document: JsonObject, kind: "consumes" | "produces"): string[] {
  const own = field(operation, kind) === undefined ? listField(document, kind) : listField(operation, kind);
  return own.filter((type) => typeof type === "string");
}

/** What a parameter of Swagger 2 says about its values besides its schema. */
const NOT_SCHEMA = ["name", "in", "description", "required", "collectionFormat", "allowEmptyValue", "schema"];

function schemaOf(parameter: JsonObject): JsonObject {
  if (isObject(parameter.schema)) return parameter.schema;
  return Object.fromEntries(
    Object.entries(parameter).filter(([key]) => !NOT_SCHEMA.includes(key) && !key.startsWith("x-")),
  );
}

const STYLES: Readonly<Record<string, { style: string; explode: boolean }>> = {
  csv: { style: "form", explode: false },
  ssv: { style: "spaceDelimited", explode: false },
  tsv: { style: "tabDelimited", explode: false },
  pipes: { style: "pipeDelimited", explode: false },
  multi: { style: "form", explode: true },
};

function styleOf(parameter: JsonObject): object {
  if (parameter.type !== "array") return {};
  const format = textField(parameter, "collectionFormat") ?? "csv";
  const style = Object.hasOwn(STYLES, format) ? STYLES[format]! : STYLES.csv!;
  // In a path or header there is one way to write a list.
  const isSimple = parameter.in === "path" || parameter.in === "header";
  return isSimple && style.style === "form" ? { style: "simple" } : style;
}

function upgradeParameter(parameter: JsonObject): JsonObject {
  const { name, in: place, description, required } = parameter;
  return { name, in: place, description, required, schema: schemaOf(parameter), ...styleOf(parameter) };
}

function bodyOf(body: JsonObject, consumes: readonly string[]): JsonObject {
  const types = consumes.length > 0 ? consumes : ["application/json"];
  const schema = isObject(body.schema) ? body.schema : {};
  return {
    description: body.description,
    required: body.required,
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
  };
}

const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";

function formOf(fields: readonly JsonObject[], consumes: readonly string[]): JsonObject {
  const hasFile = fields.some(({ type }) => type === "file");
  const declared = consumes.filter((type) => type === FORM || type === MULTIPART);
  const type = hasFile ? MULTIPART : (declared[0] ?? FORM);
  const properties = fields.map((item) => {
    const schema = item.type === "file" ? { type: "string", format: "binary" } : schemaOf(item);
    return [String(item.name), { ...schema, description: item.description }];
  });
  const encoding = fields
    .filter((item) => item.type === "array")
    .map((item) => [String(item.name), styleOf(item)]);
  const required = fields.filter((item) => item.required === true).map(({ name }) => String(name));
  const schema = { type: "object", properties: Object.fromEntries(properties), required };
  return {
    required: required.length > 0,
    content: { [type]: { schema, encoding: Object.fromEntries(encoding) } },
  };
}

function upgradeResponses(
  operation: JsonObject,
  produces: readonly string[],
  references: References,
): JsonObject {
  const types = produces.length > 0 ? produces : ["application/json"];
  const upgraded = Object.entries(objectField(operation, "responses")).map(([status, item]) => {
    const response = references.resolve(item) ?? {};
    if (!isObject(response.schema)) return [status, { description: response.description }];
    const content = Object.fromEntries(types.map((type) => [type, { schema: response.schema }]));
    return [status, { description: response.description, content }];
  });
  return Object.fromEntries(upgraded);
}

/** The flows of Swagger 2 by their present names. */
const FLOWS: Readonly<Record<string, string>> = {
  application: "clientCredentials",
  accessCode: "authorizationCode",
  implicit: "implicit",
  password: "password",
};

function upgradeScheme(scheme: unknown): unknown {
  if (!isObject(scheme)) return scheme;
  if (scheme.type === "basic") return { type: "http", scheme: "basic", description: scheme.description };
  if (scheme.type !== "oauth2") return scheme;
  const { flow, authorizationUrl, tokenUrl, scopes, description } = scheme;
  const name = typeof flow === "string" && Object.hasOwn(FLOWS, flow) ? FLOWS[flow]! : "implicit";
  return { type: "oauth2", description, flows: { [name]: { authorizationUrl, tokenUrl, scopes } } };
}
