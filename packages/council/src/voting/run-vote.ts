import { answered, answerSchema, equivalence, voteAnswer } from "../prompts/answer-schemas.ts";
import { equivalencePrompt, type Question, votePrompt } from "../prompts/prompts.ts";
import type { VotingSummary } from "../result.ts";
import { findChoices } from "../routing/choices.ts";
import type { Run } from "../run.ts";
import { lengthCap } from "../sampling/length-cap.ts";
import { draw } from "../sampling/sample.ts";
import { ballotBox, clustersOf } from "./clusters.ts";
import { race } from "./loop.ts";
import { chanceOfMajority } from "./statistics.ts";
import { standing } from "./tally.ts";

/** How one vote on one wording of the question ended. */
export interface Election {
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

export async function holdElection(run: Run, question: Question, model: string): Promise<Election> {
  const { k, maxSamples, hedge, speculation } = run.settings;
  const choices = findChoices(question.prompt);
  const schema = voteAnswer(choices);
  const sentSchema = answerSchema("vote", schema);
  const messages = votePrompt(question, choices);
  const cap = lengthCap();
  const box = ballotBox((a, b) => sameMeaning(run, question, a, b));
  const rationales = new Map<string, string>();
  const placed = new Map<number, { call: number; answer: string; key: string }>();
  const counted: { answer: string; key: string }[] = [];
  const reasons: string[] = [];
  const errorsBefore = run.sampler.transportErrors;
  run.emit({ type: "vote.started", k, options: choices });

  const outcome = await race({
    k,
    maxSamples,
    hedge,
    speculation,
    clock: run.clock,
    async draw(index, signal) {
      const temperature = index === 0 ? FIRST_TEMPERATURE : TEMPERATURE;
      const drawn = await draw(
        run,
        { purpose: "vote", model, messages, schema, sentSchema, temperature, lengthCap: cap },
        signal,
      );
      if (drawn.kind !== "sample") {
        if (drawn.kind !== "stopped") reasons.push(drawn.reason);
        return drawn;
      }
      const { answer, picked } = answered(drawn.value);
      const key = await box.place(answer, picked);
      placed.set(index, { call: drawn.call, answer, key });
      if (!rationales.has(key)) rationales.set(key, drawn.value.rationale);
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
      transport_errors: run.sampler.transportErrors - errorsBefore,
      converged: winner !== null,
      confidence,
      ...(undecided === undefined ? {} : { undecided }),
      clusters: clustersOf(counted),
      hedged,
      speculated,
      wasted,
    },
  };
}

/** One cheap question, remembered. In doubt two answers are different: a wrong split costs calls, a wrong merge the truth. */
async function sameMeaning(run: Run, question: Question, a: string, b: string): Promise<boolean> {
  const { helper: model } = run.settings;
  const key = JSON.stringify([model, question.prompt, ...[a, b].toSorted()]);
  const known = run.equivalences.get(key);
  if (known !== undefined) {
    run.emit({ type: "ballot.compared", a, b, same: known, cached: true });
    return known;
  }
  const messages = equivalencePrompt(question, a, b);
  const drawn = await draw(run, {
    purpose: "equivalence",
    model,
    messages,
    schema: equivalence,
    temperature: 0,
  });
  if (drawn.kind !== "sample") return false;
  const { same } = drawn.value;
  run.equivalences.set(key, same);
  run.emit({ type: "ballot.compared", a, b, same, cached: false });
  return same;
}
