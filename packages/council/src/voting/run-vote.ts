import type { CompiledAnswerSchema } from "../answer-schema/compile.ts";
import type { AnswerSchema } from "../model.ts";
import {
  type AnswerForm,
  type ReadAnswer,
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
import { createClusters } from "./clusters.ts";
import { kindOfAnswer } from "./confidence.ts";
import { sameMeaning } from "./equivalence.ts";
import { holdVote } from "./hold-vote.ts";
import { voteStrategy } from "./vote-limits.ts";

/** How one vote on one wording of the question ended. */
export interface VoteOutcome {
  readonly model: string;
  readonly winner: string | null;
  /** The answer with most votes, won or not; null when no vote was valid. */
  readonly leader: string | null;
  /** The winner as it is handed out: of an object, the one most often given among the winner's votes. */
  readonly answer: ReadAnswer["value"] | null;
  /** Why a voter chose the leader, in this wording. */
  readonly rationale: string;
  readonly summary: VotingSummary;
  /** Why calls brought no vote. */
  readonly reasons: readonly string[];
}

/** What a vote stands for. */
interface Counted {
  readonly value: ReadAnswer["value"];
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
export const RESAMPLING_TEMPERATURE = 0.1;
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
  readonly check?: (value: ReadAnswer["value"]) => Promise<string | undefined>;
  /** Aborts when the time of the vote is over, before that of the run. Default: it may take the time of the run. */
  readonly late?: AbortSignal | undefined;
}

/** The models vote in turn. */
export async function runVote(
  run: Run,
  question: Question,
  models: readonly string[],
  shared: VoteOptions = {},
): Promise<VoteOutcome> {
  const { vary, maxOutputTokens, cheapK } = run.settings;
  const keys = new Set<string>();
  const form = answerForm(run, question);
  const { object } = form;
  const { checked: schema } = schemasOf(form);
  // How long an object is, its schema says.
  const cap = shared.lengthCap ?? (object ? lengthCap(maxOutputTokens) : lengthCap());
  const clusters = createClusters(sameMeaning(run, question, shared.late), question.prompt);

  const { winner, leader, answer, counted, reasons, summary } = await holdVote<Counted>(run, {
    choices: form.choices,
    // Cheap first: a small lead is enough as long as no vote disagrees.
    ...(cheapK === undefined
      ? {}
      : { kOf: () => (keys.size <= 1 ? Math.min(cheapK, run.settings.k) : run.settings.k) }),
    basisOf: (leader) => ({
      model: [...new Set(models)].join(", "),
      strategy: voteStrategy(vary, models.map(run.promptSet)),
      kind: kindOfAnswer(form, leader, question.prompt),
    }),
    async draw(index, signal) {
      const model = models[index % models.length]!;
      const set = run.promptSet(model);
      const sampleForm = vary.has("options") ? shuffledForm(form, index, run.random) : form;
      const sampled = await sample(
        run,
        {
          purpose: "vote",
          model,
          messages: votePrompt(question, sampleForm, { set, wording: wordingOf(index, vary) }),
          schema,
          sentSchema: sentSchemaOf(sampleForm, set),
          object,
          temperature: temperatureOf(index, vary),
          withTools: true,
          lengthCap: cap,
        },
        shared.late ? AbortSignal.any([signal, shared.late]) : signal,
      );
      if (sampled.kind !== "sample") return sampled;
      const { call } = sampled;
      const parsed = readAnswer(sampled.value, form);
      const { answer, value } = parsed;
      const refused = await shared.check?.(value);
      if (refused !== undefined) {
        run.emit({ type: "sample.flagged", call, rule: "custom_rule", reason: refused });
        return { kind: "flagged", reason: `custom_rule: ${refused}` };
      }
      const key = await clusters.place(answer, parsed);
      keys.add(key);
      const { rationale } = sampled.value;
      return { kind: "vote", vote: { call, key, answer, value: { value, rationale } } };
    },
    ...(object ? { answerOf: (elected) => mostFrequent(elected.map(({ value }) => value.value)) } : {}),
  });
  return {
    model: [...new Set(models)].join(", "),
    winner,
    leader,
    answer,
    rationale: counted.find((vote) => vote.answer === leader)?.value.rationale ?? "",
    reasons,
    summary,
  };
}

interface VoteSchemas {
  /** What replies are checked against. */
  readonly checked: ReturnType<typeof voteSchema>;
  /** What models are given. */
  readonly sent: Map<PromptSet, AnswerSchema>;
}

/** For objects they are made once, however many votes are held on one: all calls of a task send the same schema. */
function schemasOf(form: AnswerForm): VoteSchemas {
  const { object } = form;
  const cached = object && schemasOfObjects.get(object);
  if (cached) return cached;
  const schemas = { checked: voteSchema(form), sent: new Map() };
  if (object) schemasOfObjects.set(object, schemas);
  return schemas;
}

const schemasOfObjects = new WeakMap<CompiledAnswerSchema, VoteSchemas>();

function sentSchemaOf(form: AnswerForm, set: PromptSet): AnswerSchema {
  const { checked, sent } = schemasOf(form);
  const made = sent.get(set) ?? toAnswerSchema("vote", checked, { object: form.object, set });
  sent.set(set, made);
  return made;
}

/** The first of those that were given most often, word for word. */
function mostFrequent(values: readonly ReadAnswer["value"][]): ReadAnswer["value"] {
  return [...Map.groupBy(values, (value) => JSON.stringify(value)).values()].reduce((most, same) =>
    same.length > most.length ? same : most,
  )[0]!;
}
