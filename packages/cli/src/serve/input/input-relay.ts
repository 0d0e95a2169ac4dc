import { isObject } from "@mci-ts/primitives/is-object";
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  type InputRequest as McpInputRequest,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { InputNeeded, InputOptions, InputRequest, InputResponse, OnInput } from "mci-ts";
import { progressOf } from "../progress.ts";
import { digestOf, type RequestState, RequestStates } from "./request-state.ts";
import { SuspendedCalls } from "./suspended-calls.ts";

/** Options of a request that is relayed to the servers behind. */
export type RelayOptions = InputOptions & {
  readonly signal: AbortSignal;
  readonly onProgress?: ReturnType<typeof progressOf>["onProgress"];
};

/** A request, as its handler sees it. */
export interface RelayedRequest {
  /** Bound to the request: method, target, arguments. */
  readonly digest: string;
  readonly state: RequestState | undefined;
  readonly responses: Readonly<Record<string, InputResponse>>;
  /** What the client can show to a person. */
  readonly modes: ElicitationModes;
  /** Since 2026: the request itself says what the client can do, and an error what it cannot. */
  readonly isModern: boolean;
  /** Who is asked: over standard input and output there is one person, over HTTP one for each session or request. */
  readonly person: string;
}

export interface ElicitationModes {
  readonly form: boolean;
  readonly url: boolean;
}

/** The name of the only question of a call that waits in this process, and of an approval. */
const ONLY = "input";

/**
 * Passes what servers ask on to the client, and its answers back. What a server of 2026 says about its state travels with the
 * client, signed; a call of an older server waits here. Either is bound to the request that it belongs to.
 */
export class InputRelay {
  readonly states = new RequestStates();
  readonly #callers = new WeakMap<Server, string>();
  readonly #suspended = new SuspendedCalls<object>();

  /** Who sends the requests of a server: a state of one caller is of no use to another. */
  bind(server: Server, caller: string): void {
    if (caller !== "") this.#callers.set(server, caller);
  }

  read(server: Server, context: ServerContext, params: unknown): RelayedRequest {
    const state = context.mcpReq.requestState<RequestState>();
    const request = new LazyRequest(server, context, [params, this.#callers.get(server) ?? ""], state);
    if (state !== undefined && state.digest !== request.digest)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        "The requestState belongs to another request. Send the same arguments again, or begin without it.",
      );
    return request;
  }

  /** Runs a request that servers behind may ask questions about. */
  async answer<T extends object>(
    server: Server,
    context: ServerContext,
    params: unknown,
    run: (options: RelayOptions) => Promise<T | InputNeeded>,
    request = this.read(server, context, params),
  ): Promise<T | InputRequiredResult> {
    const { mcpReq } = context;
    const { state, modes } = request;
    const { onProgress, sent } = progressOf(mcpReq);
    const meta = metaOf(mcpReq._meta);
    const base = { onProgress, ...(meta && { meta }) };
    const approval = state?.approval === undefined ? {} : { approval: "given" as const };
    const ask = async (requests: Readonly<Record<string, InputRequest>>, more: Partial<RequestState>) => {
      const unsupported = Object.values(requests).find(({ mode }) => !modes[mode]);
      if (unsupported !== undefined) throw cannotShow(unsupported);
      const inputRequests = Object.fromEntries(
        Object.entries(requests).map(([name, each]) => [name, toMcp(each)]),
      );
      return inputRequired({
        inputRequests,
        requestState: await this.states.mint({ digest: request.digest, ...approval, ...more }),
      });
    };
    const finish = async (result: object): Promise<T | InputRequiredResult> => {
      await sent();
      if (!isInputNeeded(result)) return result as T;
      const { requests, state: upstream } = result.inputRequired;
      return ask(requests, upstream === undefined ? {} : { upstream });
    };
    // Where the client cannot be asked, servers are told so.
    if (!modes.form && !modes.url)
      return finish(await run({ ...base, signal: mcpReq.signal, onInput: undefined } as RelayOptions));
    const outcome =
      state?.call === undefined
        ? await this.#suspended.start(this.#callers.get(server) ?? "", mcpReq.signal, (onInput, signal) =>
            run({ ...base, ...this.#input(request, onInput), signal }),
          )
        : await this.#suspended.resume(
            state.call,
            request.responses[ONLY] ?? { action: "cancel" },
            mcpReq.signal,
          );
    if (outcome === undefined)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        "The call does not wait any more. Begin again.",
      );
    if ("result" in outcome) return finish(outcome.result);
    return ask({ [ONLY]: outcome.request }, { call: outcome.id });
  }

