import { isObject } from "@mci-ts/primitives/is-object";
import { importError, SkippedOperation } from "./errors.ts";
import { field, type JsonObject, listField, objectField, textField } from "./json.ts";
import { LeftOut } from "./left-out.ts";
import { normalizeDocument } from "./read/document.ts";
import { type Operation, readOperations } from "./read/operations.ts";
import { parseText } from "./read/parse.ts";
import { References } from "./read/references.ts";
import { reasonToSkip, type Selection } from "./read/select.ts";
import { resolveStructure } from "./read/structure.ts";
import { SchemaConverter } from "./schema/convert.ts";
import { truncateText } from "./tool/describe.ts";
import { isEnded, nameTools, variablePrefix } from "./tool/names.ts";
import { Security } from "./tool/security.ts";
import { type ImportedTool, makeTool } from "./tool/tool.ts";
import { type ImportedVariable, Variables } from "./tool/variables.ts";

/*
 * OPEN FIRST. The whole flow:
 *
 *   document -parse, normalize-> JsonObject -readOperations-> Operation[] -select-> Operation
 *            -parameters, body, security, servers-> Draft -makeTool-> ImportedTool
 */

export interface ImportOptions extends Selection {
  /** Instead of all servers of the document. */
  readonly baseUrl?: string;
  /** Where the document was read from; relative server addresses start here. */
  readonly documentUrl?: string;
  /** Put before every tool name. */
  readonly prefix?: string;
  /** Name of the API in names of variables (`GITHUB` gives `GITHUB_TOKEN`). Default: from the document's title. */
  readonly variablePrefix?: string;
  /**
   * How requests prove who they are: a security scheme or its kind (`bearer`, `basic`, `apiKey`, `oauth2`), `none`, or
   * `apiKey:header:NAME` (`query`, `cookie`). Default: the first alternative of each operation that MCI can satisfy.
   */
  readonly auth?: string;
  /** Characters of a description of a tool or property. Default 1024. */
  readonly maxDescription?: number;
  /** Describe results as well. Default false. */
  readonly outputSchemas?: boolean;
  /** Called after each operation. */
  readonly onProgress?: (done: number, total: number) => void;
}

export interface ImportResult {
  /** What to write into a file. */
  readonly toolset: ImportedToolset;
  readonly tools: readonly OperationTool[];
  /** Operations that became no tool, and why. */
  readonly skipped: readonly SkippedTool[];
  /** What deserves a look before the tools are used. */
  readonly warnings: readonly string[];
  /** References that lead nowhere. What they stand for is missing in the tools: better not to use them. */
  readonly unresolved: readonly string[];
  /** Tools whose results come in pages: followed by their `pagination`, or in a way that the document does not show. */
  readonly pages: { readonly followed: readonly string[]; readonly unclear: readonly string[] };
  /** Environment variables that the tools read. */
  readonly variables: readonly ImportedVariable[];
}

export interface ImportedToolset {
  readonly schemaVersion: "1.0";
  readonly metadata: Readonly<Record<string, string>>;
  /** Variables that are not secrets, such as the address of the API. */
  readonly publicEnv?: readonly string[];
  /** All variables that the tools read. */
  readonly envAllowList: readonly string[];
  readonly tools: readonly ImportedTool[];
}

/** Which tool an operation became. */
export interface OperationTool {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly operationId?: string;
}

export interface SkippedTool extends Omit<OperationTool, "name"> {
  readonly reason: string;
  /** The options left it out, not its content. */
  readonly byChoice: boolean;
}

