/**
 *   npm run compare                     everything, about ten minutes; writes docs/comparison.md and its charts
 *   npm run compare -- --quick          few and short rounds, and the page is only printed
 *   npm run compare -- --page           the page of the last full run again, without measuring
 *
 * Peers are pinned in peers.json and installed in compare/.cache. One that cannot be installed is skipped, and the page says so.
 * It ends with code 1 if a difference of behaviour, or a row in which we are behind, has no explanation.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { measureAll } from "./measure-all.ts";
import { findBehind } from "./page/behind.ts";
import { Charts } from "./page/charts.ts";
import { page, type Results } from "./page/page.ts";
import { installNpm, isInstalled } from "./prepare/peers.ts";

const args = process.argv.slice(2);
const unknown = args.filter((arg) => !["--quick", "--page"].includes(arg));
if (unknown.length > 0) {
  console.error(`No such option: ${unknown.join(", ")}. There are: --quick, --page`);
  process.exit(2);
}
const isQuick = args.includes("--quick");
const last = new URL(".cache/results.json", import.meta.url);
const docs = new URL("../docs/", import.meta.url);

const results: Results = args.includes("--page")
  ? JSON.parse(readFileSync(last, "utf8"))
  : await measureAll(isQuick ? { rounds: 2, milliseconds: 50 } : { rounds: 7, milliseconds: 250 }, (what) =>
      console.error(`${new Date().toTimeString().slice(0, 8)} ${what}`),
    );
if (!isQuick) writeFileSync(last, JSON.stringify(results));

const plotter = await installNpm("charts");
if (!isInstalled(plotter)) console.error(`No charts: ${plotter.reason}`);
const behind = findBehind([...results.starts, ...results.work, ...results.memory, ...results.serving]);
const text = page(results, behind, isInstalled(plotter));
console.log(text);
if (!isQuick) {
  writeFileSync(new URL("comparison.md", docs), text);
  if (isInstalled(plotter)) drawCharts(new Charts(plotter.folder));
}

const unexplained = [
  ...(results.behaviour?.unexplained ?? []),
  ...behind
    .filter(({ note }) => note === undefined)
    .map(({ row, of }) => `${row.id} is ${of}, without a reason in notes.json`),
];
for (const each of unexplained) console.error(`NOT EXPLAINED  ${each}`);
if (unexplained.length > 0) process.exitCode = 1;

function drawCharts(charts: Charts): void {
  const folder = new URL("comparison/", docs);
  mkdirSync(folder, { recursive: true });
  const write = (name: string, svg: string) => writeFileSync(new URL(`${name}.svg`, folder), svg);
  if (results.behaviour !== undefined) write("behaviour", charts.behaviour(results.behaviour));
  write("speed", charts.speed(results.work));
  write("starts", charts.starts([...results.starts, ...results.serving.slice(0, 1)]));
}
