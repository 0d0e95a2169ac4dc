import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Summary } from "../../packages/council-eval/src/summary.ts";
import type { LiveWorld, Part } from "../part.ts";

export const CORPUS = fileURLToPath(new URL("../corpus/", import.meta.url));
const METHODS = "single,vote-3,vote-5,council";

export const evaluationPart: Part = {
  name: "eval",
  title: "Evaluation on held-out questions",
  about: "`mci-council eval` on questions of `live/corpus/held-out.jsonl`, with the defaults of the service.",
  async run(world) {
    const summary = await runEvaluation(world, join(CORPUS, "held-out.jsonl"), ["--methods", METHODS]);
    const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
    return [
      {
        title: "Methods",
        columns: ["method", "questions", "right", "95 % interval", "calls", "median time"],
        rows: summary.summaries.map((one) => [
          one.method,
          String(one.questions),
          percent(one.accuracy),
          one.interval.map(percent).join(" to "),
          one.calls.toFixed(2),
          `${one.median_seconds.toFixed(1)} s`,
        ]),
      },
    ];
  },
};

/** `mci-council eval` in a process of its own; its progress and table go to standard error. */
export async function runEvaluation(
  { command, model, modelUrl, questions, folder }: LiveWorld,
  file: string,
  args: readonly string[],
): Promise<{ readonly summaries: readonly Summary[] }> {
  const [program, ...rest] = command;
  const named = args.indexOf("--out");
  const out = named < 0 ? join(folder, "eval") : args[named + 1]!;
  const chosen = join(folder, "questions.jsonl");
  writeFileSync(chosen, spread(readFileSync(file, "utf8").trim().split("\n"), questions).join("\n"));
  // Two questions at a time, as many as the model server answers.
  const all = [...rest, "eval", chosen, "--out", out, "--concurrency", "2", ...args];
  const child = spawn(program!, all, {
    env: { ...process.env, MCI_DETECT_LOCAL: "0", MAKER_API_URL: modelUrl, MAKER_API_MODEL: model.name },
    stdio: ["ignore", 2, 2],
  });
  const code = await new Promise<number | null>((done) => child.once("exit", done));
  if (code !== 0) throw new Error(`mci-council eval ended with ${code}`);
  return JSON.parse(readFileSync(join(out, "summary.json"), "utf8"));
}

/** So many of them, evenly from beginning to end: every kind of question is among them. */
function spread(lines: readonly string[], count: number): readonly string[] {
  const most = Math.min(count, lines.length);
  return Array.from({ length: most }, (_, i) => lines[Math.floor((i * lines.length) / most)]!);
}
