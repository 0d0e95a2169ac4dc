import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { type CouncilOptions, type CouncilRequest, canonical, runCouncil } from "@mci-ts/council";
import type { Question } from "./questions.ts";

/** The ways to answer that are compared. `calls`: the least that one question takes. */
export const METHODS: Readonly<
  Record<string, { readonly calls: number; readonly request: Pick<CouncilRequest, "intent" | "config"> }>
> = {
  single: { calls: 1, request: { intent: "validation", config: { k: 1, max_samples: 1 } } },
  "vote-1": { calls: 1, request: { intent: "validation", config: { k: 1 } } },
  "vote-3": { calls: 3, request: { intent: "validation", config: { k: 3 } } },
  "vote-5": { calls: 5, request: { intent: "validation", config: { k: 5 } } },
  council: { calls: 4, request: { intent: "decision", config: { num_voters: 3 } } },
};

/** One question, answered in one way by one model. */
export interface Result {
  readonly question: string;
  readonly method: string;
  readonly model: string;
  readonly answer: unknown;
  readonly correct: boolean;
  readonly confidence: number | null;
  readonly votes: Readonly<Record<string, number>>;
  readonly calls: number;
  readonly cost_usd: number | null;
  readonly seconds: number;
  /** Why there is no answer. */
  readonly error?: string;
}

export interface Evaluation {
  readonly questions: readonly Question[];
  readonly methods: readonly string[];
  readonly models: readonly string[];
  readonly concurrency: number;
  /** Results so far; what is in it is not asked again. */
  readonly resultsFile: string;
  readonly options: Omit<CouncilOptions, "signal" | "model"> & {
    readonly model: () => CouncilOptions["model"];
  };
  readonly onResult?: (done: number, total: number, results: readonly Result[]) => void;
}

/** Asks every question in every way, some at a time; each result is on disk before the next begins. */
export async function evaluate(evaluation: Evaluation): Promise<readonly Result[]> {
  const { questions, methods, models, concurrency, resultsFile, onResult } = evaluation;
  const wanted = questions.flatMap((question) =>
    methods.flatMap((method) => models.map((model) => ({ question, method, model }))),
  );
  const keyOf = (one: { question: string; method: string; model: string }) =>
    JSON.stringify([one.question, one.method, one.model]);
  const asked = new Set(wanted.map(({ question, ...rest }) => keyOf({ question: question.id, ...rest })));
  const results = readResults(resultsFile).filter((result) => asked.has(keyOf(result)));
  const known = new Set(results.map(keyOf));
  const open = wanted.filter(
    ({ question, ...rest }) => !known.has(keyOf({ question: question.id, ...rest })),
  );
  onResult?.(results.length, wanted.length, results);
  const work = async () => {
    for (let next = open.shift(); next; next = open.shift()) {
      const result = await ask(evaluation, next.question, next.method, next.model);
      appendFileSync(resultsFile, `${JSON.stringify(result)}\n`);
      results.push(result);
      onResult?.(results.length, wanted.length, results);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return results;
}

/** A line that a kill cut in half is asked again. */
function readResults(file: string): Result[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line): Result[] => {
      try {
        return line.trim() === "" ? [] : [JSON.parse(line) as Result];
      } catch {
        return [];
      }
    });
}

async function ask(
  { options }: Evaluation,
  question: Question,
  method: string,
  model: string,
): Promise<Result> {
  const started = performance.now();
  const { intent, config } = METHODS[method]!.request;
  const { id, prompt, context, schema } = question;
  const base = { question: id, method, model };
  const seconds = () => Math.round(performance.now() - started) / 1000;
  try {
    const { metadata } = await runCouncil(
      { prompt, context, intent, config: { ...config, model, ...(schema ? { answer_schema: schema } : {}) } },
      { ...options, model: options.model() },
    );
    const { answer, voting, usage } = metadata;
    const took = seconds();
    // Grading that fails is no failure of the run: its own figures stay.
    const graded =
      answer === null
        ? { correct: false }
        : await isCorrect(question, answer, model, options).then(
            (correct) => ({ correct }),
            (error: Error) => ({ correct: false, error: `not graded: ${error.message}` }),
          );
    return {
      ...base,
      answer,
      ...graded,
      confidence: voting?.confidence ?? null,
      votes: voting?.votes ?? {},
      calls: usage.calls,
      cost_usd: usage.cost_usd,
      seconds: took,
    };
  } catch (error) {
    const { message, usage } = error as Error & { usage?: { calls: number; cost_usd: number | null } };
    const spent = { calls: usage?.calls ?? 0, cost_usd: usage?.cost_usd ?? null, seconds: seconds() };
    return { ...base, answer: null, correct: false, confidence: null, votes: {}, ...spent, error: message };
  }
}

/** By the same canonical form that votes are counted in; by a model where there is only a rubric. */
async function isCorrect(
  { prompt, answer: expected, accept, rubric }: Question,
  answer: string | object,
  model: string,
  options: Evaluation["options"],
): Promise<boolean> {
  const form = (value: unknown) => canonical(typeof value === "string" ? value : JSON.stringify(value)).key;
  const accepted = [...(expected === undefined ? [] : [expected]), ...(accept ?? [])];
  if (accepted.length > 0) return accepted.some((one) => form(one) === form(answer));
  const { metadata } = await runCouncil(
    {
      prompt: `Does the answer in the context satisfy this rubric?\n${rubric}`,
      context: { question: prompt, answer },
      intent: "validation",
      config: {
        k: 1,
        model,
        answer_schema: {
          type: "object",
          properties: { satisfied: { type: "boolean" } },
          required: ["satisfied"],
        },
      },
    },
    { ...options, model: options.model() },
  );
  return (metadata.answer as { satisfied?: boolean } | null)?.satisfied === true;
}
