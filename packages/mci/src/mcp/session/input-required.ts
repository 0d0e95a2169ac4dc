import type { InputRequiredResult } from "@modelcontextprotocol/client";
import { sleep } from "../../abort.ts";
import type { RequestOptions } from "../connection.ts";
import { McpError } from "../errors.ts";
import type { McpResult } from "../protocol.ts";
import { withTimeout } from "../timeout.ts";

/** The result, or a request for more input. */
export type CallResponse = McpResult | InputRequiredResult;
export type Send = (params: CallParams, options: RequestOptions) => Promise<CallResponse>;

export interface CallParams {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Returned to the server unchanged. */
  readonly requestState?: string;
}

const MAX_ROUNDS = 10;
/** Milliseconds between two rounds. */
const REPEAT_DELAY_MS = 250;

/**
 * Completes a call whose response is `input_required`: since 2026 a server may ask to be called again with its own state.
 * It may also request input from a user or a model, which is not supported here.
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
        throw refusedError(`the server requests input, which is not supported (${requested})`);
      if (round === MAX_ROUNDS) throw refusedError(`the server asked to be called again ${MAX_ROUNDS} times`);
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
