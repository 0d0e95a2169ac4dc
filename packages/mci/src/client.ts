import { traced } from "@mci-ts/primitives/tracing";
import { argumentsOf, asResult, refusal, toModelNames } from "./client/call.ts";
import { CallRunner } from "./client/call-runner.ts";
import type {
  CallOptions,
  DefinitionOptions,
  ExecuteOptions,
  FixedProperty,
  LoadFileOptions,
  PreviewOptions,
  SearchOptions,
  ToolPermissions,
} from "./client/client-options.ts";
import { LazyContent } from "./client/lazy-content.ts";
import { logIn, loginNames } from "./client/logins.ts";
import { ServerClient } from "./client/server-client.ts";
import { missingLogins } from "./client/tool-logins.ts";
import { copyOf, ToolSet } from "./client/tool-set.ts";
import type { ToolArguments, ToolName, ToolResult, UntypedTools } from "./client/tool-types.ts";
import type { ToolDefinition } from "./definitions/definitions.ts";
import { MCIClientError, type Problem } from "./errors.ts";
import type { LoadOptions } from "./load/load-options.ts";
import type { Loaded, LoadedTool } from "./load/loaded.ts";
import { lockTools, type ToolLock } from "./load/lock/lock.ts";
import type { LoginWay, OnAuthorize } from "./login/login-options.ts";
import { checkExecuteOptions, checkLoadOptions, checkSearch } from "./options.ts";
import type { Preview } from "./preview.ts";
import type { ExecutionResult } from "./result.ts";
import type { Document } from "./schema/document.ts";
import { objectRoot } from "./schema/json-schema/object-root.ts";
import { copyData, objectSchemas } from "./schema/json-schema/object-schemas.ts";
import type { Tool } from "./schema/tool.ts";
import type { ToolMatch } from "./search/search.ts";
import type { Input } from "./tools/input.ts";
import type { ToolFilter } from "./tools/select.ts";

/*
 * OPEN FIRST. The whole flow, and the file list is the flow:
 *
 *   path -read-> Source -parse-> Parsed -validate-> Document -toolsets, mcp-> LoadedTool[]        load/load.ts
 *        -select-> LoadedTool -input-> Input                                              client/tool-set.ts
 *        -render, execute[type]-> ExecutionResult                                      client/call-runner.ts
 */

/**
 * The tools of one MCI file: list them, filter them, execute them. Made by `MCIClient.load` or `fromObject`. `Tools` is
 * an interface that `mci types` writes from the file; with it the compiler knows every name and every property.
 */
export class MCIClient<Tools extends object = UntypedTools> extends ServerClient {
  /** What the file says about itself. */
  readonly metadata: NonNullable<Document["metadata"]>;
  readonly #logins: readonly Problem[];
  readonly #tools: ToolSet;
  readonly #runner: CallRunner;
  readonly #content: LazyContent;

  private constructor(loaded: Loaded, logins: readonly Problem[] = []) {
    // "private" exists in TypeScript only.
    if (loaded?.limits === undefined) {
      const message =
        "Use 'await MCIClient.load(file)' or 'await MCIClient.fromObject(document)', not 'new'.";
      throw new MCIClientError("invalid_argument", message);
    }
    const tools = new ToolSet(loaded);
    const runner = new CallRunner(loaded);
    const content = new LazyContent(
      loaded,
      (found, input, options) => runner.run(found, input, options),
      (changed) => tools.replace(changed),
    );
    super(
      content,
      () => checkUsable(runner, loaded),
      () => tools.loaded,
    );
    this.metadata = loaded.metadata;
    this.#logins = logins;
    this.#tools = tools;
    this.#runner = runner;
    this.#content = content;
  }

  /** Reads an MCI file. Throws `MCIClientError` with every problem found in it. */
  static async load<Tools extends object = UntypedTools>(
    file: string | URL | LoadFileOptions,
    options: LoadOptions = {},
  ): Promise<MCIClient<Tools>> {
    checkLoadOptions(options);
    if (typeof file === "string" || file instanceof URL)
      return MCIClient.#open(({ loadFile }) => loadFile(file, options));
    const path = file?.schemaFilePath ?? file?.jsonFilePath;
    if (path === undefined) {
      throw new MCIClientError(
        "invalid_argument",
        "Either 'schemaFilePath' or 'jsonFilePath' must be provided. For a document in memory, use MCIClient.fromObject.",
      );
    }
    checkLoadOptions(file);
    return MCIClient.#open(({ loadFile }) => loadFile(path, { ...file, ...options }));
  }

  /** The same for a document in memory. Relative paths start at `baseDir` (default: the current directory). */
  static async fromObject<Tools extends object = UntypedTools>(
    document: unknown,
    options: LoadOptions & { baseDir?: string } = {},
  ): Promise<MCIClient<Tools>> {
    checkLoadOptions(options);
    return MCIClient.#open(({ loadDocument }) => loadDocument(document, options));
  }

