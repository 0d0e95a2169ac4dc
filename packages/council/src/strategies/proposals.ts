import { type AnswerForm, type GivenAnswer, readAnswer, seatSchema } from "../prompts/answer-schemas.ts";
import { seatPrompt } from "../prompts/prompts.ts";
import type { Run } from "../run.ts";
import { sample } from "../sampling/sample.ts";

/** A seat's conclusion, and the text it draws it from. */
export interface Proposal extends GivenAnswer {
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

/** Asks all seats in parallel. One that fails, fails alone. */
export function collectProposals(run: Run, form: AnswerForm): Promise<readonly Seat[]> {
  return Promise.all(run.settings.seats.map((model, i) => askSeat(run, i + 1, model, form)));
}

async function askSeat(run: Run, seat: number, model: string, form: AnswerForm): Promise<Seat> {
  const schema = seatSchema(form);
  const messages = seatPrompt(run.question, form, seat);
  let flagged = 0;
  let reason = "the run was stopped";
  for (let attempt = 0; attempt < MAX_ATTEMPTS_PER_SEAT; attempt++) {
    const temperature = seat === 1 && attempt === 0 ? 0 : 0.6;
    const sampled = await sample(run, {
      purpose: "seat",
      model,
      messages,
      schema,
      object: form.object,
      temperature,
      withTools: true,
    });
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
  run.emit({ type: "seat.failed", seat, error: reason });
  return { seat, model, flagged, reason };
}
