import { closestMatch } from "@mci-ts/primitives/closest-match";
import { apiLogins, missingLogins } from "./client/api-logins.ts";
import { argumentsOf, asResult, refusal, toModelNames } from "./client/call.ts";
import { CallRunner } from "./client/call-runner.ts";
import type {
  CallOptions,
  DefinitionOptions,
  ExecuteOptions,
  FixedProperty,
  LoadFileOptions,
  SearchOptions,
  ToolPermissions,
} from "./client/client-options.ts";
import type { CompletionTarget, Content, ContentOptions, InputNeeded } from "./client/content.ts";
import type { ListChanges, OnChange } from "./client/list-changes.ts";
import type { ToolArguments, ToolName, ToolResult, UntypedTools } from "./client/tool-types.ts";
import { DefinitionMap, type ToolDefinition } from "./definitions/definitions.ts";
import { omitNulls } from "./definitions/omit-nulls.ts";
import { MCIClientError, type Problem } from "./errors.ts";
import { loadDocument, loadFile } from "./load/load.ts";
import type { LoadOptions } from "./load/load-options.ts";
import type { Loaded, LoadedTool } from "./load/loaded.ts";
import { lockTools, type ToolLock } from "./load/lock/lock.ts";
import type { LoginWay, OnAuthorize } from "./login/login-options.ts";
import type { McpServerState } from "./mcp/pool.ts";
import type {
  McpCompletion,
  McpPrompt,
  McpPromptMessages,
  McpResource,
  McpResourceContents,
  McpResourceTemplate,
} from "./mcp/protocol.ts";
import { checkExecuteOptions, checkLoadOptions, checkSearch } from "./options.ts";
import type { Preview } from "./preview.ts";
import type { ExecutionResult } from "./result.ts";
import type { Document } from "./schema/document.ts";
import { objectRoot } from "./schema/json-schema/object-root.ts";
import { copyData, objectSchemas } from "./schema/json-schema/object-schemas.ts";
import type { Tool } from "./schema/tool.ts";
import type { ToolMatch, ToolSearch } from "./search/search.ts";
import { fixedInput } from "./tools/fixed-input.ts";
import { type Input, type InputReader, inputReader } from "./tools/input.ts";
import { select, type ToolFilter } from "./tools/select.ts";

/*
 * OPEN FIRST. The whole flow, and the file list is the flow:
 *
 *   path -read-> Source -parse-> Parsed -validate-> Document -toolsets, mcp-> LoadedTool[]        load/load.ts
 *        -select-> LoadedTool -input-> Input                                              this file
 *        -render, execute[type]-> ExecutionResult                                      client/call-runner.ts
 */

/**
 * The tools of one MCI file: list them, filter them, execute them. Made by `MCIClient.load` or `fromObject`. `Tools` is
 * an interface that `mci types` writes from the file; with it the compiler knows every name and every property.
 */
export class MCIClient<Tools extends object = UntypedTools> {
  /** What the file says about itself. */
  readonly metadata: NonNullable<Document["metadata"]>;
  /** What was wrong without being fatal: a dead MCP server whose tools are missing, an expired cache that was used. */
  readonly warnings: readonly Problem[];
  #loaded: Loaded;
  #tools: readonly LoadedTool[];
  #byName: ReadonlyMap<string, LoadedTool>;
  readonly #readers = new WeakMap<LoadedTool, InputReader | Promise<InputReader>>();
  readonly #runner: CallRunner;
  #definitions: DefinitionMap | undefined;
  #search: Promise<ToolSearch> | undefined;
  #content: Promise<Content> | undefined;
  #changes: Promise<ListChanges> | undefined;

  private constructor(loaded: Loaded, warnings: readonly Problem[] = []) {
    // "private" exists in TypeScript only.
    if (loaded?.limits === undefined) {
      const message =
        "Use 'await MCIClient.load(file)' or 'await MCIClient.fromObject(document)', not 'new'.";
      throw new MCIClientError("invalid_argument", message);
    }
    this.#loaded = loaded;
    this.metadata = loaded.metadata;
    this.warnings = [...loaded.warnings, ...warnings];
    this.#tools = loaded.tools;
    this.#byName = new Map(loaded.tools.map((loadedTool) => [loadedTool.tool.name, loadedTool]));
    this.#runner = new CallRunner(loaded);
  }

