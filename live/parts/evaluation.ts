import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Row, Table } from "../../bench/suite.ts";
import { killAtExit } from "../../chaos/world/children.ts";
import type { Comparison } from "../../packages/council-eval/src/statistics/comparisons.ts";
import type { Summary } from "../../packages/council-eval/src/statistics/summary.ts";
import { cacheFolder } from "../model/cache.ts";
import { startReplyCache } from "../model/reply-cache.ts";
import type { LiveWorld, Part } from "../part.ts";
import { writeVotes } from "../results/votes.ts";

export const CORPUS = fileURLToPath(new URL("../corpus/", import.meta.url));

/** Ends with the vote as soon as two wordings agree. */
const CHEAP = 'cheap-first=vote-3 {"cheap_first": true, "escalate": []}';
const MAX_CALIBRATION_ERROR = 0.1;

export interface EvaluationSummary {
  readonly summaries: readonly Summary[];
  readonly comparisons: readonly Comparison[];
}

export const evaluationPart: Part = {
  name: "eval",
  title: "Evaluation on held-out questions",
  about:
    "`mci-council eval` with the defaults of the service: votes on questions of `live/corpus/fit.jsonl` are the outcomes that a confidence is fitted to, questions of `live/corpus/held-out.jsonl` measure it. Replies at temperature 0 are shared by the methods.",
  async run(world) {
    const cache = await startReplyCache(
      world.modelUrl,
      join(cacheFolder(), `replies-${world.model.name}.jsonl`),
    );
    const cached = { ...world, modelUrl: cache.url };
    const fit = join(world.folder, "fit");
    await runEvaluation(cached, join(CORPUS, "fit.jsonl"), ["--methods", "vote-3", "--out", fit]);
    const summary = await runEvaluation(
      cached,
      join(CORPUS, "held-out.jsonl"),
      ["--methods", "single,vote-3", "--variant", CHEAP, "--out", join(world.folder, "held-out")],
      { MCI_OUTCOMES: join(fit, "outcomes.jsonl") },
    );
    cache.close();
    writeVotes(world.folder, world.model.name);
    return evaluationResults(summary);
  },
};

/** What is published of an evaluation. */
export function evaluationResults({ summaries, comparisons }: EvaluationSummary): readonly (Row | Table)[] {
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  return [
    ...comparisons.map(({ method, baseline, only_method, only_baseline, p, questions }) => ({
      what: `${method} against ${baseline}, paired`,
      ours: `only ${method} right: ${only_method}, only ${baseline} right: ${only_baseline}`,
      target: "not worse",
      // Worse is what such a difference, or a larger one, would hardly be by chance.
      met: only_method >= only_baseline || p > 0.05,
      note: `${questions} questions, exact McNemar, p = ${p.toFixed(3)}`,
    })),
    ...summaries.flatMap(({ method, calibration_error: error }) =>
      error?.of === "confidence" && method !== "single"
        ? [
            {
              what: `calibration error of the confidence, ${method}`,
              ours: error.value.toFixed(3),
              target: `below ${MAX_CALIBRATION_ERROR}`,
              met: error.value < MAX_CALIBRATION_ERROR,
              note: `95 % interval ${error.interval.map((one) => one.toFixed(3)).join(" to ")}`,
            },
          ]
        : [],
    ),
    {
      title: "Methods",
      columns: [
        "method",
        "questions",
        "right",
        "95 % interval",
        "calls for a question",
        "calls for a right answer",
      ],
      rows: summaries.map((one) => [
        one.method,
        String(one.questions),
        percent(one.accuracy),
        one.interval.map(percent).join(" to "),
        one.calls.toFixed(2),
        one.per_right.calls?.toFixed(1) ?? "",
      ]),
    },
  ];
}

/** `mci-council eval` in a process of its own; its progress and table go to standard error. */
export async function runEvaluation(
  { command, model, modelUrl, questions, folder }: LiveWorld,
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<EvaluationSummary> {
  const [program, ...rest] = command;
  const named = args.indexOf("--out");
  const out = named < 0 ? join(folder, "eval") : args[named + 1]!;
  const chosen = join(folder, "questions.jsonl");
  writeFileSync(chosen, spread(readFileSync(file, "utf8").trim().split("\n"), questions).join("\n"));
  // A few at a time: llama.cpp computes the requests of all slots together, in little more time than one.
  const all = [...rest, "eval", chosen, "--out", out, "--concurrency", "4", ...args];
  const child = spawn(program!, all, {
    env: {
      // On a busy machine a reply may take minutes, and a late answer counts like any other here.
      MCI_CALL_TIMEOUT_MS: "1800000",
      MCI_DEADLINE_MS: "3600000",
      ...process.env,
      MCI_DETECT_LOCAL: "0",
      MAKER_API_URL: modelUrl,
      MAKER_API_MODEL: model.name,
      ...env,
    },
    stdio: ["ignore", 2, 2],
  });
  // Without its model server it would go on, and every question would fail.
  killAtExit(child);
  const code = await new Promise<number | null>((done) => child.once("exit", done));
  if (code !== 0) throw new Error(`mci-council eval ended with ${code}`);
  return JSON.parse(readFileSync(join(out, "summary.json"), "utf8"));
}

/** So many of them, evenly from beginning to end: every kind of question is among them. */
export function spread<T>(lines: readonly T[], count: number): readonly T[] {
  const most = Math.min(count, lines.length);
  return Array.from({ length: most }, (_, i) => lines[Math.floor((i * lines.length) / most)]!);
}
