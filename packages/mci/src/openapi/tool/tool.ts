import { HTTP_METHODS, SAFE_METHODS } from "@mci-ts/primitives/http-methods";
import { type WrittenSettings, writeSettings } from "../../template/setting.ts";
import { SkippedOperation } from "../errors.ts";
import { type JsonObject, objectField, textField } from "../json.ts";
import type { LeftOut } from "../left-out.ts";
import type { Operation } from "../read/operations.ts";
import type { References } from "../read/references.ts";
import type { SchemaConverter } from "../schema/convert.ts";
import { outputSchemaOf } from "../schema/output.ts";
import type { Schema } from "../schema/schema.ts";
import { shrinkSchema } from "../schema/shrink.ts";
import { addBody } from "./body.ts";
import { describeOperation } from "./describe.ts";
import { Draft } from "./draft.ts";
import { type ImportedPagination, paginationOf } from "./pagination.ts";
import { addParameters } from "./parameters.ts";
import type { Security } from "./security.ts";
import { baseUrlOf, type ServerOptions } from "./servers.ts";
import type { Variables } from "./variables.ts";

/** A tool as it is written into the file. */
export interface ImportedTool {
  readonly name: string;
  readonly description: string;
  readonly annotations: Readonly<Record<string, unknown>>;
  readonly tags?: readonly string[];
  readonly inputSchema: Schema;
  readonly outputSchema?: Schema;
  readonly idempotency?: { readonly header: string };
  readonly execution: WrittenSettings;
}

export interface ToolContext {
  readonly references: References;
  readonly converter: SchemaConverter;
  readonly security: Security;
  readonly variables: Variables;
  /** The variables that the tools made so far read. */
  readonly read: Set<string>;
  readonly servers: ServerOptions;
  readonly maxDescription: number;
  readonly outputSchemas: boolean;
  /** The tools made so far whose results come in pages. */
  readonly pages: { readonly followed: string[]; readonly unclear: string[] };
  readonly leftOut: LeftOut;
}

/** Bytes of an input schema. */
const MAX_SCHEMA_BYTES = 50_000;
const SENDABLE: readonly string[] = HTTP_METHODS;

/** One operation as a tool. Throws `SkippedOperation` where the format has no words for it. */
export function makeTool(
  name: string,
  operation: Operation,
  context: ToolContext,
  warn: (message: string) => void,
): ImportedTool {
  const { references, converter, maxDescription } = context;
  if (!SENDABLE.includes(operation.method))
    throw new SkippedOperation(`the method ${operation.method} is not supported`);
  // Text right after the host would be part of it: https://api.example.com and .evil.example/x.
  if (!operation.path.startsWith("/")) throw new SkippedOperation("its path does not begin with '/'");
  const draft = new Draft();
  draft.url.push(baseUrlOf(operation, context.servers, context.variables));
  const credentials = context.security.credentialsFor(operation.value, warn);
  const { leftOut } = context;
  for (const name of Object.keys(objectField(operation.value, "callbacks")))
    leftOut.add("calls", `callback ${name}`);
  const parameterContext = { references, converter, credentials, maxDescription, leftOut };
  addParameters(operation, draft, parameterContext);
  addBody(operation, draft, parameterContext);
  for (const [key, value] of Object.entries(credentials.headers)) draft.headers.set(key, value);
  for (const [key, value] of Object.entries(credentials.params)) draft.params.set(key, value);
  for (const [key, value] of Object.entries(credentials.cookies)) draft.cookies.set(key, value);
  addAccept(operation, draft, references);
  const { schema, truncated } = shrinkSchema(inputSchemaOf(draft, converter), MAX_SCHEMA_BYTES);
  if (truncated) warn("its input schema was shortened to 50 kB");
  const pages = paginationOf(operation, references);
  if (pages !== undefined) context.pages[pages === "unclear" ? "unclear" : "followed"].push(name);
  const pagination = pages === "unclear" ? undefined : pages;
  // The pages of a list are one list, and results that are described are objects.
  const outputSchema =
    context.outputSchemas && pagination === undefined
      ? outputSchemaOf(operation.value, references)
      : undefined;
  return {
    name,
    description: converter.cut(describeOperation(operation)),
    annotations: annotationsOf(operation),
    ...(operation.tags.length > 0 ? { tags: [...new Set(operation.tags)] } : {}),
    inputSchema: schema,
    ...(outputSchema ? { outputSchema } : {}),
    ...idempotencyOf(operation, draft),
    execution: writeSettings(executionOf(operation, draft, credentials.auth, pagination), context.read),
  };
}

function inputSchemaOf(draft: Draft, converter: SchemaConverter): Schema {
  const properties = Object.fromEntries(draft.properties);
  const definitions = converter.definitions.usedBy(Object.values(properties));
  return {
    type: "object",
    properties,
    ...(draft.required.length > 0 ? { required: draft.required } : {}),
    ...(definitions ? { $defs: definitions } : {}),
  };
}

function executionOf(
  operation: Operation,
  draft: Draft,
  auth: JsonObject | undefined,
  pagination: ImportedPagination | undefined,
): Record<string, unknown> {
  return {
    type: "http",
    method: operation.method,
    ...draft.execution(),
    ...(auth ? { auth } : {}),
    ...(draft.body ? { body: draft.body } : {}),
    ...(pagination ? { pagination } : {}),
  };
}

/** Some APIs answer only to a media type of their own. */
function addAccept(operation: Operation, draft: Draft, references: References): void {
  const responses = Object.entries(objectField(operation.value, "responses"));
  const types = responses
    .filter(([status]) => /^2/.test(status))
    .flatMap(([, response]) => Object.keys(objectField(references.resolve(response), "content")));
  const isOwn = (type: string) => /^application\/vnd\.[\w.+-]+(;[ \w=.-]+)?$/i.test(type);
  const unique = [...new Set(types)];
  if (unique.length > 0 && unique.every(isOwn)) draft.headers.set("Accept", unique.join(", "));
}

/** A write with a header for such a key: the service recognizes a request that comes again. */
function idempotencyOf({ method }: Operation, { headers }: Draft): Pick<ImportedTool, "idempotency"> {
  const header = [...headers.keys()].find((name) => /^(?:x-)?idempotency-key$/i.test(name));
  return header === undefined || SAFE_METHODS.includes(method) ? {} : { idempotency: { header } };
}

function annotationsOf({ method, value }: Operation): Record<string, unknown> {
  const title = textField(value, "summary")?.trim();
  const isShort = title !== undefined && title.length <= 100 && !title.includes("\n");
  return {
    ...(isShort ? { title } : {}),
    readOnlyHint: SAFE_METHODS.includes(method),
    ...(method === "DELETE" ? { destructiveHint: true } : {}),
    ...(method === "PUT" || method === "DELETE" ? { idempotentHint: true } : {}),
    openWorldHint: true,
  };
}
