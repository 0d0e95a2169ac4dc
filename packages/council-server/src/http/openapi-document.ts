import { z } from "zod";
import { failure, type ResponseDoc, type Route } from "./route.ts";

type Json = Record<string, unknown>;

/** The OpenAPI document, generated from the routes: the schemas that check requests also describe them. */
export function createOpenApiDocument(routes: readonly Route[], version: string): Json {
  const components: Json = {};
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method]: operation(route, components) };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Council",
      version,
      license: { name: "MIT", identifier: "MIT" },
      description: "Answers prompts by first-to-ahead-by-k voting, a council with a judge, or decomposition.",
    },
    servers: [{ url: "/", description: "This service." }],
    paths,
    components: { schemas: components, securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
    // The empty alternative: on loopback a token is optional.
    security: [{}, { bearer: [] }],
  };
}

/** Raised before a route is chosen: in the service's own shape, below /v1 in that of its protocol. */
const forbidden = ({ path, failure: own }: Route): ResponseDoc =>
  failure("The Host or Origin is not allowed.", path.startsWith("/v1/") ? own?.schema : undefined);
const SERVER_FAILURES = { 500: "A bug in the service; its log has the details." };
const GUARD_FAILURES = { 401: "The token is missing or wrong.", 429: "Too many requests; see Retry-After." };
const BODY_FAILURES = {
  400: "The body is invalid.",
  413: "The body is larger than the limit.",
  415: "The Content-Type is not JSON.",
};

function operation(route: Route, components: Json): Json {
  const failures = {
    ...(route.public ? {} : GUARD_FAILURES),
    ...(route.body ? BODY_FAILURES : {}),
    ...SERVER_FAILURES,
  };
  const documented: Readonly<Record<number, ResponseDoc>> = {
    403: forbidden(route),
    ...Object.fromEntries(
      Object.entries(failures).map(([status, text]) => [status, failure(text, route.failure?.schema)]),
    ),
    ...route.responses,
  };
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  return {
    summary: route.summary,
    operationId: [route.method, ...route.path.split(/\W+/).map(capitalize)].join(""),
    ...(route.public ? { security: [] } : {}),
    parameters: [
      ...names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
      ...parameters("query", route.query, components),
      ...parameters("header", route.headers, components),
    ],
    ...(route.body
      ? {
          requestBody: {
            required: true,
            content: { "application/json": { schema: toSchema(route.body, components, "input") } },
          },
        }
      : {}),
    responses: Object.fromEntries(
      Object.entries(documented).map(([status, { description, content }]) => [
        status,
        { description, ...(content ? { content: contentSchemas(content, components) } : {}) },
      ]),
    ),
  };
}

const capitalize = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);

function parameters(place: "query" | "header", fields: z.ZodObject | undefined, components: Json): Json[] {
  if (!fields) return [];
  const { properties = {}, required = [] } = toSchema(fields, components, "input") as {
    properties?: Json;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest } = schema as { description?: string };
    return {
      name,
      in: place,
      required: required.includes(name),
      ...(description ? { description } : {}),
      schema: rest,
    };
  });
}

function contentSchemas(content: NonNullable<ResponseDoc["content"]>, components: Json): Json {
  return Object.fromEntries(
    Object.entries(content).map(([type, schema]) => [
      type,
      { schema: schema ? toSchema(schema, components, "output") : { type: "string" } },
    ]),
  );
}

/** Named schemas are moved to the components and referenced. */
function toSchema(schema: z.ZodType, components: Json, io: "input" | "output"): Json {
  const {
    $schema: _,
    $defs = {},
    ...root
  } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Json & { $defs?: Json };
  Object.assign(components, rewriteRefs($defs) as Json);
  const { id, ...rest } = rewriteRefs(root) as Json & { id?: string };
  if (id === undefined) return rest;
  components[id] = rest;
  return { $ref: `#/components/schemas/${id}` };
}

/** Also leaves out `additionalProperties: {}`: it says what is the default, but makes generated types vague. */
function rewriteRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewriteRefs);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => key !== "additionalProperties" || JSON.stringify(inner) !== "{}")
      .map(([key, inner]) => [
        key,
        key === "$ref" && typeof inner === "string"
          ? inner.replace("#/$defs/", "#/components/schemas/")
          : rewriteRefs(inner),
      ]),
  );
}
