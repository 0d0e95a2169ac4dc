import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Part } from "../part.ts";
import { CORPUS } from "./evaluation.ts";
import { measureWay, SAMPLES, type Way, type WayResult, waysTable } from "./ways.ts";

const DEFAULT = "wording and order (the default)";

// The default comes first: where time is short, it is what the others are compared with.
const WAYS: readonly Way[] = [
  { name: DEFAULT, vary: ["wording", "options"] },
  { name: "temperature 0.1", vary: [] },
  { name: "wording, order and role", vary: ["wording", "options", "role"] },
  { name: "wording", vary: ["wording"] },
  { name: "role", vary: ["role"] },
  { name: "order of the options", vary: ["options"] },
  { name: "temperature 0.7", vary: [], temperature: 0.7 },
];

/** The votes on every seventh question are known from earlier measurements: what they suggested is tested with the others. */
const isNew = (_line: string, index: number) => index % 7 !== 0;

export const varietyPart: Part = {
  name: "variety",
  title: "Ways to make samples less dependent",
  about: `Questions of \`live/corpus/fit.jsonl\` without every seventh, which were known before; ${SAMPLES} samples for each, which differ in what the first column says. The last column is the paired comparison with the default, exact McNemar.`,
  async run(world) {
    const questions = join(world.folder, "new.jsonl");
    const lines = readFileSync(join(CORPUS, "fit.jsonl"), "utf8").trim().split("\n");
    writeFileSync(questions, lines.filter(isNew).join("\n"));
    const ways: WayResult[] = [];
    for (const way of WAYS) ways.push(await measureWay(world, way, questions));
    return [waysTable("What samples differ in", ways, DEFAULT)];
  },
};
