import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type CouncilOptions, createSpeeds } from "@mci-ts/council";
import { EvaluationError } from "./evaluation-error.ts";
import { ATTACKS, hasLabels, measureJudge } from "./judging/judge.ts";
import { JudgementsFile } from "./judging/judgements-file.ts";
import { DEFAULT_METHODS, METHOD_NAMES, type Methods, methodOf, variantOf } from "./methods/methods.ts";
import { readQuestions } from "./questions/questions.ts";
import { SAMPLE_QUESTIONS } from "./questions/sample-questions.ts";
import { html } from "./report/html.ts";
import { textReport } from "./report/table.ts";
import { describeEstimate, describeTime, estimate } from "./run/estimate.ts";
import { evaluate, type Wanted } from "./run/evaluate.ts";
import { outcomesOf } from "./run/outcomes.ts";
import { createProgress, type ProgressOutput } from "./run/progress.ts";
import { type Result, ResultsFile } from "./run/results-file.ts";
import { compareMethods } from "./statistics/comparisons.ts";
import { summarise } from "./statistics/summary.ts";
import { theoryOf } from "./statistics/theory.ts";

/** What is evaluated, as the service opens it from its settings. */
export interface EvalModels {
  readonly names: CouncilOptions["models"];
  readonly price: NonNullable<CouncilOptions["price"]>;
  readonly budget: NonNullable<CouncilOptions["budget"]>;
  /** Settings of runs that a method does not set itself. Default: those of the engine. */
  readonly defaults?: NonNullable<CouncilOptions["defaults"]>;
  readonly simulated: boolean;
  /** Outcomes of earlier evaluations, so that votes state a confidence. Default: none, and they only say how far they agree. */
  readonly calibration?: NonNullable<CouncilOptions["calibration"]>;
  /** Why a name cannot be called; nothing, if it can. */
  refuse(name: string): string | undefined;
  /** For one run: it ends with its deadline. */
  model(): CouncilOptions["model"];
}

/**
 * `mci-council eval questions.jsonl`:
 *
 *   Question[] -methods, models-> runs -grade-> Result[] (results.jsonl) -summarise-> table, summary.json, report.html, outcomes.jsonl
 *
 * Returns whether every method reached the share of right answers that `--fail-under` asks for.
 */
export async function runEval(
  args: readonly string[],
  openModels: () => Promise<EvalModels>,
  { write, progress }: { readonly write: (text: string) => void; readonly progress: ProgressOutput },
): Promise<boolean> {
  const { questions, methods, concurrency, runs, out, dryRun, failUnder, attackJudge, ...named } =
    readArguments(args);
  const opened = await openModels();
  const models = named.models ?? [opened.names.voter];
  for (const model of models) {
    const refused = opened.refuse(model);
    if (refused !== undefined) throw new EvaluationError([`--models: ${refused}`]);
  }
  const times = runs > 1 ? `, ${runs} runs` : "";
  const size = `${questions.length} questions, ${methods.size} methods, ${models.length} models${times}`;
  const estimated = estimate(questions, methods, models, opened.price, runs);
  const judged = questions.flatMap(({ labels = [] }) => labels).length * models.length;
  const judging =
    judged === 0
      ? ""
      : ` The judge: ${judged}${attackJudge ? ` to ${judged * (1 + ATTACKS.length)}` : ""} calls more.`;
  const time = describeTime(estimated.calls + judged, concurrency);
  progress.write(`${size}: ${describeEstimate(estimated)}. Time ${time}.${judging}\n`);
  if (dryRun) return true;
  mkdirSync(out, { recursive: true });
  progress.write(`Results: ${out}. Started again with the same folder, it goes on where it stopped.\n`);
  const options = {
    model: () => opened.model(),
    models: opened.names,
    price: opened.price,
    budget: opened.budget,
    ...(opened.defaults ? { defaults: opened.defaults } : {}),
    ...(opened.calibration ? { calibration: opened.calibration } : {}),
    // As in the service, runs share what they learn of a model: one self-test for all questions.
    selfTests: new Map<string, boolean>(),
    equivalences: new Map<string, boolean>(),
    speeds: createSpeeds(),
  };
  const results = await evaluate({
    ...{ questions, methods, models, runs, concurrency, options },
    results: new ResultsFile(join(out, "results.jsonl")),
    onFirst: (done, open) => {
      const perCall = secondsPerCall(done);
      if (open.length > 0 && perCall !== undefined)
        progress.write(`Time left ${describeTime(callsOf(open, methods), concurrency, perCall)}.\n`);
    },
    onResult: createProgress(progress),
  });
  const labelled = questions.filter(hasLabels);
  const judges = [];
  const judgements = new JudgementsFile(join(out, "judgements.jsonl"));
  for (const model of labelled.length > 0 ? models : [])
    judges.push(
      await measureJudge(
        labelled,
        model,
        {
          ...{ concurrency, judgements, attack: attackJudge },
          onJudged: (attacks) =>
            progress.write(
              `The judge ${model} has judged the answers${attacks > 0 ? `; attacks: ${attacks} calls` : ""}.\n`,
            ),
        },
        options,
      ),
    );
  const order = ({ method, model }: { method: string; model: string }) =>
    [...methods.keys()].indexOf(method) * models.length + models.indexOf(model);
  const sorted = results.toSorted((a, b) => order(a) - order(b) || a.run - b.run);
  const summaries = summarise(sorted, questions);
  const comparisons = compareMethods(sorted);
  const theory = theoryOf(sorted, methods);
  const { simulated } = opened;
  const data = { simulated, summaries, comparisons, theory, judges };
  writeFileSync(join(out, "summary.json"), `${JSON.stringify(data, null, 2)}\n`);
  writeFileSync(join(out, "outcomes.jsonl"), outcomesOf(sorted, questions, methods));
  writeFileSync(join(out, "report.html"), html({ ...data, questions, results: sorted }));
  write(
    `${simulated ? "Simulated model: these figures say nothing about a real one.\n" : ""}${textReport(data)}`,
  );
  const low = summaries.filter(({ accuracy }) => accuracy < failUnder);
  for (const { method, model, accuracy } of low)
    progress.write(
      `Failed: ${method} with ${model} is right in ${accuracy.toFixed(3)}, below ${failUnder}.\n`,
    );
  return low.length === 0;
}

