import { equivalence, readAnswer, toAnswerSchema, voteSchema } from "../prompts/answer-schemas.ts";
import { equivalencePrompt, type Question, votePrompt } from "../prompts/prompts.ts";
import type { VotingSummary } from "../result.ts";
import { findChoices } from "../routing/choices.ts";
import type { Run } from "../run.ts";
import { lengthCap } from "../sampling/length-cap.ts";
import { sample } from "../sampling/sample.ts";
import { countClusters, createClusters } from "./clusters.ts";
import { voteLoop } from "./loop.ts";
import { chanceOfMajority } from "./statistics.ts";
import { standing } from "./tally.ts";

/** How one vote on one wording of the question ended. */
export interface VoteOutcome {
  readonly model: string;
  readonly winner: string | null;
  /** The answer with most votes, won or not; null when no vote was valid. */
  readonly leader: string | null;
  /** Why the leader's first voter chose it. */
  readonly rationale: string;
  readonly summary: VotingSummary;
  /** Why calls brought no vote. */
  readonly reasons: readonly string[];
}

/** The first answer of a model is its best guess; the others wander just enough to disagree when it is unsure. */
const FIRST_TEMPERATURE = 0;
const TEMPERATURE = 0.1;

export async function runVote(run: Run, question: Question, model: string): Promise<VoteOutcome> {
  const { k, maxSamples, hedge, speculation } = run.settings;
  const choices = findChoices(question.prompt);
  const schema = voteSchema(choices);
  const sentSchema = toAnswerSchema("vote", schema);
  const messages = votePrompt(question, choices);
  const cap = lengthCap();
  const box = createClusters((a, b) => sameMeaning(run, question, a, b));
  const rationales = new Map<string, string>();
  const placed = new Map<number, { call: number; answer: string; key: string }>();
  const counted: { answer: string; key: string }[] = [];
  const reasons: string[] = [];
  const errorsBefore = run.client.transportErrors;
  run.emit({ type: "vote.started", k, options: choices });

  const outcome = await voteLoop({
    k,
    maxSamples,
    hedge,
    speculation,
    clock: run.clock,
    async sample(index, signal) {
      const temperature = index === 0 ? FIRST_TEMPERATURE : TEMPERATURE;
      const sampled = await sample(
        run,
        { purpose: "vote", model, messages, schema, sentSchema, temperature, lengthCap: cap },
        signal,
      );
      if (sampled.kind !== "sample") {
        if (sampled.kind !== "stopped") reasons.push(sampled.reason);
        return sampled;
      }
      const { answer, picked } = readAnswer(sampled.value);
      const key = await box.place(answer, picked);
      placed.set(index, { call: sampled.call, answer, key });
      if (!rationales.has(key)) rationales.set(key, sampled.value.rationale);
      return { kind: "vote", key };
    },
    onExtra: (kind) => run.emit({ type: "vote.extra", kind }),
    onCounted(now, index) {
      const { call, answer, key } = placed.get(index)!;
      counted.push({ answer, key });
      const { leader, leaderVotes, runnerUpVotes, need } = now;
      run.emit({
        type: "vote.counted",
        call,
        answer: key,
        leader: leader!,
        leader_votes: leaderVotes,
        runner_up_votes: runnerUpVotes,
        need,
      });
    },
  });

  const { winner, tally, undecided, samples, flagged, hedged, speculated, wasted } = outcome;
  const { leader, leaderVotes, total } = standing(tally);
  const confidence = chanceOfMajority(leaderVotes, total);
  if (winner !== null) run.emit({ type: "vote.decided", winner, votes: leaderVotes, confidence });
  else run.emit({ type: "vote.undecided", reason: undecided!, leader });
  return {
    model,
    winner,
    leader,
    rationale: (leader !== null && rationales.get(leader)) || "",
    reasons,
    summary: {
      k,
      votes: Object.fromEntries(tally.counts),
      samples,
      red_flagged: flagged,
      transport_errors: run.client.transportErrors - errorsBefore,
      converged: winner !== null,
      confidence,
      ...(undecided === undefined ? {} : { undecided }),
      clusters: countClusters(counted),
      hedged,
      speculated,
      wasted,
    },
  };
}

/** One cheap question, cached. If it fails, two answers count as different: a wrong split costs calls, a wrong merge elects a wrong answer. */
async function sameMeaning(run: Run, question: Question, a: string, b: string): Promise<boolean> {
  const { helper: model } = run.settings;
  const key = JSON.stringify([model, question.prompt, ...[a, b].toSorted()]);
  const known = run.equivalences.get(key);
  if (known !== undefined) {
    run.emit({ type: "answers.compared", a, b, same: known, cached: true });
    return known;
  }
  const messages = equivalencePrompt(question, a, b);
  const sampled = await sample(run, {
    purpose: "equivalence",
    model,
    messages,
    schema: equivalence,
    temperature: 0,
  });
  if (sampled.kind !== "sample") return false;
  const { same } = sampled.value;
  run.equivalences.set(key, same);
  run.emit({ type: "answers.compared", a, b, same, cached: false });
  return same;
}
