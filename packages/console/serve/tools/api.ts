import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { MCIClient, Tool } from "mci-ts";
import { eventStream } from "./event-stream.ts";
import { ApiFailure } from "./failure.ts";
import { commitPlan, discardPlan, listPlans, showPlan } from "./plans.ts";
import { serverStates } from "./server-states.ts";
import type { ToolsSource } from "./source.ts";
import type { CallResponse, FileState, ToolDetail, ToolPage, ToolSummary } from "./types.ts";

/** A request that passed the guards of its server, its JSON body read. */
export interface ToolsRequest {
  readonly method: string;
  /** Below `/api/`, without the query: `tools/greet/call`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body?: unknown;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

type Handler = (source: ToolsSource, request: ToolsRequest, name: string) => Response | Promise<Response>;

const PAGE = 200;

/** Every endpoint of the tools page. */
const ENDPOINTS: Readonly<Record<string, Handler>> = {
  "GET tools": listTools,
  "GET tools/:name": showTool,
  "POST tools/:name/preview": previewCall,
  "POST tools/:name/call": callTool,
  "POST logins/:name": beginLogin,
  "GET calls": ({ calls }) => json({ calls: calls.list() }),
  "GET events": followChanges,
  "GET file": readSource,
  "PUT file": saveSource,
  "POST validate": validate,
  "GET variables": async (source) => json({ variables: await source.variables() }),
  "GET plans": listPlans,
  "GET plans/:name": showPlan,
  "POST plans/:name/commit": commitPlan,
  "DELETE plans/:name": discardPlan,
  "GET servers": (source) => json({ servers: serverStates(source.client()) }),
};

/** The tools API: what the page asks, and any other client may. */
export async function handleToolsRequest(source: ToolsSource, request: ToolsRequest): Promise<Response> {
  try {
    const [resource = "", name = "", action] = request.path.split("/").map(decodeSegment);
    const route = [
      resource,
      ...(name === "" ? [] : [":name"]),
      ...(action === undefined ? [] : [action]),
    ].join("/");
    const handler = ENDPOINTS[`${request.method} ${route}`];
    if (handler === undefined)
      throw new ApiFailure(404, "not_found", `There is no ${request.method} /api/${request.path}.`);
    return await handler(source, request, name);
  } catch (error) {
    return toResponse(error);
  }
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ApiFailure(400, "invalid_request", "The path is not valid percent-encoding.");
  }
}

async function listTools(source: ToolsSource, { query }: ToolsRequest): Promise<Response> {
  const client = source.client();
  const all = summariesOf(client);
  const loadError = source.loadError();
  const logins = source.logins?.list() ?? [];
  const text = query.get("q") ?? "";
  const [tag, from] = [query.get("tag"), query.get("source")];
  const found = text === "" ? all : await searchSummaries(client, all, text);
  const matching = found.filter(
    (tool) => (tag === null || tool.tags.includes(tag)) && (from === null || tool.source === from),
  );
  const start = Number(query.get("cursor") ?? 0) || 0;
  const page: ToolPage = {
    file: source.file,
    writable: source.writable,
    ...(loadError === undefined ? {} : { load_error: loadError }),
    ...(logins.length === 0 ? {} : { logins }),
    tools: matching.slice(start, start + PAGE),
    total: matching.length,
    tags: [...new Set(all.flatMap(({ tags }) => tags))].sort(),
    sources: [...new Set(all.map((tool) => tool.source))].sort(),
    next_cursor: start + PAGE < matching.length ? String(start + PAGE) : null,
  };
  return json(page);
}

async function beginLogin(source: ToolsSource, _: ToolsRequest, name: string): Promise<Response> {
  if (source.logins === undefined)
    throw new ApiFailure(
      404,
      "not_found",
      "There are no logins here: they are those of the person at 'mci ui'.",
    );
  return json(await source.logins.begin(name, () => source.reload()));
}

/** Tools that have the text as it is, in the order of the file, then those that fit its words, the best first. */
async function searchSummaries(
  client: MCIClient,
  all: readonly ToolSummary[],
  text: string,
): Promise<readonly ToolSummary[]> {
  const typed = text.toLowerCase();
  const literal = all.filter(({ name, title = "", description = "" }) =>
    `${name} ${title} ${description}`.toLowerCase().includes(typed),
  );
  const listed = new Set(literal.map(({ name }) => name));
  const byName = new Map(all.map((summary) => [summary.name, summary]));
  const fitting = (await client.search(text, { limit: MAX_FOUND }))
    .filter(({ tool }) => !listed.has(tool.name))
    .flatMap(({ tool }) => byName.get(tool.name) ?? []);
  return [...literal, ...fitting];
}

/** Tools of a search that have only some of its words; the worst of many help nobody. */
const MAX_FOUND = 20;

function showTool(source: ToolsSource, _: ToolsRequest, name: string): Response {
  const tool = find(source.client(), name);
  const { outputSchema } = tool as { outputSchema?: unknown };
  const detail: ToolDetail = {
    ...summarize(tool),
    inputSchema: source.client().getToolSchema(name),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(tool.annotations === undefined ? {} : { annotations: tool.annotations }),
  };
  return json(detail);
}

