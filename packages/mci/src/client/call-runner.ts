import { toRawJson } from "@mci-ts/primitives/exact-json";
import { parseJson } from "@mci-ts/primitives/parse-json";
import { type ActiveSpan, isTracing, traced } from "@mci-ts/primitives/tracing";
import { MCIClientError, ToolError } from "../errors.ts";
import { CallContext } from "../execute/call-context.ts";
import { ExecutorSessions } from "../execute/execute.ts";
import type { Loaded, LoadedTool } from "../load/loaded.ts";
import type { Preview } from "../preview.ts";
import { type ContentItem, ExecutionResult, type Outcome } from "../result.ts";
import type { Tool } from "../schema/tool.ts";
import { Secrets } from "../secrets.ts";
import type { Scope } from "../template-api.ts";
import type { Input } from "../tools/input.ts";
import type { ExecuteOptions, PreviewOptions } from "./client-options.ts";
import { withIgnored } from "./ignored-arguments.ts";
import { standIn, unsetVariables, withPlainPlaceholders } from "./unset-variables.ts";

/** Variables that get a placeholder in one preview. */
const MAX_UNSET = 100;

/** Runs the calls of one client: what a call may see, what is masked, how it is cancelled, and its one kind of result. */
export class CallRunner {
  readonly #loaded: Loaded;
  readonly #runner: ExecutorSessions;
  readonly #inFlight = new Set<CallContext>();
  #closed = false;

  constructor(loaded: Loaded) {
    this.#loaded = loaded;
    this.#runner = new ExecutorSessions(loaded);
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Never rejects: a tool that fails is a result. */
  async run(found: LoadedTool, input: Input, options: ExecuteOptions): Promise<ExecutionResult> {
    const result = await (isTracing()
      ? traced(
          () => callSpan(found.tool, options),
          (span) => this.#runInSpan(found, input, options, span),
        )
      : this.#execute(found, input, options, this.#secrets()));
    return input.ignored.length === 0 ? result : withIgnored(result, input.ignored, found.tool, options);
  }

  async #runInSpan(
    found: LoadedTool,
    input: Input,
    options: ExecuteOptions,
    span: ActiveSpan | undefined,
  ): Promise<ExecutionResult> {
    const secrets = this.#secrets();
    const result = await this.#execute(found, input, options, secrets);
    if (result.isError) span?.fail(String(result.metadata["error_code"] ?? "tool_error"));
    // After the call, when it is known what is secret in them.
    if (this.#loaded.traceContent)
      span?.set({
        "gen_ai.tool.call.arguments": content(input.props, secrets),
        "gen_ai.tool.call.result": content(result.content, secrets),
      });
    return result;
  }

  async #execute(
    found: LoadedTool,
    input: Input,
    options: ExecuteOptions,
    secrets: Secrets,
  ): Promise<ExecutionResult> {
    const isAborted = () => this.#closed || options.signal?.aborted === true;
    let call: CallContext | undefined;
    try {
      // The client may have been closed while the input's reader was built.
      if (isAborted()) throw aborted();
      call = this.#context(found, input, options, secrets);
      this.#inFlight.add(call);
      const outcome = await shaped(found.tool, await this.#runner.run(found.compiled, call));
      const metadata = outcome.metadata && secrets.maskFields(outcome.metadata);
      if (outcome.isError) return new ExecutionResult(masked(outcome, secrets));
      const structuredContent = outcome.structuredContent ?? structured(found.tool, outcome);
      return new ExecutionResult(withNotes({ ...outcome, structuredContent, metadata }, options, secrets));
    } catch (error) {
      // A call that ends because its session was closed was cancelled, whatever the session says.
      const isCancelled = this.#closed ? !isAbortError(error) : isAborted() && !(error instanceof ToolError);
      return failed(isCancelled ? aborted() : error, secrets);
    } finally {
      if (call !== undefined) this.#inFlight.delete(call);
    }
  }

  /** What `run` would send or start, with secrets masked. */
  async preview(found: LoadedTool, input: Input, options: PreviewOptions = {}): Promise<Preview> {
    // A request is worth seeing before its variables have values: each that is missing gets a placeholder, one round after another.
    const unset = new Map<string, string>();
    let first: unknown;
    for (;;) {
      const secrets = this.#secrets([...unset.values()]);
      try {
        const context = this.#context(found, input, options, secrets, Object.fromEntries(unset));
        const preview = await this.#runner.preview(found.compiled, context);
        const visible = withPlainPlaceholders(secrets.maskFields(preview), unset);
        // Previews are written as JSON by those who ask for them.
        return toRawJson({ ...visible, type: preview.type } as Preview);
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        first ??= error;
        const names = unsetVariables(error).filter((name) => !unset.has(name));
        for (const name of names)
          unset.set(name, standIn(name, (found.tool.execution as { url?: unknown }).url));
        if (names.length > 0 && unset.size < MAX_UNSET) continue;
        const { message, code } = first as ToolError;
        throw new MCIClientError("preview_failed", `${secrets.mask(message)} (${code})`);
      }
    }
  }

  /** Cancels the calls in flight and releases every connection and process. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const call of this.#inFlight) call.cancel(new DOMException("The client was closed.", "AbortError"));
    await Promise.all([this.#runner.close(), this.#loaded.mcp?.close()]);
  }

  #context(
    found: LoadedTool,
    { props, absent }: Input,
    options: ExecuteOptions,
    secrets: Secrets,
    placeholders?: Readonly<Record<string, string>>,
  ): CallContext {
    const { env, limits, files, publicValues } = this.#loaded;
    const scope = {
      props,
      env: placeholders === undefined ? env : { ...env, ...placeholders },
      absent,
      onEnv: (value: unknown, use?: "credential") => secrets.add(value, use),
      publicValues,
      ...callerScope(options),
    };
    if (options.caller?.token !== undefined) secrets.add(options.caller.token, "credential");
    return new CallContext({
      tool: found.tool,
      scope,
      callerSignal: options.signal,
      paths: found.paths(scope),
      protectedFiles: files,
      limits,
      compile: found.compile,
      mask: (text) => secrets.mask(text),
      onProgress: listener("onProgress", options.onProgress),
      onExchange: listener("onExchange", options.onExchange),
      idempotencyKey: options.idempotencyKey,
      input: options,
    });
  }

  /** What is masked in everything that is reported about one call. */
  #secrets(visible: readonly string[] = []): Secrets {
    const { publicValues, proxy } = this.#loaded;
    const secrets = new Secrets(visible.length === 0 ? publicValues : new Set([...publicValues, ...visible]));
    for (const secret of proxy?.secrets ?? []) secrets.add(secret, "credential");
    return secrets;
  }
}

/** By the conventions for generative AI: which tool, never with what. */
function callSpan({ name, execution }: Tool, { meta }: ExecuteOptions) {
  return {
    name: `execute_tool ${name}`,
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
      "gen_ai.tool.type": "function",
      "mci.execution.type": execution.type,
    },
    meta,
  };
}

