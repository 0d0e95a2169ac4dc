import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CouncilOptions, createSpeeds, PRESETS } from "@mci-ts/council";
import { escapeLines } from "@mci-ts/primitives/escape-controls";
import { readArguments } from "./arguments.ts";
import { EvaluationError } from "./evaluation-error.ts";
import { ATTACKS, hasLabels, measureJudge } from "./judging/judge.ts";
import { JudgementsFile } from "./judging/judgements-file.ts";
import type { Method, Methods } from "./methods/methods.ts";
import { html } from "./report/html.ts";
import { textReport } from "./report/table.ts";
import { describeEstimate, describeTime, estimate } from "./run/estimate.ts";
import { evaluate, type Wanted } from "./run/evaluate.ts";
import { describeUse, outcomesOf } from "./run/outcomes.ts";
import { createProgress, type ProgressOutput } from "./run/progress.ts";
import { type Result, ResultsFile } from "./run/results-file.ts";
import { compareMethods } from "./statistics/comparisons.ts";
import { dependencesOf } from "./statistics/dependence.ts";
import { summarise } from "./statistics/summary.ts";
import { theoryOf } from "./statistics/theory.ts";

/** What is evaluated, as the service opens it from its settings. */
export interface EvalModels {
  readonly names: CouncilOptions["models"];
  readonly price: NonNullable<CouncilOptions["price"]>;
  readonly budget: NonNullable<CouncilOptions["budget"]>;
  /** Settings of runs that a method does not set itself. Default: those of the engine. */
  readonly defaults?: NonNullable<CouncilOptions["defaults"]>;
  /** What a variant may name besides those of the engine. */
  readonly presets?: NonNullable<CouncilOptions["presets"]>;
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
  output: { readonly write: (text: string) => void; readonly progress: ProgressOutput },
): Promise<boolean> {
  // Names of models and reasons of providers are not ours.
  const write = (text: string) => output.write(escapeLines(text));
  const say = (text: string) => output.progress.write(escapeLines(text));
  const { questions, methods, concurrency, runs, out, dryRun, failUnder, attackJudge, ...named } =
    readArguments(args);
  const opened = await openModels();
  const models = named.models ?? [opened.names.voter];
  const problems = [
    ...models.flatMap((model) => opened.refuse(model) ?? []).map((reason) => `--models: ${reason}`),
    ...[...methods].flatMap(([name, method]) =>
      whyRefused(method, opened).map((why) => `--variant ${name}: ${why}`),
    ),
  ];
  if (problems.length > 0) throw new EvaluationError(problems);
  const times = runs > 1 ? `, ${runs} runs` : "";
  const size = `${questions.length} questions, ${methods.size} methods, ${models.length} models${times}`;
  const estimated = estimate(questions, methods, models, opened.price, runs);
  const judged = questions.flatMap(({ labels = [] }) => labels).length * models.length;
  const judging =
    judged === 0
      ? ""
      : ` The judge: ${judged}${attackJudge ? ` to ${judged * (1 + ATTACKS.length)}` : ""} calls more.`;
  const time = describeTime(estimated.calls + judged, concurrency);
  say(`${size}: ${describeEstimate(estimated)}. Time ${time}.${judging}\n`);
  if (opened.simulated)
    say("No model provider is set: the simulated model answers, whatever --models names.\n");
  if (dryRun) return true;
  makeFolder(out);
  say(`Results: ${out}. Started again with the same folder, it goes on where it stopped.\n`);
  const options = {
    model: () => opened.model(),
    models: opened.names,
    price: opened.price,
    budget: opened.budget,
    ...(opened.defaults ? { defaults: opened.defaults } : {}),
    ...(opened.calibration ? { calibration: opened.calibration } : {}),
    ...(opened.presets ? { presets: opened.presets } : {}),
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
        say(`Time left ${describeTime(callsOf(open, methods), concurrency, perCall)}.\n`);
    },
    onResult: createProgress(output.progress),
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
            say(
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
  const outcomes = outcomesOf(sorted);
  const data = { simulated, summaries, comparisons, theory, dependence: dependencesOf(outcomes), judges };
  writeFileSync(join(out, "summary.json"), `${JSON.stringify(data, null, 2)}\n`);
  const outcomesFile = join(out, "outcomes.jsonl");
  writeFileSync(outcomesFile, outcomes.map((one) => `${JSON.stringify(one)}\n`).join(""));
  writeFileSync(join(out, "report.html"), html({ ...data, questions, results: sorted }));
  write(
    `${simulated ? "Simulated model: these figures say nothing about a real one.\n" : ""}${textReport(data)}`,
  );
  say(describeUse(outcomes, outcomesFile));
  if (results.length > 0 && results.every(({ error }) => error !== undefined)) {
    say("Failed: no run brought an answer; the report says why.\n");
    return false;
  }
  const low = summaries.filter(({ accuracy }) => accuracy < failUnder);
  for (const { method, model, accuracy } of low)
    say(`Failed: ${method} with ${model} is right in ${accuracy.toFixed(3)}, below ${failUnder}.\n`);
  return low.length === 0;
}

/** What the service's settings decide about a variant. */
function whyRefused({ request }: Method, { presets = {}, refuse }: EvalModels): readonly string[] {
  const { preset, models = [], judge_model: judge } = request?.config ?? {};
  const known = [...Object.keys(PRESETS), ...Object.keys(presets)];
  return [
    ...(preset === undefined || known.includes(preset)
      ? []
      : [`config.preset must be one of ${known.join(", ")}; it is ${JSON.stringify(preset)}`]),
    ...[...models, ...(judge === undefined ? [] : [judge])].flatMap((model) => refuse(model) ?? []),
  ];
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw new EvaluationError([`--out: ${path} cannot be made a folder: ${(error as Error).message}`]);
  }
}

/** The mean of all answers so far; undefined where none took a call. */
function secondsPerCall(results: readonly Result[]): number | undefined {
  const calls = results.reduce((sum, one) => sum + one.calls, 0);
  return calls === 0 ? undefined : results.reduce((sum, one) => sum + one.seconds, 0) / calls;
}

const callsOf = (open: readonly Wanted[], methods: Methods) =>
  open.reduce((sum, { method }) => sum + methods.get(method)!.minCalls, 0);
