import type { Table } from "../../bench/suite.ts";
import type { Part } from "../part.ts";
import {
  correlationBetween,
  correlationWithin,
  highestCorrelation,
  intervalOf,
  type SamplePair,
} from "./correlation.ts";
import { measureWay, SAMPLES, type WayResult, waysTable } from "./ways.ts";

export const twoModelsPart: Part = {
  name: "two-models",
  title: "Two models in one vote",
  about: `${SAMPLES} samples for each question of \`live/corpus/fit.jsonl\`, in other wordings and orders as by default: all of one model, or of two models in turn, of which the first has one vote more. The last column is the paired comparison with the better model alone, exact McNemar. The second table says how far two samples are right on the same questions, and how far they could be at most: one of a much better model is often right where the other is wrong. Needs \`--second\`.`,
  async run(world) {
    const { model, modelUrl, second } = world;
    if (second === undefined) return [];
    const [one, other] = [{ name: model.name, url: modelUrl }, second];
    const ways: WayResult[] = [];
    for (const models of [[one], [other], [one, other], [other, one]]) {
      const name = models.map((each) => each.name).join(" and ");
      ways.push(await measureWay(world, { name, models, vary: ["wording", "options"] }));
    }
    const rightOf = ({ majority }: WayResult) => [...majority.values()].filter(Boolean).length;
    const [first, next] = ways as [WayResult, WayResult];
    const better = rightOf(next) > rightOf(first) ? next : first;
    return [waysTable("Votes of one and of two models", ways, better.name), correlationTable(first, next)];
  },
};

/** Of two samples of one model, of the other, and of one of each. */
function correlationTable(one: WayResult, other: WayResult): Table {
  const shown = (correlation: number | undefined) => correlation?.toFixed(2) ?? "none";
  const row = <T>(
    name: string,
    questions: readonly T[],
    figure: (sample: readonly T[]) => number | undefined,
  ) => {
    const interval = intervalOf(questions, figure).map((end) => end.toFixed(2));
    return [name, String(questions.length), shown(figure(questions)), interval.join(" to ")];
  };
  const pairs = [...one.samples].flatMap(([question, samples]): SamplePair[] => {
    const others = other.samples.get(question);
    return others === undefined ? [] : [[samples, others]];
  });
  return {
    title: "Whether two samples are right on the same questions",
    columns: ["two samples of", "questions", "correlation", "95 % interval", "at most"],
    rows: [
      ...[one, other].map(({ name, samples }) => [
        ...row(name, [...samples.values()], correlationWithin),
        shown(1),
      ]),
      [...row("one of each", pairs, correlationBetween), shown(highestCorrelation(pairs))],
    ],
  };
}
