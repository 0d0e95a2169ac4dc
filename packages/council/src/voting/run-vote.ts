import type { CompiledAnswerSchema } from "../answer-schema/compile.ts";
import {
  type AnswerForm,
  type GivenAnswer,
  readAnswer,
  toAnswerSchema,
  voteSchema,
} from "../prompts/answer-schemas.ts";
import type { Question } from "../prompts/messages.ts";
import type { PromptSet } from "../prompts/prompt-set.ts";
import { votePrompt } from "../prompts/prompts.ts";
import { DISTINCT_WORDINGS, wordingOf } from "../prompts/wordings.ts";
import type { Variety } from "../request-config.ts";
import type { VotingSummary } from "../result.ts";
import { answerForm, type Run } from "../run.ts";
import { type LengthCap, lengthCap } from "../sampling/length-cap.ts";
import { sample } from "../sampling/sample.ts";
import { shuffled } from "../shuffled.ts";
import { countClusters, createClusters } from "./clusters.ts";
import { confidenceOf } from "./confidence.ts";
import { sameMeaning } from "./equivalence.ts";
import { voteLoop } from "./loop.ts";
import { standing } from "./tally.ts";

/** How one vote on one wording of the question ended. */
export interface VoteOutcome {
  readonly model: string;
  readonly winner: string | null;
  /** The answer with most votes, won or not; null when no vote was valid. */
  readonly leader: string | null;
  /** The winner as it is handed out: of an object, the one most often given among the winner's votes. */
  readonly answer: GivenAnswer["value"] | null;
  /** Why a voter chose the leader, in this wording. */
  readonly rationale: string;
  readonly summary: VotingSummary;
  /** Why calls brought no vote. */
  readonly reasons: readonly string[];
}

/** A vote that was counted. */
interface CountedVote {
  readonly call: number;
  readonly answer: string;
  readonly key: string;
  readonly value: GivenAnswer["value"];
  readonly rationale: string;
}

/**
 * With wordings of its own, each sample is the model's best guess at one of them; where wordings come again, and without them, samples
 * vary enough to disagree when the model is unsure.
 */
function temperatureOf(index: number, vary: ReadonlySet<Variety>): number {
  if (index === 0 || (vary.has("wording") && index < DISTINCT_WORDINGS)) return 0;
  return vary.has("wording") ? REPEATED_TEMPERATURE : RESAMPLING_TEMPERATURE;
}
const RESAMPLING_TEMPERATURE = 0.1;
const REPEATED_TEMPERATURE = 0.7;

/** The choices in another order for each sample but the first: models prefer the first or the last. */
function shuffledForm(form: AnswerForm, index: number, random: () => number): AnswerForm {
  if (index === 0 || form.choices.length < 2) return form;
  return { ...form, choices: shuffled(form.choices.length, random).map((i) => form.choices[i]!) };
}

/** What votes on questions of one kind share. */
export interface VoteOptions {
  readonly lengthCap?: LengthCap;
  /** Why a valid answer must not be counted; undefined when it may. Default: all are. */
  readonly check?: (value: GivenAnswer["value"]) => Promise<string | undefined>;
}

