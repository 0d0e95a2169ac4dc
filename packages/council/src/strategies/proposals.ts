import { answered, seatAnswer } from "../prompts/answer-schemas.ts";
import { seatPrompt } from "../prompts/prompts.ts";
import { findChoices } from "../routing/choices.ts";
import type { Run } from "../run.ts";
import { draw } from "../sampling/sample.ts";

export interface Proposal {
  readonly seat: number;
  /** Where it stands, in a few words. */
  readonly answer: string;
  /** Whether that is one of the choices found in the prompt. */
  readonly picked: boolean;
  readonly text: string;
}

export interface Seats {
  /** Whether the seats picked among choices found in the prompt, so that their answers can be counted as they are. */
  readonly picked: boolean;
  readonly proposals: readonly Proposal[];
  readonly empty: readonly { readonly seat: number; readonly reason: string }[];
  /** Answers discarded, also of seats that brought a better one later. */
  readonly flagged: number;
}

/** A red-flagged answer is drawn again, this many times in all. */
const TRIES_PER_SEAT = 3;
/** Seats of one model think alike; looking from different sides makes their agreement worth more. */
const LENSES = [
  "the request as a whole",
  "correctness and edge cases",
  "simplicity and cost",
  "security and what happens when things fail",
  "maintenance in the long run",
];

/** All seats side by side. One that fails, fails alone. */
export async function holdSeats(run: Run): Promise<Seats> {
  const choices = findChoices(run.question.prompt);
  const held = await Promise.all(run.settings.seats.map((model, i) => holdSeat(run, i + 1, model, choices)));
  return {
    picked: choices.length > 0,
    proposals: held.flatMap(({ proposal }) => proposal ?? []),
    empty: held.flatMap(({ proposal, seat, reason }) => (proposal ? [] : [{ seat, reason }])),
    flagged: held.reduce((sum, { flagged }) => sum + flagged, 0),
  };
}

async function holdSeat(
  run: Run,
  seat: number,
  model: string,
  choices: readonly string[],
): Promise<{ seat: number; proposal?: Proposal; flagged: number; reason: string }> {
  const schema = seatAnswer(choices);
  const messages = seatPrompt(run.question, choices, LENSES[(seat - 1) % LENSES.length]!);
  let flagged = 0;
  let reason = "the run was stopped";
  for (let attempt = 0; attempt < TRIES_PER_SEAT; attempt++) {
    const temperature = seat === 1 && attempt === 0 ? 0 : 0.6;
    const drawn = await draw(run, { purpose: "seat", model, messages, schema, temperature });
    if (drawn.kind === "sample") {
      run.emit({ type: "seat.proposed", seat, call: drawn.call });
      return {
        seat,
        flagged,
        reason: "",
        proposal: { seat, ...answered(drawn.value), text: drawn.value.proposal },
      };
    }
    if (drawn.kind === "flagged") flagged++;
    if (drawn.kind !== "stopped") reason = drawn.reason;
    if (drawn.kind !== "flagged") break;
  }
  run.emit({ type: "seat.failed", seat, error: reason });
  return { seat, flagged, reason };
}
