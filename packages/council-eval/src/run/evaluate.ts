import { type CouncilMetadata, type CouncilOptions, type OutcomeBasis, runCouncil } from "@mci-ts/council";
import { isAccepted } from "../judging/accepted.ts";
import { type Grade, grade } from "../judging/grade.ts";
import { askInLoop } from "../methods/baseline.ts";
import type { Method, Methods } from "../methods/methods.ts";
import type { Question } from "../questions/questions.ts";
import { keyOf, type Result, type ResultsFile, type Verdict } from "./results-file.ts";

export interface Evaluation {
  readonly questions: readonly Question[];
  readonly methods: Methods;
  readonly models: readonly string[];
  /** How often each question is asked. Default 1. */
  readonly runs?: number;
  /** Questions at a time. */
  readonly concurrency: number;
  /** Results so far; what is in it is not asked again. */
  readonly results: Pick<ResultsFile, "read" | "append">;
  readonly options: Omit<CouncilOptions, "signal" | "model"> & {
    readonly model: () => CouncilOptions["model"];
  };
  /** Called once, when the time of at least one answer is known, with what is still to be asked. */
  readonly onFirst?: (results: readonly Result[], open: readonly Wanted[]) => void;
  readonly onResult?: (done: number, total: number, results: readonly Result[]) => void;
}

/** Asks every question in every way, some at a time. */
export async function evaluate(evaluation: Evaluation): Promise<readonly Result[]> {
  const { questions, methods, models, runs = 1, concurrency, results: file, onResult } = evaluation;
  const wanted: readonly Wanted[] = Array.from({ length: runs }, (_, i) => i + 1).flatMap((run) =>
    questions.flatMap((question) =>
      [...methods.keys()].flatMap((method) => models.map((model) => ({ question, method, model, run }))),
    ),
  );
  const idOf = ({ question: { id, hash }, ...rest }: Wanted) => keyOf({ question: id, hash, ...rest });
  const ids = new Set(wanted.map(idOf));
  const results = file
    .read()
    .filter(
      (result) =>
        ids.has(keyOf(result)) && sameSettings(result.settings, methods.get(result.method)?.settings),
    );
  const keys = new Set(results.map(keyOf));
  const open = wanted.filter((one) => !keys.has(idOf(one)));
  onResult?.(results.length, wanted.length, results);
  const askNext = async (next: Wanted) => {
    const result = await ask(evaluation, next);
    file.append(result);
    results.push(result);
    onResult?.(results.length, wanted.length, results);
  };
  const work = async () => {
    for (let next = open.shift(); next; next = open.shift()) await askNext(next);
  };
  // The first one alone: how long it takes says how long the rest will.
  const first = results.length === 0 ? open.shift() : undefined;
  if (first) await askNext(first);
  evaluation.onFirst?.(results, open);
  await Promise.all(Array.from({ length: concurrency }, work));
  return results;
}

/** Results of an older version name no settings. */
const sameSettings = (before: string | undefined, now: string | undefined) =>
  before === undefined || before === now;

/** One question to be answered in one way by one model. */
export interface Wanted {
  readonly question: Question;
  readonly method: string;
  readonly model: string;
  readonly run: number;
}

