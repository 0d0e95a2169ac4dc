import { isObject } from "@mci-ts/primitives/is-object";
import { type InputRequiredResult, ProtocolError } from "@modelcontextprotocol/client";
import { raceAbort, sleep } from "../../abort.ts";
import { MCIClientError } from "../../errors.ts";
import { InputPause } from "../../input-pause.ts";
import type { RequestOptions } from "../connection.ts";
import { McpError } from "../errors.ts";
import type { InputContext, InputOptions, InputRequest, InputResponse } from "../input.ts";
import { readInputRequest } from "./input-request.ts";

/** A result of the server, or a request for more input. */
export type Response = Readonly<Record<string, unknown>> | InputRequiredResult;
export type Send = (params: RoundParams, options: RequestOptions) => Promise<Response>;

export interface RoundParams {
  readonly [name: string]: unknown;
  /** Returned to the server unchanged. */
  readonly requestState?: string;
  readonly inputResponses?: Readonly<Record<string, InputResponse>>;
}

export interface RoundOptions extends RequestOptions {
  readonly input: InputOptions | undefined;
  readonly context: Omit<InputContext, "signal">;
  /** The time is up. */
  readonly timeoutError: () => McpError;
  /** Called when the first response has arrived: the server has done something. */
  readonly onResponse: () => void;
}

const MAX_ROUNDS = 10;
/** Questions of one call, in all its rounds. */
export const MAX_QUESTIONS = 20;
/** Milliseconds between two rounds in which nobody is asked. */
const REPEAT_DELAY_MS = 250;
/** The error of the revision of November 2025 with which a server asks for visits to pages before it can go on. */
const URL_ELICITATION_REQUIRED = -32_042;

/**
 * Sends a request until it is complete: since 2026 a server may respond that it needs input, or wants to be called again, with
 * its own state. Only the time that the server takes counts.
 */
export async function sendUntilComplete(
  params: RoundParams,
  send: Send,
  { timeoutMs, signal, input = {}, context, timeoutError, onResponse }: RoundOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const aborts = signal ?? new AbortController().signal;
  let left = timeoutMs;
  const timed = async <T>(work: () => Promise<T>): Promise<T> => {
    if (left <= 0) throw timeoutError();
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      left -= performance.now() - startedAt;
    }
  };
  let next: RoundParams = { ...params, ...resumed(input) };
  let questions = 0;
  for (let round = 0; ; round++) {
    const current = next;
    const response = await timed(() => send(current, { timeoutMs: left, signal }).catch(asInputRequired));
    if (!isInputRequired(response)) return response;
    onResponse();
    if (round === MAX_ROUNDS)
      throw new McpError("refused", `the server asked to be called again ${MAX_ROUNDS} times`);
    const requests = readRequests(response);
    questions += Object.keys(requests).length;
    if (questions > MAX_QUESTIONS)
      throw new McpError("refused", `the server asked more than ${MAX_QUESTIONS} questions`);
    const { requestState } = response;
    if (Object.keys(requests).length === 0) {
      await timed(() => sleep(REPEAT_DELAY_MS, aborts));
      next = { ...params, requestState };
      continue;
    }
    if (input.pauseOnInput)
      throw new InputPause({ requests, ...(requestState !== undefined && { state: requestState }) });
    next = {
      ...params,
      requestState,
      inputResponses: await ask(requests, input, { ...context, signal: aborts }),
    };
  }
}

function resumed({ resume }: InputOptions): Partial<RoundParams> {
  if (resume === undefined) return {};
  const { responses: inputResponses, state: requestState } = resume;
  return { inputResponses, ...(requestState !== undefined && { requestState }) };
}

/** One after another: a person reads one form at a time. */
async function ask(
  requests: Readonly<Record<string, InputRequest>>,
  { onInput }: InputOptions,
  context: InputContext,
): Promise<Record<string, InputResponse>> {
  if (onInput === undefined) throw noOneToAsk(Object.values(requests));
  const responses: Record<string, InputResponse> = {};
  for (const [name, request] of Object.entries(requests))
    responses[name] = await raceAbort(askPerson(onInput, request, context), context.signal);
  return responses;
}

export async function askPerson(
  onInput: NonNullable<InputOptions["onInput"]>,
  request: InputRequest,
  context: InputContext,
): Promise<InputResponse> {
  try {
    // As plain data: what throws when it is read would do so on its way to the server, and tell it why.
    const response = structuredClone(await onInput(request, context));
    if (isObject(response) && ACTIONS.has(response.action)) return response;
    throw new TypeError("onInput gave no response");
  } catch (cause) {
    if (cause instanceof McpError) throw cause;
    // What else the application throws may hold anything, and the model reads this.
    const reason = cause instanceof MCIClientError ? cause.message : "the question failed";
    throw new McpError("input_required", `${describe([request])}, and was not answered: ${reason}`, {
      cause,
    });
  }
}

const ACTIONS: ReadonlySet<unknown> = new Set(["accept", "decline", "cancel"]);

export function noOneToAsk(requests: readonly InputRequest[]): McpError {
  return new McpError("input_required", `${describe(requests)}, and there is no one to ask`, {
    hint: "call it where a person can answer, or give the client an onInput function",
  });
}

function describe(requests: readonly InputRequest[]): string {
  const questions = requests.map((request) =>
    request.mode === "url" ? `${request.message} (${request.url})` : request.message,
  );
  return `the server asks for input (${questions.join("; ").slice(0, MAX_DESCRIPTION)})`;
}

/** Characters of what was asked in an error. */
const MAX_DESCRIPTION = 2000;

function readRequests(response: InputRequiredResult): Record<string, InputRequest> {
  const requests = Object.entries(response.inputRequests ?? {});
  return Object.fromEntries(requests.map(([name, request]) => [name, readInputRequest(request)]));
}

/** The older way to say that pages have to be visited first. The request is then sent again as it was. */
function asInputRequired(error: unknown): InputRequiredResult {
  if (!(error instanceof ProtocolError) || error.code !== URL_ELICITATION_REQUIRED) throw error;
  const { elicitations } = (error.data ?? {}) as { elicitations?: unknown };
  if (!Array.isArray(elicitations) || elicitations.length === 0) throw error;
  const inputRequests = Object.fromEntries(
    elicitations.map((params, index) => [`page-${index + 1}`, { method: "elicitation/create", params }]),
  );
  return { resultType: "input_required", inputRequests } as InputRequiredResult;
}

function isInputRequired(response: Response): response is InputRequiredResult {
  return response["resultType"] === "input_required";
}
