import type { InputRequiredResult } from "@modelcontextprotocol/client";
import { sleep } from "../../abort.ts";
import type { McpResult, RequestOptions } from "../connection.ts";
import { McpError } from "../errors.ts";
import { withTimeout } from "../timeout.ts";

/** What a server answers: the result, or that it is not there yet. */
export type CallResponse = McpResult | InputRequiredResult;
export type Send = (params: CallParams, options: RequestOptions) => Promise<CallResponse>;

export interface CallParams {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Given back to the server as it came. */
  readonly requestState?: string;
}

const MAX_ROUNDS = 10;
/** Milliseconds between two rounds. */
const REPEAT_DELAY_MS = 250;

/**
 * A call that the server has put off: since 2026 it may ask to be called again with a state of its own. It may also ask
 * for something that only a user or a model could give; nobody is here to give it.
 */
export async function repeatUntilComplete(
  first: InputRequiredResult,
  params: CallParams,
  send: Send,
  { timeoutMs, signal }: RequestOptions,
  timeoutText: string,
): Promise<McpResult> {
  return withTimeout(timeoutMs, signal, timeoutText, async (signal) => {
    let response: CallResponse = first;
    for (let round = 0; isInputRequired(response); round++) {
      const requested = Object.values(response.inputRequests ?? {}).map(({ method }) => method);
      if (requested.length > 0)
        throw refusedError(`the server asks for input that cannot be given here (${requested})`);
      if (round === MAX_ROUNDS) throw refusedError(`the server put the call off ${MAX_ROUNDS} times`);
      await sleep(REPEAT_DELAY_MS, signal);
      response = await send({ ...params, requestState: response.requestState }, { timeoutMs, signal });
    }
    return response;
  });
}

export function isInputRequired(response: CallResponse): response is InputRequiredResult {
  return response["resultType"] === "input_required";
}

function refusedError(message: string): McpError {
  return new McpError("refused", message);
}
