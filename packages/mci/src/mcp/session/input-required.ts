import { setTimeout as sleep } from "node:timers/promises";
import type { InputRequiredResult } from "@modelcontextprotocol/client";
import type { McpResult, RequestOptions } from "../connection.ts";
import { withDeadline } from "../deadline.ts";
import { McpError } from "../errors.ts";

/** What a server answers: the result, or that it is not there yet. */
export type Answer = McpResult | InputRequiredResult;
export type Send = (params: CallParams, options: RequestOptions) => Promise<Answer>;

export interface CallParams {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Given back to the server as it came. */
  readonly requestState?: string;
}

const MAX_ROUNDS = 10;
/** Milliseconds between two rounds. */
const PAUSE = 250;

/**
 * A call that the server has put off: since 2026 it may ask to be called again with a state of its own. It may also ask
 * for something that only a user or a model could give; nobody is here to give it.
 */
export async function untilComplete(
  first: InputRequiredResult,
  params: CallParams,
  send: Send,
  { timeoutMs, signal }: RequestOptions,
  late: string,
): Promise<McpResult> {
  return withDeadline(timeoutMs, signal, late, async (signal) => {
    let answer: Answer = first;
    for (let round = 0; isPutOff(answer); round++) {
      const wanted = Object.values(answer.inputRequests ?? {}).map(({ method }) => method);
      if (wanted.length > 0) throw refused(`the server asks for input that cannot be given here (${wanted})`);
      if (round === MAX_ROUNDS) throw refused(`the server put the call off ${MAX_ROUNDS} times`);
      await sleep(PAUSE, undefined, { signal });
      answer = await send({ ...params, requestState: answer.requestState }, { timeoutMs, signal });
    }
    return answer;
  });
}

export function isPutOff(answer: Answer): answer is InputRequiredResult {
  return answer["resultType"] === "input_required";
}

function refused(message: string): McpError {
  return new McpError("refused", message);
}
