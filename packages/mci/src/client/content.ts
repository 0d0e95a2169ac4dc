import { closestMatch } from "@mci-ts/primitives/closest-match";
import { MCIClientError, ToolError } from "../errors.ts";
import { InputPause } from "../input-pause.ts";
import {
  type ContentSource,
  type LoadedContent,
  type LoadedPrompt,
  sourceName,
} from "../load/content/content.ts";
import { mayMatch, parseUriTemplate } from "../load/content/uri-template.ts";
import type { Loaded, LoadedTool } from "../load/loaded.ts";
import { maskedError } from "../masked-error.ts";
import type { McpMethod } from "../mcp/connection.ts";
import type { InputOptions, InputRequired } from "../mcp/input.ts";
import type {
  McpCompletion,
  McpPrompt,
  McpPromptMessages,
  McpResource,
  McpResourceContents,
  McpResourceTemplate,
} from "../mcp/protocol.ts";
import type { ExecutionResult } from "../result.ts";
import { copyData } from "../schema/json-schema/object-schemas.ts";
import type { Input } from "../tools/input.ts";
import { serverSecrets } from "./server-secrets.ts";

export interface ContentOptions extends InputOptions {
  /** Cancels the request. */
  readonly signal?: AbortSignal;
  /** Only of this source: `main` is the file itself, `mcp:NAME` one of its servers. Default: any, the first that has it. */
  readonly source?: string;
  /** Called with progress, where the server reports it. */
  readonly onProgress?: (progress: { progress: number; total?: number; message?: string }) => void;
}

/** Whose argument is completed: a prompt by its name, or a resource template by its address. */
export type CompletionTarget = { readonly prompt: string } | { readonly resourceTemplate: string };

/** Runs an execution of the file itself. */
export type RunOwn = (found: LoadedTool, input: Input, options: ContentOptions) => Promise<ExecutionResult>;

/** Addresses that servers have mentioned in results, so that they can be read. */
const MAX_MENTIONED = 1000;

/** The prompts and resources of a client: lists, and where each comes from. */
export class Content {
  readonly #mentioned = new Map<string, string>();
  #loaded: Loaded;
  readonly #runOwn: RunOwn;

  constructor(loaded: Loaded, runOwn: RunOwn) {
    this.#loaded = loaded;
    this.#runOwn = runOwn;
  }

  /** The lists of now. What servers have mentioned stays known. */
  replace(loaded: Loaded): void {
    this.#loaded = loaded;
  }

