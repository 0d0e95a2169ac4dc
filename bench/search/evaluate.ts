/**
 * How often a tool that a plain-language query wants is among the first found:
 *
 *   npx node bench/search/evaluate.ts              the held-out queries, numbers only
 *   npx node bench/search/evaluate.ts --tuning     the others, with those that failed
 */
import { ToolIndex } from "../../packages/mci/src/search/tool-index.ts";
import { loadQueries, loadTools, rankOf } from "./corpus.ts";

const tuning = process.argv.includes("--tuning");
const tools = loadTools();
const index = new ToolIndex(tools);
const search = (query: string) => index.search(query).map((match) => tools[match.index]!);
const ranked = loadQueries(tuning ? "tuning" : "held-out").map((labelled) => ({
  ...labelled,
  rank: rankOf(labelled, search),
}));
console.log(`${ranked.length} queries, ${tools.length} tools`);
for (const k of [1, 3, 5, 10]) {
  const share = ranked.filter(({ rank }) => rank <= k).length / ranked.length;
  console.log(`recall@${k}  ${share.toFixed(3)}`);
}
if (tuning)
  for (const { query, wanted, rank } of ranked.filter((each) => each.rank > 5)) {
    const first = search(query)
      .slice(0, 5)
      .map(({ name }) => name);
    console.log(`${rank}  ${query}: ${wanted[0]}, found ${first.join(", ")}`);
  }
