import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Outcome } from "../../packages/council/src/voting/calibration.ts";
import { effectiveVotes, measureDependence } from "../../packages/council/src/voting/dependence.ts";
import { cacheFolder } from "../model/cache.ts";
import { startModelRouter } from "../model/model-router.ts";
import { startReplyCache } from "../model/reply-cache.ts";
import type { Part } from "../part.ts";
import { CORPUS, runEvaluation } from "./evaluation.ts";

const SAMPLES = 5;

interface Way {
  /** By the names of `config.vary`. */
  readonly vary: readonly string[];
  /** Of samples after the first, where they have the same wording. Default: that of the service, 0.1. */
  readonly temperature?: number;
  /** Whether the second model answers every second sample. */
  readonly twoModels?: boolean;
}

/** What samples differ in. */
const WAYS: Readonly<Record<string, Way>> = {
  "temperature 0.1": { vary: [] },
  "temperature 0.7": { vary: [], temperature: 0.7 },
  "order of the options": { vary: ["options"] },
  wording: { vary: ["wording"] },
  "wording and order (the default)": { vary: ["wording", "options"] },
  "model, wording and order": { vary: ["wording", "options"], twoModels: true },
  role: { vary: ["role"] },
  "wording, order and role": { vary: ["wording", "options", "role"] },
};

export const varietyPart: Part = {
  name: "variety",
  title: "Ways to make samples less dependent",
  about: `${SAMPLES} samples for each question of \`live/corpus/fit.jsonl\`, which differ in what the first column says. With \`--second\`, every second sample is another model's.`,
  async run(world) {
    const { model, second, folder, progress } = world;
    const cacheOf = (name: string) => join(cacheFolder(), `replies-${name}.jsonl`);
    const rows: string[][] = [];
    for (const [way, { vary, temperature, twoModels = false }] of Object.entries(WAYS)) {
      if (twoModels && second === undefined) continue;
      progress(way);
      const resampled = temperature === undefined ? {} : { resampledAt: temperature };
      const caches = [await startReplyCache(world.modelUrl, cacheOf(model.name), resampled)];
      let modelUrl = caches[0]!.url;
      if (twoModels) {
        caches.push(await startReplyCache(second!.url, cacheOf(second!.name)));
        const router = await startModelRouter({ [model.name]: modelUrl, [second!.name]: caches[1]!.url });
        caches.push(router);
        modelUrl = router.url;
      }
      const models = twoModels ? { models: [model.name, second!.name] } : {};
      const settings = JSON.stringify({ k: SAMPLES, max_samples: SAMPLES, vary, ...models });
      const out = join(folder, way.replaceAll(/[^a-z0-9]+/g, "-"));
      await runEvaluation({ ...world, modelUrl }, join(CORPUS, "fit.jsonl"), [
        ...["--methods", "single", "--variant", `varied=vote-${SAMPLES} ${settings}`, "--out", out],
      ]);
      for (const cache of caches) cache.close();
      const outcomes = readFileSync(join(out, "outcomes.jsonl"), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Outcome)
        .filter(({ votes }) => votes > 1);
      rows.push([way, ...describe(outcomes)]);
    }
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