async function previewCall(source: ToolsSource, { body }: ToolsRequest, name: string): Promise<Response> {
  const client = source.client();
  find(client, name);
  return json(await client.preview(name, inputOf(body)));
}

async function callTool(
  source: ToolsSource,
  { body, signal }: ToolsRequest,
  name: string,
): Promise<Response> {
  find(source.client(), name);
  const { calls } = source;
  const input = inputOf(body);
  const id = calls.start(name, input, "console");
  const began = performance.now();
  const result = await source.call(name, input, { signal });
  const duration_ms = performance.now() - began;
  const state = signal.aborted ? "cancelled" : result.isError ? "failed" : "succeeded";
  calls.end(id, { state, duration_ms, ...(result.isError ? { error: result.error?.slice(0, 500) } : {}) });
  const response: CallResponse = { id, duration_ms, result: result.result };
  return json(response);
}

/** Server-sent events: `calls` for each change of a call, `tools` when the file was loaded again. */
function followChanges(source: ToolsSource, { signal }: ToolsRequest): Response {
  return eventStream(signal, (send) => {
    source.calls.watch((record) => send("calls", record), signal);
    source.watch(() => send("tools", {}), signal);
  });
}

async function readSource(source: ToolsSource): Promise<Response> {
  return json(await fileState(source));
}

/** Another text than the file's own only from those who may save it: problems tell what a text makes lint look at. */
async function validate(source: ToolsSource, { body }: ToolsRequest): Promise<Response> {
  const text = textOf(body);
  if (text !== undefined) requireWritable(source);
  return json({ problems: (await source.lint(text)).problems });
}

async function saveSource(source: ToolsSource, { body }: ToolsRequest): Promise<Response> {
  requireWritable(source);
  const text = textOf(body);
  const version = (body as { version?: unknown } | undefined)?.version;
  if (text === undefined || typeof version !== "string")
    throw new ApiFailure(400, "invalid_request", "Send { text, version }.");
  await fileState(source);
  if (!(await source.save(text, (current) => versionOf(current) === version))) {
    throw new ApiFailure(
      409,
      "changed",
      "The file was changed by something else since it was opened. Reload it first.",
    );
  }
  await source.reload().catch(() => undefined);
  return json(await fileState(source));
}

function requireWritable({ writable }: ToolsSource): void {
  if (!writable) throw new ApiFailure(403, "read_only", "This page may not change the file.");
}

/** Changes with the content. */
function versionOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

async function fileState({ file, writable, loadError }: ToolsSource): Promise<FileState> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new ApiFailure(404, "file_missing", `The file cannot be read: ${error.code ?? error.message}.`);
  });
  const load_error = loadError();
  return {
    path: file,
    text,
    version: versionOf(text),
    writable,
    ...(load_error === undefined ? {} : { load_error }),
  };
}

function find(client: MCIClient, name: string): Tool {
  const [tool] = client.only([name]);
  if (!tool) throw new ApiFailure(404, "tool_not_found", `The file has no tool "${name}".`);
  return tool;
}

/** Made once for each client: ten thousand tools are not copied for each key that is typed. */
const summaries = new WeakMap<MCIClient, readonly ToolSummary[]>();

function summariesOf(client: MCIClient): readonly ToolSummary[] {
  const summary = summaries.get(client) ?? client.tools().map(summarize);
  summaries.set(client, summary);
  return summary;
}

function summarize(tool: Tool): ToolSummary {
  return {
    name: tool.name,
    ...(tool.annotations?.title === undefined ? {} : { title: tool.annotations.title }),
    ...(tool.description === undefined ? {} : { description: tool.description }),
    tags: tool.tags ?? [],
    source:
      tool.execution.type === "mcp" ? `mcp:${tool.execution.serverName}` : (tool.toolsetSource ?? "main"),
    type: tool.execution.type,
  };
}

function inputOf(body: unknown): Record<string, unknown> {
  const input = (body as { input?: unknown } | undefined)?.input ?? {};
  if (typeof input === "object" && input !== null && !Array.isArray(input))
    return input as Record<string, unknown>;
  throw new ApiFailure(400, "invalid_request", "input must be a JSON object.");
}

function textOf(body: unknown): string | undefined {
  const text = (body as { text?: unknown } | undefined)?.text;
  return typeof text === "string" ? text : undefined;
}

function json(value: unknown, status = 200): Response {
  return Response.json(value, { status, headers: { "cache-control": "no-store" } });
}

/** The library masks the messages of its own errors. Any other could show a path or a value, and says nothing here. */
function toResponse(error: unknown): Response {
  // Input that does not fit, or a call that would fail before it is sent: the client says why.
  const isRefused = (error as Error).name === "MCIClientError";
  const [status, code] =
    error instanceof ApiFailure
      ? [error.status, error.code]
      : isRefused
        ? [400, (error as Error & { code: string }).code]
        : [500, "internal"];
  const isOurs = error instanceof ApiFailure || isRefused;
  const message = isOurs ? (error as Error).message : "The request failed inside the server.";
  return json({ error: { code, message, details: [] } }, status);
}
