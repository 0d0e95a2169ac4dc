import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Outcome } from "../../packages/council/src/voting/calibration.ts";
import type { Result } from "../../packages/council-eval/src/run/results-file.ts";

/** A vote on a question of the corpus, as it is published. */
export interface PublishedVote extends Outcome {
  readonly question: string;
  readonly half: "fit" | "held-out";
  /** Whether its answer was right; an undecided vote has none. */
  readonly vote_right: boolean;
  /** Whether one call at temperature 0 was right, and cheap first; where they were asked. */
  readonly single_right?: boolean;
  readonly cheap_right?: boolean;
}

/** From the results of both halves, in folders of these names; the file is named after the model. */
export function writeVotes(folder: string, model: string): void {
  const lines = (["fit", "held-out"] as const).flatMap((half) =>
    votesOf(join(folder, half, "results.jsonl"), half),
  );
  writeFileSync(fileOf(folder, model), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

/** Into this folder, where the test of the calibration reads them. */
export function publishVotes(folder: string, model: string): void {
  const file = fileOf(folder, model);
  if (existsSync(file)) copyFileSync(file, fileOf(fileURLToPath(new URL(".", import.meta.url)), model));
}

const fileOf = (folder: string, model: string) => join(folder, `${model}.jsonl`);

export function readVotes(file: string | URL): readonly PublishedVote[] {
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as PublishedVote);
}

function votesOf(file: string, half: PublishedVote["half"]): readonly PublishedVote[] {
  const results = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Result);
  const rightBy = (method: string) =>
    new Map(results.flatMap((one) => (one.method === method ? [[one.question, one.correct] as const] : [])));
  const [single, cheap] = [rightBy("single"), rightBy("cheap-first")];
  return results.flatMap(({ method, question, basis, votes, right_votes, leader_right, correct }) => {
    const counts = Object.values(votes);
    if (method !== "vote-3" || basis === undefined || counts.length === 0 || leader_right === null) return [];
    const { model, strategy, kind } = basis;
    return {
      ...{ question, half, model, strategy, kind },
      leader_votes: Math.max(...counts),
      votes: counts.reduce((sum, one) => sum + one, 0),
      right_votes,
      right: leader_right,
      vote_right: correct,
      ...(single.has(question) ? { single_right: single.get(question)! } : {}),
      ...(cheap.has(question) ? { cheap_right: cheap.get(question)! } : {}),
    };
  });
}
