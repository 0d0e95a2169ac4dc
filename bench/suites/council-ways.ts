/**
 * Three ways to hold the same vote: ours, and two to compare it with. All of them ask through the same port, discard by the
 * same red-flag rules, count by the same reducer, and give up after as many samples; only the order of the calls differs.
 */
import { type Clock, type Model, runCouncil } from "@mci-ts/council";
import { readAnswer, toAnswerSchema, voteSchema } from "../../packages/council/src/prompts/answer-schemas.ts";
import { votePrompt } from "../../packages/council/src/prompts/prompts.ts";
import { lengthCap } from "../../packages/council/src/sampling/length-cap.ts";
import { answerTokens, checkReply } from "../../packages/council/src/sampling/red-flags.ts";
import { createClusters } from "../../packages/council/src/voting/clusters.ts";
import { countVote, newTally, standing } from "../../packages/council/src/voting/tally.ts";

export interface Vote {
  readonly k: number;
  readonly model: Model;
  readonly clock: Clock;
}

/** The winner; null where the vote stayed undecided. */
export type Way = (vote: Vote) => Promise<string | null>;

export const TRUTH = "tabs";
/** The only rival: the hardest case, since wrong votes do not split. */
export const WRONG = "spaces";
export const CHOICES = [TRUTH, WRONG];
export const PROMPT = `Is it better to use ${TRUTH} or ${WRONG}?`;

export const WAYS = { ours: ours(), sequential, batched } satisfies Record<string, Way>;
export type WayName = keyof typeof WAYS;
export const WAY_NAMES = Object.keys(WAYS) as WayName[];

/** The whole engine, from request to report. */
export function ours(config: { hedge?: boolean; speculation?: number } = {}): Way {
  return async ({ k, model, clock }) => {
    const request = { prompt: PROMPT, intent: "validation", config: { k, ...config } } as const;
    const { metadata } = await runCouncil(request, { model, clock, models: { voter: "sim" } });
    const { converged, clusters } = metadata.voting!;
    return converged ? clusters[0]!.answer : null;
  };
}

/** One call after the other, as the algorithm is printed. */
export async function sequential(vote: Vote): Promise<string | null> {
  const poll = openPoll(vote);
  while (!poll.ended()) await poll.draw();
  return poll.winner();
}

const BATCH = 5;

/** One call alone, then five at a time; answers count as they come, and calls in flight after the decision are cancelled. */
export async function batched(vote: Vote): Promise<string | null> {
  const poll = openPoll(vote);
  await poll.draw();
  while (!poll.ended()) await Promise.all(Array.from({ length: BATCH }, poll.draw));
  return poll.winner();
}

/** Samples votes and counts them until the decision, which cancels every sample in flight. */
function openPoll({ k, model }: Vote) {
  const maxSamples = 8 * k + 8;
  const schema = voteSchema({ choices: CHOICES });
  const sentSchema = toAnswerSchema("vote", schema);
  const question = {
    prompt: PROMPT,
    newDelimiter: () => ({ rule: "", wrap: (_: string, text: string) => text }),
  };
  const messages = votePrompt(question, { choices: CHOICES });
  const cap = lengthCap();
  const box = createClusters(async () => false);
  const decided = new AbortController();
  let tally = newTally(k);
  let drawn = 0;
  let samples = 0;
  return {
    async draw(): Promise<void> {
      const temperature = drawn++ === 0 ? 0 : 0.1;
      const request = {
        model: "sim",
        purpose: "vote",
        messages,
        temperature,
        maxOutputTokens: 4096,
        schema: sentSchema,
      } as const;
      try {
        const reply = await model.complete(request, decided.signal);
        samples++;
        const inspected = checkReply(reply, schema, { cap: cap.current() });
        if (inspected.ok || inspected.rule === "too_long") cap.note(answerTokens(reply));
        if (!inspected.ok) return;
        const given = readAnswer(inspected.value, { choices: CHOICES });
        const key = await box.place(given.answer, given);
        if (decided.signal.aborted) return;
        tally = countVote(tally, key);
        if (standing(tally).need === 0) decided.abort();
      } catch (error) {
        if (!decided.signal.aborted) throw error;
      }
    },
    ended: () => decided.signal.aborted || samples >= maxSamples,
    winner: () => (standing(tally).need === 0 ? standing(tally).leader : null),
  };
}
