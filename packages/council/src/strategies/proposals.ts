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
import { longTextSet } from "./short-of-time.ts";

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
 * soon as there is one proposal (`timeUp`), so that the judge can decide before the deadline.
 */
export async function collectProposals(
  run: Run,
  form: AnswerForm,
): Promise<{ readonly seats: readonly Seat[]; readonly timeUp: boolean }> {
  const timeOver = run.budget.afterShare(TIME_SHARE);
  const late = new AbortController();
  let proposals = 0;
  const giveUpLate = () => {
    if (timeOver.aborted && proposals > 0) late.abort();
  };
  timeOver.addEventListener("abort", giveUpLate);
  const seats = await Promise.all(
    run.settings.seats.map(async (model, i) => {
      const seat = await askSeat(run, i + 1, model, form, late.signal);
      if (seat.proposal) proposals++;
      giveUpLate();
      return seat;
    }),
  );
  timeOver.removeEventListener("abort", giveUpLate);
  return { seats, timeUp: late.signal.aborted };
}

async function askSeat(
  run: Run,
  seat: number,
  model: string,
  form: AnswerForm,
  late: AbortSignal,
): Promise<Seat> {
  const schema = seatSchema(form);
  const { object } = form;
  let asked:
    | { set: PromptSet; request: { messages: readonly Message[]; sentSchema: AnswerSchema } }
    | undefined;
  let flagged = 0;
  let reason = "the run was stopped";
  for (let attempt = 0; attempt < MAX_ATTEMPTS_PER_SEAT; attempt++) {
    const temperature = seat === 1 && attempt === 0 ? 0 : 0.6;
    // By the time that is left now: an attempt before may have shown how slow the model is.
    const set = longTextSet(run, model);
    if (asked?.set !== set) {
      const messages = seatPrompt(run.question, form, seat, { set });
      asked = { set, request: { messages, sentSchema: toAnswerSchema("seat", schema, { object, set }) } };
    }
    const request = { purpose: "seat", model, ...asked.request, schema, object, temperature } as const;
    const sampled = await sample(run, { ...request, withTools: true }, late);
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
