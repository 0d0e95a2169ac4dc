/** One way of voting in one cell of the grid, on a clock that never waits: the local provider, without its socket. */
import type { Clock, Model } from "@mci-ts/council";
import { virtualClock } from "../../packages/council/test/virtual-clock.ts";
import type { ChatRequest } from "../../packages/fake-provider/src/chat-request.ts";
import { chooseReply } from "../../packages/fake-provider/src/choose-reply.ts";
import { type ContentReply, complete } from "../../packages/fake-provider/src/completion.ts";
import { Behaviour } from "../../packages/fake-provider/src/script.ts";
import { TRUTH, type Way, WRONG } from "./council-ways.ts";

export interface Cell {
  /** Chance that a valid answer is right. */
  readonly p: number;
  readonly k: number;
  /** Share of answers that are not red-flagged. */
  readonly valid: number;
}

/** What one way of voting took in one cell: means over its votes. */
export interface Score {
  readonly votes: number;
  readonly calls: number;
  readonly ms: number;
  /** Share of votes that ended in anything but the right answer, the undecided ones included. */
  readonly wrong: number;
}

export const GRID: readonly Cell[] = [0.7, 0.8, 0.9, 0.95, 0.998].flatMap((p) =>
  [1, 2, 3, 4, 5].flatMap((k) => [1, 0.97, 0.8].map((valid) => ({ p, k, valid }))),
);

/** The median latency is a second; one answer in ten takes more than 1.9. */
export const LATENCY = { median_ms: 1000, sigma: 0.5 };

/** `cell` is one of the grid. Call number n of a vote is the same for every way: what differs is only when it is made. */
export async function score(way: Way, cell: Cell, votes: number): Promise<Score> {
  const sum = { calls: 0, ms: 0, wrong: 0 };
  for (let vote = 0; vote < votes; vote++) {
    const clock = virtualClock();
    const seed = vote * GRID.length + GRID.indexOf(cell);
    const provider = simulated(behaviourOf(cell, seed), clock);
    const winner = await clock.run(way({ k: cell.k, model: provider, clock }));
    sum.calls += provider.calls;
    sum.ms += clock.now();
    if (winner !== TRUTH) sum.wrong++;
  }
  return { votes, calls: sum.calls / votes, ms: sum.ms / votes, wrong: sum.wrong / votes };
}

export function behaviourOf({ p, valid }: Omit<Cell, "k">, seed: number, latency = LATENCY): Behaviour {
  const rates = { malformed: 1 - valid };
  return Behaviour.parse({ seed, accuracy: p, truth: TRUTH, wrong: [WRONG], latency, rates });
}

/** What the local provider would say and when, by the engine's port. */
function simulated(behaviour: Behaviour, clock: Clock): Model & { readonly calls: number } {
  let calls = 0;
  return {
    get calls() {
      return calls;
    },
    async complete({ model, messages, schema }, signal) {
      const json_schema = { schema: schema?.jsonSchema };
      const response_format = { type: "json_schema", json_schema };
      const request = { model, messages: [...messages], response_format } as ChatRequest;
      const { reply, delayMs } = chooseReply([], behaviour, request, "", calls++);
      await clock.sleep(delayMs, signal);
      const { content, usage } = complete(reply as ContentReply, request);
      return {
        text: content,
        finishReason: "stop",
        usage: { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens },
        latencyMs: delayMs,
      };
    },
  };
}
