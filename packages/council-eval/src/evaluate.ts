import { type CouncilOptions, runCouncil } from "@mci-ts/council";
import { type Grade, grade, isAccepted } from "./grade.ts";
import { methodOf } from "./methods.ts";
import type { Question } from "./questions.ts";
import { keyOf, type Result, type ResultsFile } from "./results-file.ts";

export interface Evaluation {
  readonly questions: readonly Question[];
  readonly methods: readonly string[];
  readonly models: readonly string[];
  /** Questions at a time. */
  readonly concurrency: number;
  /** Results so far; what is in it is not asked again. */
  readonly results: Pick<ResultsFile, "read" | "append">;
  readonly options: Omit<CouncilOptions, "signal" | "model"> & {
    readonly model: () => CouncilOptions["model"];
  };
  readonly onResult?: (done: number, total: number, results: readonly Result[]) => void;
}

/** Asks every question in every way, some at a time. */
export async function evaluate(evaluation: Evaluation): Promise<readonly Result[]> {
  const { questions, methods, models, concurrency, results: file, onResult } = evaluation;
  const wanted = questions.flatMap((question) =>
    methods.flatMap((method) => models.map((model) => ({ question, method, model }))),
  );
  const idOf = ({ question: { id, hash }, method, model }: (typeof wanted)[number]) =>
    keyOf({ question: id, hash, method, model } as Result);
  const ids = new Set(wanted.map(idOf));
  const results = file.read().filter((result) => ids.has(keyOf(result)));
  const keys = new Set(results.map(keyOf));
  const open = wanted.filter((one) => !keys.has(idOf(one)));
  onResult?.(results.length, wanted.length, results);
  const work = async () => {
    for (let next = open.shift(); next; next = open.shift()) {
      const result = await ask(evaluation, next.question, next.method, next.model);
      file.append(result);
      results.push(result);
      onResult?.(results.length, wanted.length, results);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return results;
}

async function ask(
  { options: shared }: Evaluation,
  question: Question,
  method: string,
  model: string,
): Promise<Result> {
  const started = performance.now();
  const { intent, config } = methodOf(method)!.request;
  const { id, hash, prompt, context, schema } = question;
  const base = { question: id, hash, method, model };
  const options = { ...shared, model: shared.model() };
  const seconds = () => Math.round(performance.now() - started) / 1000;
  try {
    const { metadata } = await runCouncil(
      { prompt, context, intent, config: { ...config, model, ...(schema ? { answer_schema: schema } : {}) } },
      options,
    );
    const { answer, voting, usage } = metadata;
    const took = seconds();
    // Grading that fails is not a failure of the run: its own figures stay.
    const graded: Grade & { readonly error?: string } =
      answer === null
        ? NOT_GRADED
        : await grade(question, answer, model, options).catch((error: Error) => ({
            ...NOT_GRADED,
            cost_usd: null,
            error: `not graded: ${error.message}`,
          }));
    const votes = voting?.votes ?? {};
    return {
      ...base,
      answer,
      correct: graded.correct,
      confidence: voting?.confidence ?? null,
      votes,
      right_votes: rightVotes(question, votes),
      calls: usage.calls + graded.calls,
      grading_calls: graded.calls,
      cost_usd: sum(usage.cost_usd, graded.cost_usd),
      seconds: took,
      ...(graded.error === undefined ? {} : { error: graded.error }),
    };
  } catch (error) {
    const { message, usage } = error as Error & { usage?: { calls: number; cost_usd: number | null } };
    return {
      ...base,
      ...{ answer: null, correct: false, confidence: null, votes: {}, right_votes: null, grading_calls: 0 },
      ...{ calls: usage?.calls ?? 0, cost_usd: usage?.cost_usd ?? null, seconds: seconds(), error: message },
    };
  }
}

const NOT_GRADED = { correct: false, calls: 0, cost_usd: 0 };

function rightVotes(question: Question, votes: Readonly<Record<string, number>>): number | null {
  let right = 0;
  for (const [label, count] of Object.entries(votes)) {
    const accepted = isAccepted(question, question.schema ? (JSON.parse(label) as object) : label);
    if (accepted === undefined) return null;
    if (accepted) right += count;
  }
  return right;
}

const sum = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);
