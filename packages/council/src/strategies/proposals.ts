import { readAnswer, seatSchema } from "../prompts/answer-schemas.ts";
import { seatPrompt } from "../prompts/prompts.ts";
import { findChoices } from "../routing/choices.ts";
import type { Run } from "../run.ts";
import { sample } from "../sampling/sample.ts";

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

/** A red-flagged answer is sampled again, this many times in all. */
const MAX_ATTEMPTS_PER_SEAT = 3;
/** Seats of one model think alike; looking from different sides makes their agreement worth more. */
const PERSPECTIVES = [
  "the request as a whole",
  "correctness and edge cases",
  "simplicity and cost",
  "security and what happens when things fail",
  "maintenance in the long run",
];

/** All seats side by side. One that fails, fails alone. */
export async function collectProposals(run: Run): Promise<Seats> {
  const choices = findChoices(run.question.prompt);
  const held = await Promise.all(run.settings.seats.map((model, i) => askSeat(run, i + 1, model, choices)));
  return {
    picked: choices.length > 0,
    proposals: held.flatMap(({ proposal }) => proposal ?? []),
    empty: held.flatMap(({ proposal, seat, reason }) => (proposal ? [] : [{ seat, reason }])),
    flagged: held.reduce((sum, { flagged }) => sum + flagged, 0),
  };
}

async function askSeat(
  run: Run,
  seat: number,
  model: string,
  choices: readonly string[],
): Promise<{ seat: number; proposal?: Proposal; flagged: number; reason: string }> {
  const schema = seatSchema(choices);
  const messages = seatPrompt(run.question, choices, PERSPECTIVES[(seat - 1) % PERSPECTIVES.length]!);
  let flagged = 0;
  let reason = "the run was stopped";
  for (let attempt = 0; attempt < MAX_ATTEMPTS_PER_SEAT; attempt++) {
    const temperature = seat === 1 && attempt === 0 ? 0 : 0.6;
    const sampled = await sample(run, { purpose: "seat", model, messages, schema, temperature });
    if (sampled.kind === "sample") {
      run.emit({ type: "seat.proposed", seat, call: sampled.call });
      return {
        seat,
        flagged,
        reason: "",
        proposal: { seat, ...readAnswer(sampled.value), text: sampled.value.proposal },
      };
    }
    if (sampled.kind === "flagged") flagged++;
    if (sampled.kind !== "stopped") reason = sampled.reason;
    if (sampled.kind !== "flagged") break;
  }
  run.emit({ type: "seat.failed", seat, error: reason });
  return { seat, flagged, reason };
}