  /** Reads an MCI file. Throws `MCIClientError` with every problem found in it. */
  static async load<Tools extends object = UntypedTools>(
    file: string | URL | LoadFileOptions,
    options: LoadOptions = {},
  ): Promise<MCIClient<Tools>> {
    checkLoadOptions(options);
    if (typeof file === "string" || file instanceof URL)
      return MCIClient.#open(await loadFile(file, options));
    const path = file?.schemaFilePath ?? file?.jsonFilePath;
    if (path === undefined) {
      throw new MCIClientError(
        "invalid_argument",
        "Either 'schemaFilePath' or 'jsonFilePath' must be provided.",
      );
    }
    checkLoadOptions(file);
    return MCIClient.#open(await loadFile(path, { ...file, ...options }));
  }

  /** The same for a document in memory. Relative paths start at `baseDir` (default: the current directory). */
  static async fromObject<Tools extends object = UntypedTools>(
    document: unknown,
    options: LoadOptions & { baseDir?: string } = {},
  ): Promise<MCIClient<Tools>> {
    checkLoadOptions(options);
    return MCIClient.#open(await loadDocument(document, options));
  }

  static async #open<Tools extends object>(loaded: Loaded): Promise<MCIClient<Tools>> {
    return new MCIClient(loaded, await missingLogins(loaded));
  }

  /** Every enabled tool, in the order of the file. Copies that may be changed. */
  tools(): Tool[] {
    return this.#select({});
  }

  /** Names of the tools that pass the filter; of all, without one. */
  listTools(filter: ToolFilter = {}): string[] {
    return select(this.#all(), filter).map((tool) => tool.name);
  }

  only(names: readonly string[]): Tool[] {
    return this.#select({ only: names });
  }

  without(names: readonly string[]): Tool[] {
    return this.#select({ without: names });
  }

  tags(tags: readonly string[]): Tool[] {
    return this.#select({ tags });
  }

  withoutTags(tags: readonly string[]): Tool[] {
    return this.#select({ withoutTags: tags });
  }

  toolsets(names: readonly string[]): Tool[] {
    return this.#select({ toolsets: names });
  }

  /**
   * Tools that fit a query in plain language, best first: by their names, descriptions, tags and parameters. Nothing is
   * started or sent for it, unless `embed` does.
   */
  async search(query: string, options: SearchOptions = {}): Promise<ToolMatch[]> {
    checkSearch(query, options);
    const { limit = 10, filter = {}, embed } = options;
    const included = new Set(select(this.#all(), filter));
    this.#search ??= import("./search/search.ts").then(({ ToolSearch }) => new ToolSearch(this.#all()));
    const found = await (await this.#search).search(query, limit, (tool) => included.has(tool), embed);
    return found.map(({ tool, score }) => ({ tool: copyOf(tool), score }));
  }

  /** The tool of that name, also of the name that models see. A copy that may be changed. Throws if there is none. */
  tool(name: string, filter?: ToolFilter): Tool {
    return copyOf(this.#find(this.#definitionMap().ownName(String(name)), filter).tool);
  }

  /** A tool's input schema; an empty object if it has none. A copy that may be changed. */
  getToolSchema(name: string): Record<string, unknown> {
    const { inputSchema } = this.#find(name).tool;
    return inputSchema === undefined ? {} : objectRoot(objectSchemas(inputSchema));
  }

  /** The MCP servers of the file as they are now: whether there is a session, and what they printed last. */
  mcpServers(): readonly McpServerState[] {
    return this.#loaded.mcp?.states() ?? [];
  }

  /** Ends the session of an MCP server, once its calls have ended, and opens another. Throws `MCIClientError`. */
  async restartMcpServer(name: string, options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    this.#checkUsable();
    if (!this.#loaded.mcp?.has(name))
      throw new MCIClientError("invalid_argument", `The file has no MCP server '${name}'.`);
    await this.#loaded.mcp.restart(name, options.signal).catch((error: Error) => {
      throw new MCIClientError("mcp_restart_failed", error.message, { cause: error });
    });
  }

  /** What a person can log in to with `login`: MCP servers, and the APIs of HTTP tools. */
  loginNames(): string[] {
    const apis = apiLogins(this.#loaded).map(({ login }) => login.name);
    return [...new Set([...(this.#loaded.mcp?.loginNames() ?? []), ...apis])];
  }

  /**
   * A person logs in: `onAuthorize` shows them the address, and returns the one that the browser came back to; `onDeviceCode` shows
   * a code for another device. What was obtained is in the store that `load` got in `auth`. Throws `MCIClientError`.
   */
  async login(name: string, how: OnAuthorize | LoginWay): Promise<void> {
    this.#checkUsable();
    const names = this.loginNames();
    if (!names.includes(name)) throw nothingToLogInTo(name, names);
    const way = typeof how === "function" ? { onAuthorize: how } : how;
    await this.#login(name, way).catch((error: Error) => {
      throw new MCIClientError("login_failed", `No login at '${name}': ${error.message}`, { cause: error });
    });
  }

  async #login(name: string, way: LoginWay): Promise<void> {
    const { mcp, login, proxy } = this.#loaded;
    if (mcp?.loginNames().includes(name)) return mcp.login(name, way);
    const { ApiLogins } = await import("./login/api/api-logins.ts");
    const logins = new ApiLogins({ login, proxy });
    for (const api of apiLogins(this.#loaded))
      if (api.login.name === name) await logins.logIn(api.login, way);
  }

  /** What the tools are now, to be given to `load` as `lock` later. */
  lock(): ToolLock {
    return lockTools(this.#tools, this.#loaded.servers, this.#loaded.content);
  }

  /** Which files a tool may access, besides those in the directory of the MCI file. */
  toolPermissions(name: string): ToolPermissions {
    const { env } = this.#loaded;
    const scope = { props: {}, env, absent: new Set<string>(), onEnv: () => {} };
    const { enableAnyPaths, directoryAllowList } = this.#find(name).paths(scope);
    return { enableAnyPaths, directories: [...directoryAllowList] };
  }

  /** Properties that `overrides` of the file set or hide: callers neither see them nor give them a value. */
  fixedProperties(name: string): FixedProperty[] {
    const { fixed = {}, hidden = [] } = this.#find(name).input ?? {};
    return [...hidden].map((property) => ({
      name: property,
      ...(Object.hasOwn(fixed, property) && { value: copyData(fixed[property]) }),
    }));
  }

  /** The tools as models see them: names and schemas that every provider accepts. Copies that may be changed. */
  toolDefinitions({ filter = {}, onWarning }: DefinitionOptions = {}): ToolDefinition[] {
    const map = this.#definitionMap();
    return select(this.#all(), filter).map((tool) => map.define(tool, onWarning));
  }

  /**
   * Executes a tool for a model: whatever the model got wrong is a result with `isError` and an `error_code`, never an
   * exception. Names are those of `toolDefinitions`; the file's own are understood as well.
   */
  async call<Name extends ToolName<Tools>>(
    name: Name,
    ...args: ToolArguments<Tools, Name, CallOptions>
  ): Promise<ToolResult<Tools, Name>> {
    const [rawInput = {}, { approve, filter, ...options } = {}] = args as [unknown?, CallOptions?];
    checkExecuteOptions(options);
    const executeOptions = { ...options, noteIgnored: true };
    const map = this.#definitionMap();
    const ownName = map.ownName(String(name));
    let properties: ReadonlyMap<string, string> = new Map();
    try {
      this.#checkUsable();
      const found = this.#find(ownName, filter);
      properties = map.propertyNames(found.tool);
      const input = await this.#read(
        found,
        fromModel(found.tool, await argumentsOf(found.tool.name, rawInput), map),
      );
      const refused = await refusal(approve, found.tool, input.props, {
        onInput: options.onInput ?? this.#loaded.onInput,
        signal: options.signal,
      });
      return (refused ?? (await this.#run(found, input, executeOptions))) as ToolResult<Tools, Name>;
    } catch (error) {
      const toShown = (text: string) =>
        toModelNames(text, properties).replaceAll(`'${ownName}'`, () => `'${map.shownName(ownName)}'`);
      return asResult(error, toShown) as ToolResult<Tools, Name>;
    }
  }

  /**
   * Executes a tool. A tool that fails is a result with `isError`; an exception (`MCIClientError`) means that the call
   * itself was wrong: no such tool, input that does not fit, a closed client.
   */
  async execute<Name extends ToolName<Tools>>(
    name: Name,
    ...args: ToolArguments<Tools, Name, ExecuteOptions>
  ): Promise<ToolResult<Tools, Name>> {
    const [properties = {}, options = {}] = args as [unknown?, ExecuteOptions?];
    this.#checkUsable();
    checkExecuteOptions(options);
    const found = this.#find(name);
    const reader = this.#readers.get(found) ?? this.#reader(found);
    const input = (reader instanceof Promise ? await reader : reader)(properties);
    return this.#run(found, input, options) as Promise<ToolResult<Tools, Name>>;
  }

  /**
   * What `execute` would send or run for this input, with secrets masked; nothing is sent or started. Throws
   * `MCIClientError` where the call would fail before that.
   */
  async preview<Name extends ToolName<Tools>>(
    name: Name,
    ...args: ToolArguments<Tools, Name, never>
  ): Promise<Preview> {
    const [properties = {}] = args as [unknown?];
    this.#checkUsable();
    const found = this.#find(name);
    const isObject = typeof properties === "object" && properties !== null && !Array.isArray(properties);
    const own = isObject
      ? this.#definitionMap().toOwnProperties(found.tool, properties as Record<string, unknown>)
      : properties;
    return this.#runner.preview(found, await this.#read(found, own));
  }

  /** Names of arguments that the tool does not have, and that a call would therefore ignore. Throws as `execute` does. */
  async ignoredArguments<Name extends ToolName<Tools>>(
    name: Name,
    ...args: ToolArguments<Tools, Name, never>
  ): Promise<readonly string[]> {
    const [properties = {}] = args as [unknown?];
    return (await this.#read(this.#find(name), properties)).ignored;
  }

  /** What MCP clients may read: resources of the file and of its servers. Copies that may be changed. */
  async resources(): Promise<McpResource[]> {
    return (await this.#contentOf())?.resources() ?? [];
  }

  /** Templates of the addresses of further resources. */
  async resourceTemplates(): Promise<McpResourceTemplate[]> {
    return (await this.#contentOf())?.templates() ?? [];
  }

  /** Prompts of the file and of its servers. */
  async prompts(): Promise<McpPrompt[]> {
    return (await this.#contentOf())?.prompts() ?? [];
  }

  /** Whether there can be resources or prompts: the file has some, or has servers that offer them. */
  get offers(): { readonly resources: boolean; readonly prompts: boolean } {
    const {
      resources = [],
      templates = [],
      prompts = [],
      servers,
      promptServers,
    } = this.#loaded.content ?? {};
    return {
      resources: resources.length + templates.length + (servers?.size ?? 0) > 0,
      prompts: prompts.length + (promptServers?.size ?? 0) > 0,
    };
  }

  /** Reads a resource. Throws `MCIClientError`. */
  async readResource(uri: string, options: ContentOptions = {}): Promise<McpResourceContents | InputNeeded> {
    return (await this.#usableContent("resource", uri)).read(String(uri), options);
  }

  /** A prompt with its arguments filled in. Throws `MCIClientError`. */
  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    options: ContentOptions = {},
  ): Promise<McpPromptMessages | InputNeeded> {
    return (await this.#usableContent("prompt", name)).prompt(String(name), args, options);
  }

  /** What the server of a prompt or resource template proposes for an argument. Throws `MCIClientError`. */
  async complete(
    target: CompletionTarget,
    argument: { readonly name: string; readonly value: string },
    options: ContentOptions & { readonly given?: Readonly<Record<string, string>> } = {},
  ): Promise<McpCompletion> {
    const { given, ...request } = options;
    const name = "prompt" in target ? target.prompt : target.resourceTemplate;
    const content = await this.#usableContent("prompt" in target ? "prompt" : "resource", name);
    return content.complete(target, argument, given, request);
  }

  /**
   * Tells when an MCP server has changed one of its lists, after the new one is loaded, or a resource that is watched. Only of
   * servers that have a session. Returns what ends it.
   */
  async onChange(listener: OnChange): Promise<() => void> {
    return (await this.#changesOf()).add(listener);
  }

  /** Asks the server of each resource to tell of its changes; those that are not named any more are not watched any more. */
  async watchResources(uris: readonly string[]): Promise<void> {
    const content = await this.#contentOf();
    await (await this.#changesOf()).watchResources(uris, (uri) => content?.serverOf(uri));
  }

  /** Cancels what is running and releases every connection and process. The client cannot be used afterwards. */
  async close(): Promise<void> {
    await this.#runner.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Loaded with the first use: most clients have tools only. */
  #contentOf(): Promise<Content> | undefined {
    if (this.#loaded.content === undefined) return undefined;
    this.#content ??= import("./client/content.ts").then(
      ({ Content }) =>
        new Content(this.#loaded, (found, input, options) => this.#runner.run(found, input, options)),
    );
    return this.#content;
  }

  async #usableContent(what: "resource" | "prompt", name: unknown): Promise<Content> {
    this.#checkUsable();
    const content = await this.#contentOf();
    if (content !== undefined) return content;
    throw new MCIClientError(
      `${what}_not_found`,
      `There is no ${what} '${String(name)}': the file has none.`,
    );
  }

  #changesOf(): Promise<ListChanges> {
    this.#changes ??= import("./client/list-changes.ts").then(
      ({ ListChanges }) => new ListChanges(this.#loaded, (loaded) => this.#replace(loaded)),
    );
    return this.#changes;
  }

  /** The tools of now. Calls in flight end as they began. */
  async #replace(loaded: Loaded): Promise<void> {
    this.#loaded = loaded;
    this.#tools = loaded.tools;
    this.#byName = new Map(loaded.tools.map((loadedTool) => [loadedTool.tool.name, loadedTool]));
    this.#definitions = undefined;
    this.#search = undefined;
    (await this.#content)?.replace(loaded);
  }

  /** What a result mentions can be read afterwards. */
  async #run(found: LoadedTool, input: Input, options: ExecuteOptions): Promise<ExecutionResult> {
    const result = await this.#runner.run(found, input, options);
    if (found.tool.execution.type === "mcp" && this.#loaded.content !== undefined)
      (await this.#contentOf())?.mention(result);
    return result;
  }

  #select(filter: ToolFilter): Tool[] {
    return select(this.#all(), filter).map(copyOf);
  }

  #all(): Tool[] {
    return this.#tools.map(({ tool }) => tool);
  }

  #definitionMap(): DefinitionMap {
    this.#definitions ??= new DefinitionMap([...this.#byName.keys()]);
    return this.#definitions;
  }

  #checkUsable(): void {
    if (this.#runner.isClosed)
      throw new MCIClientError("closed", "This client was closed. Load the file again to execute tools.");
    if (this.#loaded.validating) {
      throw new MCIClientError(
        "validating_mode",
        "Tool execution is disabled in validating mode. Initialize MCIClient with validating=False to execute tools.",
      );
    }
  }

  #find(name: string, filter?: ToolFilter): LoadedTool {
    const found = this.#byName.get(name);
    const isHidden = filter !== undefined && found !== undefined && select([found.tool], filter).length === 0;
    if (found !== undefined && !isHidden) return found;
    const changed = this.#loaded.refused?.get(name);
    if (changed !== undefined) throw new MCIClientError("tool_changed", changed);
    const similar = closestMatch(
      String(name),
      filter === undefined ? [...this.#byName.keys()] : this.listTools(filter),
    );
    throw new MCIClientError(
      "tool_not_found",
      `Tool not found: ${String(name)}${similar === undefined ? "" : `. Did you mean '${similar}'?`}`,
    );
  }

  async #read(found: LoadedTool, rawInput: unknown): Promise<Input> {
    return (await (this.#readers.get(found) ?? this.#reader(found)))(rawInput);
  }

  #reader(found: LoadedTool): Promise<InputReader> {
    const reader = readerOf(found);
    this.#readers.set(found, reader);
    // Once built, later calls need not wait for a promise.
    reader.then(
      (built) => this.#readers.set(found, built),
      () => this.#readers.delete(found),
    );
    return reader;
  }
}

function nothingToLogInTo(name: string, names: readonly string[]): MCIClientError {
  const similar = closestMatch(name, names);
  const others = names.length === 0 ? "the file has nothing to log in to" : `there are ${names.join(", ")}`;
  const hint = similar === undefined ? others : `did you mean '${similar}'?`;
  return new MCIClientError("login_failed", `There is no server or API '${name}' to log in to: ${hint}`);
}

/** The file that includes a tool may set a part of its input. */
async function readerOf({ tool, input }: LoadedTool): Promise<InputReader> {
  if (input === undefined) return inputReader(tool);
  const visible = { schema: tool.inputSchema ?? {}, hidden: input.hidden };
  return fixedInput(await inputReader({ name: tool.name, inputSchema: input.schema }, visible), input);
}

/** Frameworks write to the tools they are given. */
function copyOf({ inputSchema, outputSchema, ...tool }: Tool): Tool {
  return {
    ...copyData(tool),
    ...(inputSchema === undefined ? {} : { inputSchema: objectRoot(objectSchemas(inputSchema)) }),
    ...(outputSchema === undefined ? {} : { outputSchema: objectSchemas(outputSchema) }),
  };
}

/** A model's arguments under the file's names. What is not an object is left for the input's reader to refuse. */
function fromModel(tool: Tool, rawInput: unknown, map: DefinitionMap): unknown {
  if (typeof rawInput !== "object" || rawInput === null || Array.isArray(rawInput)) return rawInput;
  return omitNulls(map.toOwnProperties(tool, rawInput as Record<string, unknown>), tool.inputSchema);
}
