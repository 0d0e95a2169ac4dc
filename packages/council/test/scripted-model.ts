import type { Clock } from "../src/clock.ts";
import type { FinishReason, Model, ModelReply, ModelRequest, ModelUsage, Purpose } from "../src/model.ts";

/** What the model does on one call: an answer (object or raw text), an error, or nothing for ever. */
export interface Scripted {
  readonly object?: unknown;
  readonly text?: string;
  readonly error?: Error;
  readonly hang?: boolean;
  readonly finishReason?: FinishReason;
  readonly usage?: Partial<ModelUsage>;
  readonly retries?: number;
  readonly toolCalls?: ModelReply["toolCalls"];
  /** Default 100. */
  readonly latencyMs?: number;
}

export type Script = (request: ModelRequest, nth: number) => Scripted;

export interface ScriptedModel extends Model {
  readonly requests: readonly ModelRequest[];
  /** Signals that were aborted while a call was in flight. */
  readonly aborts: number;
  of(purpose: Purpose): readonly ModelRequest[];
}

/** A model that answers by purpose; `nth` counts the calls of that purpose from 0. */
export function scriptedModel(clock: Clock, script: Partial<Record<Purpose, Script>>): ScriptedModel {
  const requests: ModelRequest[] = [];
  let aborts = 0;
  const of = (purpose: Purpose) => requests.filter((request) => request.purpose === purpose);
  return {
    requests,
    of,
    get aborts() {
      return aborts;
    },
    async complete(request, signal): Promise<ModelReply> {
      const nth = of(request.purpose).length;
      requests.push(request);
      const play = script[request.purpose];
      if (play === undefined) throw new Error(`nothing is scripted for ${request.purpose}`);
      const {
        object,
        text,
        error,
        hang,
        finishReason = "stop",
        usage,
        retries = 0,
        toolCalls,
        latencyMs = 100,
      } = play(request, nth);
      await clock.sleep(hang ? 1e12 : latencyMs, signal).catch((reason) => {
        aborts++;
        throw reason;
      });
      if (error !== undefined) throw error;
      return {
        text: text ?? JSON.stringify(object),
        finishReason,
        usage: { inputTokens: 100, outputTokens: 20, costUsd: 0.001, ...usage },
        latencyMs,
        retries,
        ...(toolCalls ? { toolCalls } : {}),
      };
    },
  };
}

export const vote = (answer: string, rationale = `because ${answer}`): Scripted => ({
  object: { answer, rationale },
});
export const pick = (answer: string, other: string | null = null): Scripted => ({
  object: { answer, other, rationale: `because ${answer}` },
});
export const seat = (answer: string, proposal = `Proposal for ${answer}`): Scripted => ({
  object: { answer, proposal },
});
export const pickingSeat = (answer: string): Scripted => ({
  object: { answer, other: null, proposal: `Proposal for ${answer}` },
});

export const decision = (text: string, more: object = {}): Scripted => ({
  object: {
    consensus: ["they agree"],
    contradictions: [],
    gaps: [],
    positions: [],
    dissent: [],
    decision: text,
    ...more,
  },
});

/** One script for the calls in order, the last repeated. */
export const inOrder =
  (...plays: readonly Scripted[]): Script =>
  (_, nth) =>
    plays[Math.min(nth, plays.length - 1)]!;