/** An OpenAPI 3.x or Swagger 2 document, as text or parsed, as a toolset. Reads nothing else and keeps no state. */
export function importOpenApi(source: string | object, options: ImportOptions = {}): ImportResult {
  const leftOut = new LeftOut();
  const parsed =
    typeof source === "string"
      ? parseText(source, undefined, (what) => leftOut.add("repeated", what))
      : source;
  if (!isObject(parsed)) throw importError("The document must be an object, or the text of one.");
  const { paths, unresolved } = resolveStructure(parsed);
  const document = normalizeDocument(isObject(field(parsed, "paths")) ? { ...parsed, paths } : parsed);
  const references = new References(document);
  const warnings = new Set<string>();
  const warn = (message: string) => void warnings.add(message);
  const title = textField(objectField(document, "info"), "title") ?? "API";
  const variables = new Variables(
    options.variablePrefix ?? variablePrefix(title),
    options.variablePrefix !== undefined,
  );
  const maxDescription = options.maxDescription ?? 1024;
  const operations = readOperations(document, references, warn, leftOut);
  const mainUrl = textField(operations[0]?.servers[0], "url");
  const context = {
    references,
    converter: new SchemaConverter(references, { maxDescription, warn, leftOut }),
    security: new Security(document, references, variables, options.auth, leftOut),
    variables,
    read: new Set<string>(),
    servers: { ...options, mainUrl: mainServer(document) ?? mainUrl },
    maxDescription,
    outputSchemas: options.outputSchemas === true,
    pages: { followed: [], unclear: [] },
    leftOut,
  };
  const names = nameTools(operations, options.prefix);
  const tools: ImportedTool[] = [];
  const made: OperationTool[] = [];
  const skipped: SkippedTool[] = [];
  const otherServers = new Set<string>();
  for (const [index, operation] of operations.entries()) {
    const name = names[index]!;
    const unwanted = reasonToSkip(operation, name, options);
    const lost = textField(operation.value, "$ref");
    if (unwanted !== undefined) skipped.push({ ...labelOf(operation), reason: unwanted, byChoice: true });
    else if (lost !== undefined) {
      // Nothing is known of it but its method and path: a tool without input would not be the operation.
      references.unresolved.add(lost);
      skipped.push({
        ...labelOf(operation),
        reason: `the reference ${lost} does not resolve`,
        byChoice: false,
      });
    } else {
      try {
        tools.push(makeTool(name, operation, context, (message) => warn(`${name}: ${message}`)));
        for (const owner of [operation.path, `${operation.method} ${operation.path}`])
          for (const reference of unresolved.get(owner) ?? []) references.unresolved.add(reference);
        made.push({ name, ...labelOf(operation) });
        if (isEnded(name, operation)) leftOut.add("names", `${name} (${operation.method} ${operation.path})`);
        if (options.baseUrl === undefined)
          for (const server of operation.servers.slice(1)) otherServers.add(textField(server, "url") ?? "");
      } catch (error) {
        if (!(error instanceof SkippedOperation)) throw error;
        skipped.push({ ...labelOf(operation), reason: error.message, byChoice: false });
      }
    }
    options.onProgress?.(index + 1, operations.length);
  }
  for (const server of otherServers) if (server !== "") leftOut.add("servers", server);
  for (const name of Object.keys(objectField(document, "webhooks"))) leftOut.add("calls", `webhook ${name}`);
  const read = variables.readBy(context.read);
  const publicEnv = read.filter(({ secret }) => !secret).map(({ name }) => name);
  const toolset = {
    schemaVersion: "1.0" as const,
    metadata: metadataOf(document, title),
    ...(publicEnv.length > 0 ? { publicEnv } : {}),
    envAllowList: read.map(({ name }) => name),
    tools,
  };
  for (const reference of lostPaths(paths)) references.unresolved.add(reference);
  return {
    toolset,
    tools: made,
    skipped,
    warnings: [...warnings, ...leftOut.lines(maxDescription)],
    variables: read,
    unresolved: [...references.unresolved],
    pages: context.pages,
  };
}

/** Paths of which nothing is known but a reference. */
function lostPaths(paths: JsonObject): string[] {
  return Object.values(paths).flatMap((item) => textField(item, "$ref") ?? []);
}

function mainServer(document: JsonObject): string | undefined {
  return textField(listField(document, "servers")[0], "url");
}

function labelOf({ method, path, operationId }: Operation): Omit<OperationTool, "name"> {
  return operationId === undefined ? { method, path } : { method, path, operationId };
}

function metadataOf(document: JsonObject, title: string): Record<string, string> {
  const info = objectField(document, "info");
  const version = field(info, "version");
  const description = textField(info, "description");
  return {
    name: truncateText(title, 200),
    ...(description ? { description: truncateText(description, 300) } : {}),
    ...(version === undefined || version === null ? {} : { version: String(version) }),
  };
}