/** Longer values fill what spans are exported to. */
const MAX_CONTENT = 10_000;

function content(value: unknown, secrets: Secrets): string {
  const text = secrets.mask(JSON.stringify(value) ?? "") as string;
  return text.length > MAX_CONTENT
    ? `${text.slice(0, MAX_CONTENT)}… (${text.length} characters in all)`
    : text;
}

function callerScope({ caller }: ExecuteOptions): Pick<Scope, "caller" | "callerToken"> {
  if (caller === undefined) return {};
  const { sub, scopes = [], claims = {}, token } = caller;
  return { caller: { sub, scopes, claims }, callerToken: token };
}

/** A failure is passed on whole. */
async function shaped({ result }: Tool, outcome: Outcome): Promise<Outcome> {
  if (result === undefined || outcome.isError) return outcome;
  return (await import("../shape/shape.ts")).shapeOutcome(outcome, result);
}

/** What the result does not show by itself: in its metadata, and for a model in its content. */
function withNotes(shaped: Outcome, { noteIgnored = false }: ExecuteOptions, secrets: Secrets): Outcome {
  if (shaped.notes === undefined) return shaped;
  const { notes: plain, ...outcome } = shaped;
  if (plain.length === 0) return outcome;
  const notes = plain.map((note) => secrets.mask(note));
  const texts = notes.map((note) => ({ type: "text", text: `Note: ${note}` }) as const);
  return {
    ...outcome,
    content: noteIgnored ? [...outcome.content, ...texts] : outcome.content,
    metadata: { ...outcome.metadata, notes },
  };
}

/** A tool with an output schema whose result is the JSON text of an object, as for commands and files. */
function structured({ outputSchema }: Tool, { content }: Outcome): unknown {
  const [item, ...more] = content;
  if (outputSchema === undefined || item?.type !== "text" || more.length > 0) return undefined;
  const value = parseJson(item.text);
  return typeof value === "object" ? (value ?? undefined) : undefined;
}

/** What a function of the application throws may hold anything, and a model reads the result. */
function listener<Event>(name: string, tell: ((event: Event) => void) | undefined) {
  return (
    tell &&
    ((event: Event) => {
      try {
        tell(event);
      } catch (cause) {
        throw new ToolError("internal", `The function ${name} of the application failed.`, { cause });
      }
    })
  );
}

function isAbortError(error: unknown): boolean {
  return error instanceof ToolError && error.code === "aborted";
}

function aborted(): ToolError {
  return new ToolError("aborted", "The call was cancelled.");
}

function failed(error: unknown, secrets: Secrets): ExecutionResult {
  const { code, message, metadata } =
    error instanceof ToolError
      ? error
      : new ToolError("internal", error instanceof Error ? error.message : String(error), { cause: error });
  const visible = masked({ content: [{ type: "text", text: message }], metadata }, secrets);
  return new ExecutionResult({
    ...visible,
    isError: true,
    metadata: { ...visible.metadata, error_code: code },
  });
}

/** Masks what servers and programs returned, not the field names and types that give it its shape. */
function masked(outcome: Outcome, secrets: Secrets): Outcome {
  const { content, structuredContent, metadata = {}, isError, inputRequired } = outcome;
  return {
    ...(inputRequired && { inputRequired }),
    isError,
    content: content.map((item) =>
      item.type === "resource"
        ? { ...item, resource: secrets.maskFields(item.resource) }
        : { ...secrets.maskFields(item), type: item.type },
    ) as ContentItem[],
    structuredContent: secrets.mask(structuredContent),
    metadata: secrets.maskFields(metadata),
  };
}
