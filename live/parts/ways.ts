import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Table } from "../../bench/suite.ts";
import type { Outcome } from "../../packages/council/src/voting/calibration.ts";
import {
  effectiveVotes,
  type GradedVotes,
  measureDependence,
} from "../../packages/council/src/voting/dependence.ts";
import type { Result } from "../../packages/council-eval/src/run/results-file.ts";
import { mcnemar } from "../../packages/council-eval/src/statistics/statistics.ts";
import { cacheFolder } from "../model/cache.ts";
import { startModelRouter } from "../model/model-router.ts";
import { startReplyCache } from "../model/reply-cache.ts";
import type { LiveWorld } from "../part.ts";
import { CORPUS, runEvaluation } from "./evaluation.ts";

export const SAMPLES = 5;

/** What the samples of a vote differ in. */
export interface Way {
  readonly name: string;
  /** By the names of `config.vary`. */
  readonly vary: readonly string[];
  /** Of samples after the first, where they have the same wording. Default: that of the service, 0.1. */
  readonly temperature?: number;
  /** The models that vote in turn. Default: the first. */
  readonly models?: readonly VotingModel[];
}

export interface VotingModel {
  readonly name: string;
  /** Of its server, with /v1. */
  readonly url: string;
}

export interface WayResult {
  readonly name: string;
  readonly outcomes: readonly Outcome[];
  /** By question: how many of its samples were right. */
  readonly samples: ReadonlyMap<string, GradedVotes>;
  /** By question: whether one call of the first model at temperature 0 was right, and the answer with most votes. */
  readonly single: ReadonlyMap<string, boolean>;
  readonly majority: ReadonlyMap<string, boolean>;
}

/** Votes of so many samples on questions of a file. Replies at temperature 0 are those of other ways, where they were asked. */
export async function measureWay(
  world: LiveWorld,
  way: Way,
  questions = join(CORPUS, "fit.jsonl"),
): Promise<WayResult> {
  world.progress(way.name);
  const { temperature, models = [{ name: world.model.name, url: world.modelUrl }] } = way;
  const resampled = temperature === undefined ? {} : { resampledAt: temperature };
  const caches = await Promise.all(
    models.map(async ({ name, url }) => {
      const file = join(cacheFolder(), `replies-${name}.jsonl`);
      return [name, await startReplyCache(url, file, resampled)] as const;
    }),
  );
  const router = await startModelRouter(Object.fromEntries(caches.map(([name, { url }]) => [name, url])));
  const names = models.map(({ name }) => name);
  const settings = { k: SAMPLES, max_samples: SAMPLES, vary: way.vary, models: names };
  const out = join(world.folder, way.name.toLowerCase().replaceAll(/[^a-z0-9.]+/g, "-"));
  await runEvaluation(
    { ...world, modelUrl: router.url, model: { ...world.model, name: names[0]! } },
    questions,
    ["--methods", "single", "--variant", `varied=vote-${SAMPLES} ${JSON.stringify(settings)}`, "--out", out],
  );
  for (const one of [router, ...caches.map(([, cache]) => cache)]) one.close();
  return readWay(way.name, out);
}

/** From the results of an evaluation in this folder. */
export function readWay(name: string, folder: string): WayResult {
  const results = linesOf<Result>(join(folder, "results.jsonl"));
  const rightBy = (wanted: string, isRight: (result: Result) => boolean) =>
    new Map(results.flatMap((one) => (one.method === wanted ? [[one.question, isRight(one)] as const] : [])));
  const votesIn = (votes: Result["votes"]) => Object.values(votes).reduce((sum, one) => sum + one, 0);
  return {
    name,
    samples: new Map(
      results.flatMap(({ method, question, votes, right_votes }) =>
        method === "varied" && right_votes !== null
          ? [[question, { votes: votesIn(votes), right: right_votes }] as const]
          : [],
      ),
    ),
    outcomes: linesOf<Outcome>(join(folder, "outcomes.jsonl")).filter(({ votes }) => votes > 1),
    single: rightBy("single", ({ correct }) => correct),
    // The vote is decided only where all agree; what counts here is its leader.
    majority: rightBy("varied", ({ leader_right }) => leader_right === true),
  };
}

const linesOf = <T>(file: string): readonly T[] =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as T)
    : [];

/** One line for each way, each against the way named `reference` on the same questions. */
export function waysTable(title: string, ways: readonly WayResult[], reference: string): Table {
  const compared = ways.find(({ name }) => name === reference)?.majority ?? new Map<string, boolean>();
  return {
    title,
    columns: [
      "differ in",
      "questions",
      "one call right",
      "majority right",
      "p of a sample",
      "dependence",
      "effective votes",
      "all agree",
      "of these right",
      `only it right, only "${reference}" right`,
    ],
    rows: ways.map(({ name, outcomes, single, majority }) => {
      const { p, dependence } = measureDependence(
        outcomes.map(({ votes, right_votes }) => ({ votes, right: right_votes ?? 0 })),
      );
      const unanimous = outcomes.filter(({ leader_votes, votes }) => leader_votes === votes);
      const only = (one: ReadonlyMap<string, boolean>, other: ReadonlyMap<string, boolean>) =>
        [...one].filter(([question, right]) => right && other.get(question) === false).length;
      const [it, reference] = [only(majority, compared), only(compared, majority)];
      return [
        name,
        String(majority.size),
        String([...single.values()].filter(Boolean).length),
        String([...majority.values()].filter(Boolean).length),
        p.toFixed(2),
        dependence.toFixed(2),
        effectiveVotes(SAMPLES, dependence).toFixed(2),
        String(unanimous.length),
        String(unanimous.filter(({ right }) => right).length),
        majority === compared ? "" : `${it}, ${reference}: p = ${mcnemar(it, reference).toFixed(3)}`,
      ];
    }),
  };
}