async function ask({ options: shared, methods }: Evaluation, wanted: Wanted): Promise<Result> {
  const started = performance.now();
  const { question, method, model, run } = wanted;
  const { settings } = methods.get(method)!;
  const named = { question: question.id, hash: question.hash, method, model, run };
  const base = { ...named, ...(settings === undefined ? {} : { settings }) };
  const options = { ...shared, model: shared.model() };
  const seconds = () => Math.round(performance.now() - started) / 1000;
  try {
    const reply = await answer(question, methods.get(method)!, model, options);
    const took = seconds();
    // Grading that fails is not a failure of the run: its own figures stay.
    const graded: Grade & { readonly error?: string } =
      reply.answer === null
        ? NOT_GRADED
        : await grade(question, reply.answer, model, options).catch((error: Error) => ({
            ...NOT_GRADED,
            cost_usd: null,
            error: `not graded: ${error.message}`,
          }));
    const { votes } = reply;
    const isDecided = reply.answer !== null && graded.error === undefined;
    return {
      ...base,
      verdict: reply.verdict,
      answer: reply.answer,
      correct: graded.correct,
      confidence: reply.confidence,
      ...(reply.confidence_interval ? { confidence_interval: reply.confidence_interval } : {}),
      agreement: reply.agreement,
      // An undecided vote has no answer, but a leader.
      leader_right: isDecided ? graded.correct : leaderRight(question, votes),
      ...(reply.basis ? { basis: reply.basis } : {}),
      votes,
      right_votes: rightVotes(question, votes),
      calls: reply.calls + graded.calls,
      grading_calls: graded.calls,
      cost_usd: sum(reply.cost_usd, graded.cost_usd),
      seconds: took,
      ...(graded.error === undefined ? {} : { error: graded.error }),
    };
  } catch (error) {
    const { message, usage } = error as Error & { usage?: { calls: number; cost_usd: number | null } };
    return {
      ...base,
      ...{ verdict: "failed", answer: null, correct: false, confidence: null, agreement: null },
      ...{ leader_right: null, votes: {}, right_votes: null },
      ...{ calls: usage?.calls ?? 0, grading_calls: 0, cost_usd: usage?.cost_usd ?? null },
      ...{ seconds: seconds(), error: message },
    };
  }
}

interface Reply {
  readonly answer: string | object | null;
  readonly verdict: Verdict;
  readonly confidence: number | null;
  readonly confidence_interval?: readonly [number, number];
  readonly agreement: number | null;
  readonly basis?: OutcomeBasis;
  readonly votes: Readonly<Record<string, number>>;
  readonly calls: number;
  readonly cost_usd: number | null;
}

async function answer(
  question: Question,
  { loop, request }: Method,
  model: string,
  options: CouncilOptions,
): Promise<Reply> {
  if (loop) {
    const loopResult = await askInLoop(question, loop, options, model);
    return { ...loopResult, verdict: "decided", confidence: null, agreement: null };
  }
  const { prompt, context, schema } = question;
  const { intent, config } = request!;
  const { metadata } = await runCouncil(
    { prompt, context, intent, config: { ...config, model, ...(schema ? { answer_schema: schema } : {}) } },
    options,
  );
  const { voting, usage } = metadata;
  return {
    answer: metadata.answer,
    verdict: verdictOf(metadata),
    confidence: voting?.confidence ?? null,
    ...(voting?.confidence_interval ? { confidence_interval: voting.confidence_interval } : {}),
    agreement: voting?.agreement ?? null,
    ...(voting?.basis ? { basis: voting.basis } : {}),
    votes: voting?.votes ?? {},
    calls: usage.calls,
    cost_usd: usage.cost_usd,
  };
}

function verdictOf({ status, voting, answer }: CouncilMetadata): Verdict {
  if (status !== "complete") return status;
  return voting?.converged === false || answer === null ? "undecided" : "decided";
}

const NOT_GRADED = { correct: false, calls: 0, cost_usd: 0 };

/** Whether the answer with most votes is right; null where no vote was valid, or no right answer is known. */
function leaderRight(question: Question, votes: Readonly<Record<string, number>>): boolean | null {
  const [leader] = Object.entries(votes).toSorted(([, a], [, b]) => b - a);
  return leader === undefined ? null : (acceptsLabel(question, leader[0]) ?? null);
}

/** Votes go by their label; that of an object is its JSON. */
const acceptsLabel = (question: Question, label: string) =>
  isAccepted(question, question.schema ? (JSON.parse(label) as object) : label);

function rightVotes(question: Question, votes: Readonly<Record<string, number>>): number | null {
  let right = 0;
  for (const [label, count] of Object.entries(votes)) {
    const accepted = acceptsLabel(question, label);
    if (accepted === undefined) return null;
    if (accepted) right += count;
  }
  return right;
}

const sum = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);
