import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Outcome } from "../../packages/council/src/voting/calibration.ts";
import { effectiveVotes, measureDependence } from "../../packages/council/src/voting/dependence.ts";
import { cacheFolder } from "../model/cache.ts";
import { startReplyCache } from "../model/reply-cache.ts";
import type { Part } from "../part.ts";
import { CORPUS, runEvaluation } from "./evaluation.ts";

const SAMPLES = 5;
/** What samples differ in, by the names of `config.vary`. */
const WAYS = {
  nothing: [],
  options: ["options"],
  role: ["role"],
  wording: ["wording"],
  "wording-options": ["wording", "options"],
  "wording-options-role": ["wording", "options", "role"],
} as const;

export const varietyPart: Part = {
  name: "variety",
  title: "Ways to make samples less dependent",
  about: `${SAMPLES} samples for each question of \`live/corpus/fit.jsonl\`, which differ in what \`config.vary\` names; without anything they are resampled at temperature 0.1.`,
  async run(world) {
    const cache = await startReplyCache(
      world.modelUrl,
      join(cacheFolder(), `replies-${world.model.name}.jsonl`),
    );
    const rows: string[][] = [];
    for (const [way, vary] of Object.entries(WAYS)) {
      const out = join(world.folder, way);
      const settings = JSON.stringify({ k: SAMPLES, max_samples: SAMPLES, vary });
      await runEvaluation({ ...world, modelUrl: cache.url }, join(CORPUS, "fit.jsonl"), [
        ...["--methods", "single", "--variant", `${way}=vote-${SAMPLES} ${settings}`, "--out", out],
      ]);
      const outcomes = readFileSync(join(out, "outcomes.jsonl"), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Outcome)
        .filter(({ votes }) => votes > 1);
      rows.push([way, ...describe(outcomes)]);
    }
    cache.close();
    return [
      {
        title: "What samples differ in",
        columns: [
          "differ in",
          "questions",
          "majority right",
          "p of a sample",
          "dependence",
          "effective votes",
          "all agree",
          "of these right",
        ],
        rows,
      },
    ];
  },
};

function describe(outcomes: readonly Outcome[]): string[] {
  const { p, dependence } = measureDependence(
    outcomes.map(({ votes, right_votes }) => ({ votes, right: right_votes ?? 0 })),
  );
  const unanimous = outcomes.filter(({ leader_votes, votes }) => leader_votes === votes);
  const right = (all: readonly Outcome[]) => all.filter((one) => one.right).length;
  return [
    String(outcomes.length),
    String(right(outcomes)),
    p.toFixed(2),
    dependence.toFixed(2),
    effectiveVotes(SAMPLES, dependence).toFixed(2),
    String(unanimous.length),
    String(right(unanimous)),
  ];
}
