import type { Part } from "../part.ts";
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

export const varietyPart: Part = {
  name: "variety",
  title: "Ways to make samples less dependent",
  about: `${SAMPLES} samples for each question of \`live/corpus/fit.jsonl\`, which differ in what the first column says. The last column is the paired comparison with the default, exact McNemar.`,
  async run(world) {
    const ways: WayResult[] = [];
    for (const way of WAYS) {
      ways.push(await measureWay(world, way));
      world.progress(JSON.stringify(waysTable("", ways, DEFAULT).rows));
    }
    return [waysTable("What samples differ in", ways, DEFAULT)];
  },
};