  get #content(): LoadedContent {
    return this.#loaded.content!;
  }

  resources(source?: string): McpResource[] {
    return first(this.#content.resources, source, ({ uri }) => uri);
  }

  templates(source?: string): McpResourceTemplate[] {
    return first(this.#content.templates, source, ({ uriTemplate }) => uriTemplate);
  }

  prompts(source?: string): McpPrompt[] {
    return first(this.#content.prompts, source, ({ name }) => name);
  }

  /** How many of each kind a source has. */
  counts(source: string): Readonly<Record<"resources" | "resourceTemplates" | "prompts", number>> {
    const { resources, templates, prompts } = this.#content;
    const count = (all: readonly { readonly source: ContentSource }[]) =>
      all.filter((each) => isFrom(source, each.source)).length;
    return { resources: count(resources), resourceTemplates: count(templates), prompts: count(prompts) };
  }

  /** A result of a server names resources that it may not list. */
  mention({ content, metadata }: ExecutionResult): void {
    const server = metadata["mcp_server"];
    if (typeof server !== "string" || !this.#content.open.has(server)) return;
    for (const item of content) {
      const uri =
        item.type === "resource_link" ? item.uri : item.type === "resource" ? item.resource.uri : undefined;
      if (uri === undefined) continue;
      this.#mentioned.delete(uri);
      this.#mentioned.set(uri, server);
      if (this.#mentioned.size > MAX_MENTIONED) this.#mentioned.delete(this.#mentioned.keys().next().value!);
    }
  }

  /** Which server a resource is read from; undefined for one of the file itself. */
  serverOf(uri: string): string | undefined {
    const source = this.#sourceOf(uri)?.source;
    return source !== undefined && "server" in source ? source.server : undefined;
  }

  async read(uri: string, options: ContentOptions): Promise<McpResourceContents | InputNeeded> {
    const found = this.#sourceOf(uri, options.source);
    if (found === undefined)
      throw notFound(
        "resource",
        uri,
        this.resources().map((resource) => resource.uri),
      );
    const what = `read the resource ${uri}`;
    if ("server" in found.source)
      return this.#request(found.source.server, "resources/read", { uri }, what, options);
    const { execution } = found.source;
    const input = { props: found.values, absent: new Set<string>(), ignored: [] };
    const result = await this.#runOwn(execution, input, options);
    if (result.isError) throw failed(what, result.text);
    return { contents: result.content.map((item) => toContents(uri, item, found.mimeType)) };
  }

  async prompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options: ContentOptions,
  ): Promise<McpPromptMessages | InputNeeded> {
    const found = this.#findPrompt(name, options.source);
    const { source, listed } = found;
    const what = `get the prompt '${name}'`;
    if ("server" in source) {
      const params = { name: source.name, ...(Object.keys(args).length > 0 && { arguments: args }) };
      return this.#request(source.server, "prompts/get", params, what, options);
    }
    const result = await this.#runOwn(source.execution, promptInput(found, args), options);
    if (result.isError) throw failed(what, result.text);
    return {
      ...(listed.description !== undefined && { description: listed.description }),
      messages: result.content.map((content) => ({ role: "user", content: content as never })),
    };
  }

  /** Values for an argument that begin with what was typed. Of the file's own prompts there are none. */
  async complete(
    target: CompletionTarget,
    argument: { readonly name: string; readonly value: string },
    context: Readonly<Record<string, string>> | undefined,
    options: ContentOptions,
  ): Promise<McpCompletion> {
    const { ref, server } = this.#completionTarget(target, options.source);
    if (server === undefined) return { completion: { values: [] } };
    const params = { ref, argument, ...(context && { context: { arguments: context } }) };
    // Completions never ask a person.
    const what = `complete the argument '${argument.name}'`;
    const completed = await this.#request<McpCompletion>(
      server,
      "completion/complete",
      params,
      what,
      options,
    );
    return completed as McpCompletion;
  }

  #completionTarget(
    target: CompletionTarget,
    from: string | undefined,
  ): { ref: object; server: string | undefined } {
    if ("prompt" in target) {
      const { source } = this.#findPrompt(target.prompt, from);
      return "server" in source
        ? { ref: { type: "ref/prompt", name: source.name }, server: source.server }
        : { ref: {}, server: undefined };
    }
    const uri = target.resourceTemplate;
    const found = this.#content.templates.find(
      ({ listed, source }) => listed.uriTemplate === uri && isFrom(from, source),
    );
    const source = found?.source ?? this.#sourceOf(uri, from)?.source;
    if (source === undefined) throw notFound("resource template", uri, []);
    return { ref: { type: "ref/resource", uri }, server: "server" in source ? source.server : undefined };
  }

  #findPrompt(name: string, from: string | undefined): LoadedPrompt {
    const found = this.#content.prompts.find(
      ({ listed, source }) => listed.name === name && isFrom(from, source),
    );
    if (found === undefined)
      throw notFound(
        "prompt",
        name,
        this.prompts().map((prompt) => prompt.name),
      );
    return found;
  }

  #sourceOf(
    uri: string,
    from?: string,
  ): { source: ContentSource; values: Record<string, string>; mimeType?: string } | undefined {
    const { resources, templates, open, servers, skillServers } = this.#content;
    const isOfSkills = (server: string) =>
      skillServers.get(server)?.roots.some((root) => uri.startsWith(root)) === true;
    const listed = resources.find((resource) => resource.listed.uri === uri && isFrom(from, resource.source));
    if (listed !== undefined) return { source: listed.source, values: {}, ...typeOf(listed.listed) };
    for (const template of templates) {
      const { source } = template;
      if (!isFrom(from, source)) continue;
      const values =
        "server" in source
          ? mayMatch(template.listed.uriTemplate, uri) && !isOfSkills(source.server) && {}
          : parseUriTemplate(template.listed.uriTemplate)?.match(uri);
      if (values) return { source, values: { ...values }, ...typeOf(template.listed) };
    }
    const ofServer = (server: string | undefined) =>
      server === undefined ? undefined : { source: { server, name: uri }, values: {} };
    const page = this.#pageOf(uri);
    if (page !== undefined && servers.has(page) && isFrom(from, { server: page, name: uri }))
      return ofServer(page);
    const willing = [...open]
      .filter(([server, excluded]) => !excluded.has(uri) && !isOfSkills(server))
      .map(([server]) => server);
    // Who names the server need not guess which one was meant.
    if (from !== undefined) return ofServer(willing.find((server) => from === `mcp:${server}`));
    const mentionedBy = this.#mentioned.get(uri);
    if (mentionedBy !== undefined) return willing.includes(mentionedBy) ? ofServer(mentionedBy) : undefined;
    return willing.length === 1 && servers.size === 1 ? ofServer(willing[0]) : undefined;
  }

  /** The server whose tool has this address as its page (MCP Apps). */
  #pageOf(uri: string): string | undefined {
    if (!uri.startsWith("ui://")) return undefined;
    return this.#loaded.tools.find(({ tool }) => pageOfTool(tool._meta) === uri)?.tool.toolsetSource;
  }

  async #request<Result extends object>(
    server: string,
    method: McpMethod,
    params: Readonly<Record<string, unknown>>,
    what: string,
    options: ContentOptions,
  ): Promise<Result | InputNeeded> {
    const { mcp } = this.#loaded;
    try {
      const { signal, onProgress, source: _source, ...input } = options;
      const { resultType: _, ...result } = await mcp!.request(server, method, params, {
        signal,
        onProgress,
        input,
      });
      return result as unknown as Result;
    } catch (error) {
      if (error instanceof InputPause) return { inputRequired: error.inputRequired };
      if (!(error instanceof ToolError)) throw error;
      const cause = maskedError(error, serverSecrets(this.#loaded, server));
      throw failed(what, `MCP server '${server}': ${cause.message}`, cause);
    }
  }
}

/** Only with `pauseOnInput`: the server waits for input. */
export interface InputNeeded {
  readonly inputRequired: InputRequired;
}

/** The page of a tool, in both of the ways to say it. */
function pageOfTool(meta: Readonly<Record<string, unknown>> | undefined): unknown {
  const ui = meta?.["ui"] as { readonly resourceUri?: unknown } | undefined;
  return ui?.resourceUri ?? meta?.["ui/resourceUri"];
}

/** Copies that may be changed. A server that lists an address which an earlier one has does not get it. */
function first<T extends object>(
  loaded: readonly { readonly listed: T; readonly source: ContentSource }[],
  from: string | undefined,
  keyOf: (item: T) => string,
): T[] {
  const seen = new Set<string>();
  return loaded
    .filter(({ listed, source }) => isFrom(from, source) && seen.size < seen.add(keyOf(listed)).size)
    .map(({ listed }) => copyData(listed) as T);
}

function isFrom(wanted: string | undefined, source: ContentSource): boolean {
  return wanted === undefined || sourceName(source) === wanted;
}

function typeOf({ mimeType }: { readonly mimeType?: string }): { mimeType?: string } {
  return mimeType === undefined ? {} : { mimeType };
}

function toContents(
  uri: string,
  item: ExecutionResult["content"][number],
  mimeType: string | undefined,
): McpResourceContents["contents"][number] {
  if (item.type === "text") return { uri, mimeType: mimeType ?? "text/plain", text: item.text };
  if (item.type === "image" || item.type === "audio")
    return { uri, mimeType: item.mimeType, blob: item.data };
  if (item.type === "resource") return { ...item.resource, uri };
  return { uri, mimeType: "application/json", text: JSON.stringify(item) };
}

function promptInput({ listed }: LoadedPrompt, args: Readonly<Record<string, string>>): Input {
  const declared = listed.arguments ?? [];
  const missing = declared.filter(({ name, required }) => required && args[name] === undefined);
  if (missing.length > 0) {
    const names = missing.map(({ name }) => `'${name}'`).join(", ");
    throw new MCIClientError("invalid_input", `The prompt '${listed.name}' needs the argument ${names}.`);
  }
  const passed = declared.filter(({ name }) => typeof args[name] === "string");
  return {
    props: Object.fromEntries(passed.map(({ name }) => [name, args[name]])),
    absent: new Set(declared.filter(({ name }) => args[name] === undefined).map(({ name }) => name)),
    ignored: [],
  };
}

function notFound(
  what: "prompt" | "resource" | "resource template",
  name: string,
  names: readonly string[],
): MCIClientError {
  const similar = closestMatch(name, names);
  const hint = similar === undefined ? "" : `. Did you mean '${similar}'?`;
  const code = what === "prompt" ? "prompt_not_found" : "resource_not_found";
  return new MCIClientError(code, `There is no ${what} '${name}'${hint}`);
}

function failed(what: string, reason: string, cause?: unknown): MCIClientError {
  return new MCIClientError("request_failed", `Failed to ${what}: ${reason}`, { cause });
}