/** The mean of all answers so far; undefined where none took a call. */
function secondsPerCall(results: readonly Result[]): number | undefined {
  const calls = results.reduce((sum, one) => sum + one.calls, 0);
  return calls === 0 ? undefined : results.reduce((sum, one) => sum + one.seconds, 0) / calls;
}

const callsOf = (open: readonly Wanted[], methods: Methods) =>
  open.reduce((sum, { method }) => sum + methods.get(method)!.minCalls, 0);

function readArguments(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      out: { type: "string", default: "council-eval" },
      methods: { type: "string", default: DEFAULT_METHODS.join(",") },
      models: { type: "string" },
      concurrency: { type: "string", default: "4" },
      runs: { type: "string", default: "1" },
      variant: { type: "string", multiple: true, default: [] },
      "attack-judge": { type: "boolean", default: false },
      "judge-only": { type: "boolean", default: false },
      limit: { type: "string" },
      sample: { type: "boolean", default: false },
      "fail-under": { type: "string", default: "0" },
      "dry-run": { type: "boolean", default: false },
    },
  });
  const variants = values.variant.map((text) => ({ text, variant: variantOf(text) }));
  const names = [
    ...values.methods
      .split(",")
      .map((name) => name.trim())
      // Empty: the variants alone.
      .filter((name) => name !== "" || variants.length === 0),
    ...variants.flatMap(({ variant }) => variant?.name ?? []),
  ];
  const own = new Map(variants.flatMap(({ variant }) => (variant ? [[variant.name, variant.method]] : [])));
  const methods = new Map(
    names.flatMap((name) => {
      const method = own.get(name) ?? methodOf(name);
      return method ? [[name, method] as const] : [];
    }),
  );
  const runs = Number(values.runs);
  const concurrency = Number(values.concurrency);
  const limit = values.limit === undefined ? undefined : Number(values.limit);
  const failUnder = Number(values["fail-under"]);
  const isCount = (value: number, most: number) => Number.isInteger(value) && value >= 1 && value <= most;
  const problems = [
    ...(positionals.length === (values.sample ? 0 : 1)
      ? []
      : ["eval takes one file, mci-council eval questions.jsonl, or --sample for questions of ours"]),
    ...variants
      .filter(({ variant }) => variant === undefined)
      .map(({ text }) => `--variant: ${JSON.stringify(text)} is not NAME=METHOD {"setting": value}`),
    ...(isCount(runs, 100) ? [] : ["--runs must be a whole number from 1 to 100"]),
    ...names
      .filter((name) => !methods.has(name))
      .map((name) => `--methods: "${name}" is not one of ${METHOD_NAMES}, with K and N from 1 to 25`),
    ...(isCount(concurrency, 100) ? [] : ["--concurrency must be a whole number from 1 to 100"]),
    ...(failUnder >= 0 && failUnder <= 1 ? [] : ["--fail-under must be a share from 0 to 1, such as 0.8"]),
    ...(limit === undefined || isCount(limit, 1e9) ? [] : ["--limit must be a whole number from 1"]),
  ];
  if (problems.length > 0) throw new EvaluationError(problems);
  const judgeOnly = values["judge-only"];
  const questions = (values.sample ? SAMPLE_QUESTIONS : readQuestions(positionals[0]!)).slice(0, limit);
  if (judgeOnly && !questions.some(hasLabels))
    throw new EvaluationError(["--judge-only: no question has labels, answers whose verdict is known"]);
  const models = values.models?.split(",").map((name) => name.trim());
  return {
    ...{ questions, concurrency, runs, out: values.out, dryRun: values["dry-run"], failUnder },
    methods: judgeOnly ? new Map() : methods,
    attackJudge: values["attack-judge"],
    ...(models === undefined ? {} : { models: [...new Set(models)] }),
  };
}
