import type { Part } from "../part.ts";
import { measureWay, SAMPLES, type WayResult, waysTable } from "./ways.ts";

export const twoModelsPart: Part = {
  name: "two-models",
  title: "Two models in one vote",
  about: `${SAMPLES} samples for each question of \`live/corpus/fit.jsonl\`, in other wordings and orders as by default: all of one model, or of two models in turn, of which the first has one vote more. The last column is the paired comparison with the better model alone, exact McNemar. Needs \`--second\`.`,
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
    return [waysTable("Votes of one and of two models", ways, better.name)];
  },
};