  close(): void {
    this.#suspended.close();
  }

  #input({ state, responses, person }: RelayedRequest, onInput: OnInput): InputOptions {
    // A server that gave no state needs none back.
    const isAnswer = state === undefined ? Object.keys(responses).length > 0 : state.approval !== "asked";
    return {
      onInput,
      inputGroup: person,
      pauseOnInput: true,
      ...(isAnswer && {
        resume: { responses, ...(state?.upstream !== undefined && { state: state.upstream }) },
      }),
    };
  }
}

/** Most requests ask for nothing, and need none of this. */
class LazyRequest implements RelayedRequest {
  readonly state: RequestState | undefined;
  readonly modes: ElicitationModes;
  readonly #context: ServerContext;
  readonly #bound: readonly [params: unknown, caller: string];

  constructor(
    server: Server,
    context: ServerContext,
    bound: readonly [params: unknown, caller: string],
    state: RequestState | undefined,
  ) {
    this.#context = context;
    this.#bound = bound;
    this.state = state;
    this.modes = elicitationModes(server, context);
  }

  get digest(): string {
    return digestOf(this.#context.mcpReq.method, ...this.#bound);
  }

  get responses(): Readonly<Record<string, InputResponse>> {
    return responsesOf(this.#context);
  }

  get isModern(): boolean {
    return this.#context.mcpReq.envelope !== undefined;
  }

  get person(): string {
    return personOf(this.#context);
  }
}

function personOf({ http }: ServerContext): string {
  if (http === undefined) return "stdio";
  return http.req?.headers.get("mcp-session-id") ?? crypto.randomUUID();
}

/** What the client said that it can show. */
function elicitationModes(server: Server, { mcpReq }: ServerContext): ElicitationModes {
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  const elicitation = (declared ?? server.getClientCapabilities())?.elicitation;
  if (elicitation === undefined) return { form: false, url: false };
  // Before there were modes, there were forms.
  const isBare = elicitation.form === undefined && elicitation.url === undefined;
  return { form: isBare || elicitation.form !== undefined, url: elicitation.url !== undefined };
}

export function toMcp(request: InputRequest): McpInputRequest {
  if (request.mode === "url") {
    const { message, url, elicitationId } = request;
    const question = inputRequired.elicitUrl({ message, url });
    // Servers before 2026 name the request by it; without one the SDK makes one up.
    return elicitationId === undefined
      ? question
      : ({ ...question, params: { ...question.params, elicitationId } } as McpInputRequest);
  }
  const { message, requestedSchema } = request;
  return inputRequired.elicit({ message, requestedSchema: requestedSchema as never });
}

/** Entries of `_meta` that are not the protocol's own go on to the servers behind, trace context included. */
function metaOf(meta: Readonly<Record<string, unknown>> | undefined): Record<string, unknown> | undefined {
  const own = Object.entries(meta ?? {}).filter(
    ([key]) => key !== "progressToken" && !key.startsWith("io.modelcontextprotocol/"),
  );
  return own.length === 0 ? undefined : Object.fromEntries(own);
}

function responsesOf({ mcpReq }: ServerContext): Record<string, InputResponse> {
  const entries = Object.entries(mcpReq.inputResponses ?? {}).filter(([, response]) =>
    isInputResponse(response),
  );
  return Object.fromEntries(entries) as Record<string, InputResponse>;
}

export function isInputResponse(response: unknown): response is InputResponse {
  return isObject(response) && ["accept", "decline", "cancel"].includes(response["action"] as string);
}

function isInputNeeded(result: object): result is InputNeeded {
  return "inputRequired" in result && result.inputRequired !== undefined;
}

function cannotShow({ mode, message }: InputRequest): ProtocolError {
  const what = mode === "url" ? "open a page" : "fill in a form";
  return new MissingRequiredClientCapabilityError(
    { requiredCapabilities: { elicitation: { [mode]: {} } } },
    `The server behind asks to ${what}, which this client cannot show: ${message.slice(0, 500)}`,
  );
}