  /** What reads files is loaded with the first of them: programs import the library long before, or for nothing. */
  static #open<Tools extends object>(
    load: (stage: typeof import("./load/load.ts")) => Promise<Loaded>,
  ): Promise<MCIClient<Tools>> {
    return traced(
      () => ({ name: "mci.load", attributes: {} }),
      async (span) => {
        const loaded = await load(await import("./load/load.ts"));
        span?.set({ "mci.tools": loaded.tools.length });
        return new MCIClient<Tools>(loaded, await missingLogins(loaded));
      },
    );
  }

  /**
   * What is wrong without being fatal: a dead MCP server whose tools are missing, an older cached list that was used. Of servers whose lists
   * were loaded again: of the latest time.
   */
  get warnings(): readonly Problem[] {
    return [...this.#tools.loaded.warnings, ...this.#logins];
  }

  /** Every enabled tool, in the order of the file. Copies that may be changed. */
  tools(): Tool[] {
    return this.#select({});
  }

  /** Names of the tools that pass the filter; of all, without one. */
  listTools(filter: ToolFilter = {}): string[] {
    return this.#tools.select(filter).map((tool) => tool.name);
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
    return this.#tools.search(query, options);
  }

  /** The tool of that name, also of the name that models see. A copy that may be changed. Throws if there is none. */
  tool(name: string, filter?: ToolFilter): Tool {
    return copyOf(this.#tools.find(this.#tools.definitions.ownName(String(name)), filter).tool);
  }

  /** A tool's input schema; an empty object if it has none. A copy that may be changed. */
  getToolSchema(name: string): Record<string, unknown> {
    const { inputSchema } = this.#tools.find(name).tool;
    return inputSchema === undefined ? {} : objectRoot(objectSchemas(inputSchema));
  }

  /** What a person can log in to with `login`: MCP servers, and the APIs of HTTP tools. */
  loginNames(): string[] {
    return loginNames(this.#loaded);
  }

  /**
   * A person logs in: `onAuthorize` shows them the address, and returns the one that the browser came back to; `onDeviceCode` shows
   * a code for another device. What was obtained is in the store that `load` got in `auth`. Throws `MCIClientError`.
   */
  async login(name: string, how: OnAuthorize | LoginWay): Promise<void> {
    checkUsable(this.#runner, this.#loaded);
    await logIn(this.#loaded, name, typeof how === "function" ? { onAuthorize: how } : how);
  }

  /** What the tools are now, to be given to `load` as `lock` later. */
  lock(): ToolLock {
    const { tools, servers, content, metadata } = this.#loaded;
    return lockTools(tools, servers, content, metadata);
  }

  /** Which files a tool may access, besides those in the directory of the MCI file. */
  toolPermissions(name: string): ToolPermissions {
    const { env } = this.#loaded;
    const scope = { props: {}, env, absent: new Set<string>(), onEnv: () => {} };
    const { enableAnyPaths, directoryAllowList } = this.#tools.find(name).paths(scope);
    return { enableAnyPaths, directories: [...directoryAllowList] };
  }

  /** Properties that `overrides` of the file set or hide: callers neither see them nor give them a value. */
  fixedProperties(name: string): FixedProperty[] {
    const { fixed = {}, hidden = [] } = this.#tools.find(name).input ?? {};
    return [...hidden].map((property) => ({
      name: property,
      ...(Object.hasOwn(fixed, property) && { value: copyData(fixed[property]) }),
    }));
  }

  /** The tools as models see them: names and schemas that every provider accepts. Copies that may be changed. */
  toolDefinitions({ filter = {}, onWarning }: DefinitionOptions = {}): ToolDefinition[] {
    return this.#tools.select(filter).map((tool) => this.#tools.definitions.define(tool, onWarning));
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
    const map = this.#tools.definitions;
    const ownName = map.ownName(String(name));
    let properties: ReadonlyMap<string, string> = new Map();
    try {
      checkUsable(this.#runner, this.#loaded);
      const found = this.#tools.find(ownName, filter);
      properties = map.propertyNames(found.tool);
      const input = await this.#tools.readOfModel(found, await argumentsOf(found.tool.name, rawInput));
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
    checkUsable(this.#runner, this.#loaded);
    checkExecuteOptions(options);
    const found = this.#tools.find(name);
    const input = this.#tools.read(found, properties);
    return this.#run(found, input instanceof Promise ? await input : input, options) as Promise<
      ToolResult<Tools, Name>
    >;
  }

  /**
   * What `execute` would send or run for this input, with secrets masked; nothing is sent or started. Throws
   * `MCIClientError` where the call would fail before that.
   */
  async preview<Name extends ToolName<Tools>>(
    name: Name,
    ...args: ToolArguments<Tools, Name, PreviewOptions>
  ): Promise<Preview> {
    const [properties = {}, options = {}] = args as [unknown?, PreviewOptions?];
    checkUsable(this.#runner, this.#loaded);
    const found = this.#tools.find(name);
    const own = this.#tools.toOwnProperties(found.tool, properties);
    return this.#runner.preview(found, await this.#tools.read(found, own), options);
  }

  /** Names of arguments that the tool does not have, and that a call would therefore ignore. Throws as `execute` does. */
  async ignoredArguments<Name extends ToolName<Tools>>(
    name: Name,
    ...args: ToolArguments<Tools, Name, never>
  ): Promise<readonly string[]> {
    const [properties = {}] = args as [unknown?];
    return (await this.#tools.read(this.#tools.find(name), properties)).ignored;
  }

  /** Cancels what is running and releases every connection and process. The client cannot be used afterwards. */
  async close(): Promise<void> {
    await this.#runner.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** What a result mentions can be read afterwards. */
  async #run(found: LoadedTool, input: Input, options: ExecuteOptions): Promise<ExecutionResult> {
    const result = await this.#runner.run(found, input, options);
    if (found.tool.execution.type === "mcp" && this.#loaded.content !== undefined)
      (await this.#content.get())?.mention(result);
    return result;
  }

  /** As it is now: servers change their lists. */
  get #loaded(): Loaded {
    return this.#tools.loaded;
  }

  #select(filter: ToolFilter): Tool[] {
    return this.#tools.select(filter).map(copyOf);
  }
}

function checkUsable({ isClosed }: CallRunner, { validating }: Loaded): void {
  if (isClosed)
    throw new MCIClientError("closed", "This client was closed. Load the file again to execute tools.");
  if (validating) {
    throw new MCIClientError(
      "validating_mode",
      "Tool execution is disabled in validating mode. Initialize MCIClient with validating=False to execute tools.",
    );
  }
}
