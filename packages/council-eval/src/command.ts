import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { CouncilOptions } from "@mci-ts/council";
import { describeEstimate, estimate } from "./estimate.ts";
import { evaluate } from "./evaluate.ts";
import { EvaluationError } from "./evaluation-error.ts";
import { DEFAULT_METHODS, METHOD_NAMES, methodOf } from "./methods.ts";
import { createProgress, type ProgressOutput } from "./progress.ts";
import { readQuestions } from "./questions.ts";
import { html } from "./report/html.ts";
import { textReport } from "./report/table.ts";
import { ResultsFile } from "./results-file.ts";
import { SAMPLE_QUESTIONS } from "./sample-questions.ts";
import { summarise, theoryOf } from "./summary.ts";

/** What is evaluated, as the service opens it from its settings. */
export interface EvalModels {
  readonly names: CouncilOptions["models"];
  readonly price: NonNullable<CouncilOptions["price"]>;
  readonly budget: NonNullable<CouncilOptions["budget"]>;
  readonly simulated: boolean;
  /** Why a name cannot be called; nothing, if it can. */
  refuse(name: string): string | undefined;
  /** For one run: it ends with its deadline. */
  model(): CouncilOptions["model"];
}

/**
 * `mci-council eval questions.jsonl`:
 *
 *   Question[] -methods, models-> runs -grade-> Result[] (results.jsonl) -summarise-> table, summary.json, report.html
 *
 * Returns whether every method reached the share of right answers that `--fail-under` asks for.
 */
export async function runEval(
  args: readonly string[],
  openModels: () => Promise<EvalModels>,
  { write, progress }: { readonly write: (text: string) => void; readonly progress: ProgressOutput },
): Promise<boolean> {
  const { questions, methods, concurrency, out, dryRun, failUnder, ...named } = readArguments(args);
  const opened = await openModels();
  const models = named.models ?? [opened.names.voter];
  for (const model of models) {
    const refused = opened.refuse(model);
    if (refused !== undefined) throw new EvaluationError([`--models: ${refused}`]);
  }
  const size = `${questions.length} questions, ${methods.length} methods, ${models.length} models`;
  const cost = describeEstimate(estimate(questions, methods, models, opened.price));
  progress.write(`${size}: ${cost}.\n`);
  if (dryRun) return true;
  mkdirSync(out, { recursive: true });
  progress.write(`Results: ${out}. Started again with the same folder, it goes on where it stopped.\n`);
  const results = await evaluate({
    questions,
    methods,
    models,
    concurrency,
    results: new ResultsFile(join(out, "results.jsonl")),
    options: {
      model: () => opened.model(),
      models: opened.names,
      price: opened.price,
      budget: opened.budget,
    },
    onResult: createProgress(progress),
  });
  const order = ({ method, model }: { method: string; model: string }) =>
    methods.indexOf(method) * models.length + models.indexOf(model);
  const sorted = results.toSorted((a, b) => order(a) - order(b));
  const summaries = summarise(sorted);
  const theory = theoryOf(sorted);
  const { simulated } = opened;
  const data = { simulated, summaries, theory };
  writeFileSync(join(out, "summary.json"), `${JSON.stringify(data, null, 2)}\n`);
  writeFileSync(join(out, "report.html"), html({ ...data, questions, results: sorted }));
  write(
    `${simulated ? "Simulated model: these figures say nothing about a real one.\n" : ""}${textReport(summaries, theory)}`,
  );
  const low = summaries.filter(({ accuracy }) => accuracy < failUnder);
  for (const { method, model, accuracy } of low)
    progress.write(
      `Failed: ${method} with ${model} is right in ${accuracy.toFixed(3)}, below ${failUnder}.\n`,
    );
  return low.length === 0;
}

function readArguments(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      out: { type: "string", default: "council-eval" },
      methods: { type: "string", default: DEFAULT_METHODS.join(",") },
      models: { type: "string" },
      concurrency: { type: "string", default: "4" },
      limit: { type: "string" },
      sample: { type: "boolean", default: false },
      "fail-under": { type: "string", default: "0" },
      "dry-run": { type: "boolean", default: false },
    },
  });
  const methods = [...new Set(values.methods.split(",").map((name) => name.trim()))];
  const concurrency = Number(values.concurrency);
  const limit = values.limit === undefined ? undefined : Number(values.limit);
  const failUnder = Number(values["fail-under"]);
  const isCount = (value: number, most: number) => Number.isInteger(value) && value >= 1 && value <= most;
  const problems = [
    ...(positionals.length === (values.sample ? 0 : 1)
      ? []
      : ["eval takes one file, mci-council eval questions.jsonl, or --sample for questions of ours"]),
    ...methods
      .filter((name) => methodOf(name) === undefined)
      .map((name) => `--methods: "${name}" is not one of ${METHOD_NAMES}, with K and N from 1 to 25`),
    ...(isCount(concurrency, 100) ? [] : ["--concurrency must be a whole number from 1 to 100"]),
    ...(failUnder >= 0 && failUnder <= 1 ? [] : ["--fail-under must be a share from 0 to 1, such as 0.8"]),
    ...(limit === undefined || isCount(limit, 1e9) ? [] : ["--limit must be a whole number from 1"]),
  ];
  if (problems.length > 0) throw new EvaluationError(problems);
  const questions = values.sample ? SAMPLE_QUESTIONS : readQuestions(positionals[0]!);
  const models = values.models?.split(",").map((name) => name.trim());
  return {
    ...{ methods, concurrency, out: values.out, dryRun: values["dry-run"], failUnder },
    questions: questions.slice(0, limit),
    ...(models === undefined ? {} : { models: [...new Set(models)] }),
  };
}