/** The models vote in turn. */
export async function runVote(
  run: Run,
  question: Question,
  models: readonly string[],
  shared: VoteOptions = {},
): Promise<VoteOutcome> {
  const { k, maxSamples, hedge, speculation, vary } = run.settings;
  const form = answerForm(run, question);
  const { object } = form;
  const schema = checkedSchema(form);
  // How long an object is, its schema says.
  const cap = shared.lengthCap ?? (object ? lengthCap(run.settings.maxOutputTokens) : lengthCap());
  const clusters = createClusters(sameMeaning(run, question));
  const votes = new Map<number, CountedVote>();
  const counted: CountedVote[] = [];
  const reasons: string[] = [];
  const errorsBefore = run.client.transportErrors;
  run.emit({ type: "vote.started", k, options: form.choices });

  const outcome = await voteLoop({
    k,
    maxSamples,
    hedge,
    speculation,
    clock: run.clock,
    async sample(index, signal) {
      const model = models[index % models.length]!;
      const set = run.promptSet(model);
      const shown = vary.has("options") ? shuffledForm(form, index, run.random) : form;
      const sampled = await sample(
        run,
        {
          purpose: "vote",
          model,
          messages: votePrompt(question, shown, { set, wording: wordingOf(index, vary) }),
          schema,
          sentSchema: sentSchemaOf(shown, set),
          object,
          temperature: temperatureOf(index, vary),
          withTools: true,
          lengthCap: cap,
        },
        signal,
      );
      if (sampled.kind !== "sample") {
        if (sampled.kind !== "stopped") reasons.push(sampled.reason);
        return sampled;
      }
      const given = readAnswer(sampled.value, form);
      const { answer, value } = given;
      const refused = await shared.check?.(value);
      if (refused !== undefined) {
        const { call } = sampled;
        reasons.push(`custom_rule: ${refused}`);
        run.emit({ type: "sample.flagged", call, rule: "custom_rule", reason: refused });
        return { kind: "flagged" };
      }
      const key = await clusters.place(answer, given);
      votes.set(index, { call: sampled.call, answer, value, key, rationale: sampled.value.rationale });
      return { kind: "vote", key };
    },
    onExtra: (kind) => run.emit({ type: "vote.extra", kind }),
    onCounted(now, index) {
      const vote = votes.get(index)!;
      counted.push(vote);
      const { leader, leaderVotes, runnerUpVotes, need } = now;
      run.emit({
        type: "vote.counted",
        call: vote.call,
        answer: vote.key,
        leader: leader!,
        leader_votes: leaderVotes,
        runner_up_votes: runnerUpVotes,
        need,
      });
    },
  });

  const { tally, undecided, samples, flagged, hedged, speculated, wasted } = outcome;
  const { leader: leaderKey, leaderVotes, total } = standing(tally);
  const found = countClusters(counted);
  // During the vote a cluster goes by its first wording; it is shown in its most frequent one.
  const shownAs = (key: string | null) => found.find((cluster) => cluster.key === key)?.answer ?? null;
  const leader = shownAs(leaderKey);
  const winner = shownAs(outcome.winner);
  const elected = counted.filter(({ key }) => key === outcome.winner).map(({ value }) => value);
  const confidence = confidenceOf(run, leaderVotes, total);
  const answer = winner !== null && object ? mostFrequent(elected) : winner;
  if (winner !== null) run.emit({ type: "vote.decided", winner, answer, votes: leaderVotes, ...confidence });
  else run.emit({ type: "vote.undecided", reason: undecided!, leader });
  return {
    model: [...new Set(models)].join(", "),
    winner,
    leader,
    answer,
    rationale: counted.find(({ answer }) => answer === leader)?.rationale ?? "",
    reasons,
    summary: {
      k,
      votes: Object.fromEntries(found.map((cluster) => [cluster.answer, cluster.votes])),
      samples,
      red_flagged: flagged,
      transport_errors: run.client.transportErrors - errorsBefore,
      converged: winner !== null,
      ...confidence,
      ...(undecided === undefined ? {} : { undecided }),
      clusters: found.map(({ key: _, ...cluster }) => cluster),
      hedged,
      speculated,
      wasted,
    },
  };
}

/** For objects it is made once, however many votes are held on it. */
function checkedSchema(form: AnswerForm): ReturnType<typeof voteSchema> {
  const { object } = form;
  const known = object && schemasOfObjects.get(object);
  if (known) return known;
  const schema = voteSchema(form);
  if (object) schemasOfObjects.set(object, schema);
  return schema;
}

const schemasOfObjects = new WeakMap<CompiledAnswerSchema, ReturnType<typeof voteSchema>>();

const sentSchemaOf = (form: AnswerForm, set: PromptSet) =>
  toAnswerSchema("vote", checkedSchema(form), { object: form.object, set });

/** The first of those that were given most often, word for word. */
function mostFrequent(values: readonly GivenAnswer["value"][]): GivenAnswer["value"] {
  return [...Map.groupBy(values, (value) => JSON.stringify(value)).values()].reduce((most, same) =>
    same.length > most.length ? same : most,
  )[0]!;
}
