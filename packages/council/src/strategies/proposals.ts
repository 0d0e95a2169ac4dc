import type { AnswerSchema, Message } from "../model.ts";
import {
  type AnswerForm,
  type ReadAnswer,
  readAnswer,
  seatSchema,
  toAnswerSchema,
} from "../prompts/answer-schemas.ts";
import type { PromptSet } from "../prompts/prompt-set.ts";
import { seatPrompt } from "../prompts/prompts.ts";
import type { Run } from "../run.ts";
import { sample } from "../sampling/sample.ts";
import { FIRST_REPLY_SHARE, longTextSet, mayBeTooSlow, noteSilence } from "./short-of-time.ts";

/** A seat's conclusion, and the text it draws it from. */
export interface Proposal extends ReadAnswer {
  readonly text: string;
}

/** How one seat fared: its proposal, or the reason why there is none. */
export interface Seat {
  readonly seat: number;
  readonly model: string;
  readonly proposal?: Proposal;
  readonly reason: string;
  /** Replies discarded, also before a valid one. */
  readonly flagged: number;
}

/** Characters of a proposal in an event; the response has all of it. */
const MAX_EVENT_CHARS = 2000;

/** A red-flagged reply is sampled again, up to this many replies in all. */
const MAX_ATTEMPTS_PER_SEAT = 3;

/** The part of the time until the deadline that proposals have; the judge has the rest. */
const TIME_SHARE = 0.6;

/**
 * Asks all seats in parallel. One that fails, fails alone. When their share of the time is over, those still at work are given up as
 * soon as there is one proposal (`timeUp`), so that the judge can decide before the deadline. Where there is none well before, local
 * models of unknown speed are taken to be slow: their calls are ended, also those that wait in a queue, and their seats are asked for less,
 * one after the other, so that seats that share a server do not share its speed.
 */
export async function collectProposals(
  run: Run,
  form: AnswerForm,
): Promise<{ readonly seats: readonly Seat[]; readonly timeUp: boolean }> {
  const timeOver = run.budget.afterShare(TIME_SHARE);
  const firstReplyDue = run.budget.afterShare(FIRST_REPLY_SHARE);
  const late = new AbortController();
  const silent = new Map(run.settings.seats.map((model) => [model, new AbortController()]));
  let proposals = 0;
  let turn: Promise<unknown> = Promise.resolve();
  const giveUpLate = () => {
    if (!timeOver.aborted || proposals === 0) return;
    late.abort();
    for (const calls of silent.values()) calls.abort();
  };
  const endSilent = () => {
    if (proposals > 0) return;
    for (const [model, calls] of silent) if (mayBeTooSlow(run, model)) calls.abort();
  };
  timeOver.addEventListener("abort", giveUpLate);
  firstReplyDue.addEventListener("abort", endSilent);
  const round: Round = {
    late: late.signal,
    silent: (model) => silent.get(model)!.signal,
    onProposal() {
      proposals++;
      giveUpLate();
    },
    inTurn(ask) {
      const asked = turn.then(ask);
      turn = asked;
      return asked;
    },
  };
  const seats = await Promise.all(
    run.settings.seats.map((model, i) => askSeat(run, { seat: i + 1, model, flagged: 0 }, form, round)),
  );
  timeOver.removeEventListener("abort", giveUpLate);
  firstReplyDue.removeEventListener("abort", endSilent);
  return { seats, timeUp: late.signal.aborted };
}

/** What the seats have in common. */
interface Round {
  readonly late: AbortSignal;
  /** Ends the first calls of a model that takes too long. */
  silent(model: string): AbortSignal;
  onProposal(): void;
  /** After all that were asked in turn before. */
  inTurn(ask: () => Promise<Seat>): Promise<Seat>;
}

async function askSeat(
  run: Run,
  { seat, model, flagged: flaggedBefore }: Pick<Seat, "seat" | "model" | "flagged">,
  form: AnswerForm,
  round: Round,
): Promise<Seat> {
  const { late } = round;
  const silent = round.silent(model);
  // Once it has aborted, only `late` ends what is asked then.
  const signal = silent.aborted ? late : silent;
  const schema = seatSchema(form);
  const { object } = form;
  let asked:
    | { set: PromptSet; request: { messages: readonly Message[]; sentSchema: AnswerSchema } }
    | undefined;
  let flagged = flaggedBefore;
  let reason = "the run was stopped";
  while (flagged < MAX_ATTEMPTS_PER_SEAT && !late.aborted) {
    const temperature = seat === 1 && flagged === 0 ? 0 : 0.6;
    // By the time that is left now: an attempt before may have shown how slow the model is.
    const set = longTextSet(run, model);
    if (asked?.set !== set) {
      const messages = seatPrompt(run.question, form, seat, { set });
      asked = { set, request: { messages, sentSchema: toAnswerSchema("seat", schema, { object, set }) } };
    }
    const request = { purpose: "seat", model, ...asked.request, schema, object, temperature } as const;
    const sampled = await sample(run, { ...request, withTools: true }, signal);
    if (sampled.kind === "stopped" && signal === silent && silent.aborted && !late.aborted) {
      noteSilence(run, model);
      const soFar = { seat, model, flagged };
      return round.inTurn(() => askSeat(run, soFar, form, round));
    }
    if (sampled.kind === "sample") {
      const proposal = { ...readAnswer(sampled.value, form), text: sampled.value.proposal };
      run.emit({
        type: "seat.proposed",
        seat,
        call: sampled.call,
        model,
        answer: proposal.value,
        proposal: proposal.text.slice(0, MAX_EVENT_CHARS),
      });
      round.onProposal();
      return { seat, model, flagged, reason: "", proposal };
    }
    if (sampled.kind === "flagged") flagged++;
    if (sampled.kind !== "stopped") reason = sampled.reason;
    if (sampled.kind !== "flagged") break;
  }
  if (late.aborted && run.budget.stopped === undefined)
    reason = "it had not answered when the time for proposals was over";
  run.emit({ type: "seat.failed", seat, error: reason });
  return { seat, model, flagged, reason };
}
