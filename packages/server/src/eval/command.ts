import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ConfigError, readConfig } from "../config/config.ts";
import { openModels } from "../providers/models.ts";
import { evaluate, METHODS, type Result } from "./evaluate.ts";
import { readQuestions } from "./questions.ts";
import { html, table } from "./report.ts";
import { summarise } from "./summary.ts";

const NAMES = Object.keys(METHODS);

/** `mci-council eval questions.jsonl`: compares ways to answer on the caller's own questions. */
export async function runEval(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  { write, progress }: { write: (text: string) => void; progress: (text: string) => void },
): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      out: { type: "string", default: "council-eval" },
      methods: { type: "string", default: NAMES.join(",") },
      models: { type: "string" },
      concurrency: { type: "string", default: "4" },
    },
  });
  const methods = values.methods.split(",");
  const concurrency = Number(values.concurrency);
  const unknown = methods.find((name) => !Object.hasOwn(METHODS, name));
  const problems = [
    ...(positionals.length === 1 ? [] : ["eval takes one file: mci-council eval questions.jsonl"]),
    ...(unknown === undefined ? [] : [`--methods: "${unknown}" is not one of ${NAMES.join(", ")}`]),
    ...(Number.isInteger(concurrency) && concurrency >= 1 && concurrency <= 100
      ? []
      : ["--concurrency must be a whole number from 1 to 100"]),
  ];
  if (problems.length > 0) throw new ConfigError(problems);
  const questions = readQuestions(positionals[0]!);
  const config = readConfig(env);
  const opened = await openModels(config.models);
  const models = values.models?.split(",") ?? [opened.names.voter];
  for (const model of models) {
    const refused = opened.refuse(model);
    if (refused !== undefined) throw new ConfigError([`--models: ${refused}`]);
  }
  mkdirSync(values.out, { recursive: true });
  const least =
    methods.reduce((sum, name) => sum + METHODS[name]!.calls, 0) * questions.length * models.length;
  progress(`${questions.length} questions, at least ${least} model calls. Results: ${values.out}\n`);
  const results = await evaluate({
    questions,
    methods,
    models,
    concurrency,
    resultsFile: join(values.out, "results.jsonl"),
    options: {
      model: () => opened.forRun({ deadlineAt: performance.now() + config.budget.deadline_ms }),
      models: opened.names,
      price: opened.price,
      budget: config.budget,
    },
    onResult: (done, total, all) => progress(progressLine(done, total, all)),
  });
  const summaries = summarise(results);
  writeFileSync(join(values.out, "summary.json"), `${JSON.stringify(summaries, null, 2)}\n`);
  writeFileSync(join(values.out, "report.html"), html(summaries, results));
  progress("\n");
  write(
    `${opened.simulated ? "Simulated model: these figures say nothing about a real one.\n" : ""}${table(summaries)}`,
  );
}

/** What is spent, and what the whole will cost at this rate. */
function progressLine(done: number, total: number, results: readonly Result[]): string {
  const costs = results.map(({ cost_usd }) => cost_usd);
  const spent = costs.reduce<number>((sum, usd) => sum + (usd ?? 0), 0);
  const money = costs.includes(null)
    ? "cost unknown"
    : `$${spent.toFixed(4)} of about $${(done === 0 ? 0 : (spent / done) * total).toFixed(4)}`;
  const filled = Math.round((20 * done) / total);
  return `\r[${"#".repeat(filled)}${"-".repeat(20 - filled)}] ${done}/${total}  ${money}   `;
}
