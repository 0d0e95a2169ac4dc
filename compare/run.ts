/**
 *   npm run compare                     everything, about ten minutes; writes compare/results.md and its charts
 *   npm run compare -- --quick          few and short rounds, and the page is only printed
 *   npm run compare -- --behaviour      only the conformance cases on mci-py, two minutes; writes that part of the page
 *   npm run compare -- --everything     server-everything through mci run against the same server alone; writes compare/everything.md
 *   npm run compare -- --page           the page of the last full run again, without measuring
 *
 * Peers are pinned in peers.json and installed in compare/.cache. One that cannot be installed is skipped, and the page says so.
 * It ends with code 1 if a difference of behaviour, or a row in which we are behind, has no explanation.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type Behaviour, explain } from "./behaviour/explain.ts";
import { replayOnMciPy } from "./behaviour/replay.ts";
import { measureAll } from "./measure-all.ts";
import { findBehind } from "./page/behind.ts";
import { Charts } from "./page/charts.ts";
import { page, type Results, replaceBehaviour } from "./page/page.ts";
import { installNpm, installPython, isInstalled } from "./prepare/peers.ts";

const args = process.argv.slice(2);
const unknown = args.filter((arg) => !["--quick", "--behaviour", "--everything", "--page"].includes(arg));
if (unknown.length > 0) {
  console.error(
    `No such option: ${unknown.join(", ")}. There are: --quick, --behaviour, --everything, --page`,
  );
  process.exit(2);
}
if (args.includes("--everything")) process.exit(await compareEverythingPage());
const last = new URL(".cache/results.json", import.meta.url);

const comparison = new URL("results.md", import.meta.url);

const plotter = await installNpm("charts");
if (!isInstalled(plotter)) console.error(`No charts: ${plotter.reason}`);
const charts = isInstalled(plotter) ? new Charts(plotter.folder) : undefined;

const unexplained = args.includes("--behaviour") ? await compareBehaviour() : await compareAll();
for (const each of unexplained) console.error(`NOT EXPLAINED  ${each}`);
if (unexplained.length > 0) process.exitCode = 1;

async function compareAll(): Promise<readonly string[]> {
  const isQuick = args.includes("--quick");
  const results: Results = args.includes("--page")
    ? JSON.parse(readFileSync(last, "utf8"))
    : await measureAll(isQuick ? { rounds: 2, milliseconds: 50 } : { rounds: 7, milliseconds: 250 }, (what) =>
        console.error(`${new Date().toTimeString().slice(0, 8)} ${what}`),
      );
  if (!isQuick) writeFileSync(last, JSON.stringify(results));

  const behind = findBehind([...results.starts, ...results.work, ...results.memory, ...results.serving]);
  const text = page(results, behind, charts !== undefined);
  console.log(text);
  if (!isQuick) {
    writeFileSync(comparison, text);
    drawBehaviour(results.behaviour);
    draw("speed", (plot) => plot.speed(results.work));
    draw("starts", (plot) => plot.starts([...results.starts, ...results.serving.slice(0, 1)]));
  }
  const reasonless = behind
    .filter(({ note }) => note === undefined)
    .map(({ row, of }) => `${row.id} is ${of}, without a reason in notes.json`);
  return [...(results.behaviour?.unexplained ?? []), ...reasonless];
}

async function compareBehaviour(): Promise<readonly string[]> {
  const mciPy = await installPython("mci-py");
  if (!isInstalled(mciPy)) return [`mci-py could not be installed: ${mciPy.reason}`];
  const today = new Date().toISOString().slice(0, 10);
  const behaviour = explain(await replayOnMciPy(mciPy.folder));
  writeFileSync(
    comparison,
    replaceBehaviour(readFileSync(comparison, "utf8"), behaviour, today, charts !== undefined),
  );
  drawBehaviour(behaviour);
  return behaviour.unexplained;
}

function drawBehaviour(behaviour: Behaviour | undefined): void {
  if (behaviour !== undefined) draw("behaviour", (plot) => plot.behaviour(behaviour));
}

function draw(name: string, plot: (charts: Charts) => string): void {
  if (charts === undefined) return;
  const folder = new URL("charts/", import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(`${name}.svg`, folder), plot(charts));
}

/** The exit code: 1 where a difference has no reason. */
async function compareEverythingPage(): Promise<number> {
  const { compareEverything, everythingPage } = await import("./everything/compare.ts");
  const { version } = JSON.parse(
    readFileSync(
      new URL("../node_modules/@modelcontextprotocol/server-everything/package.json", import.meta.url),
      "utf8",
    ),
  );
  const rows = await compareEverything((name) => console.error(name));
  writeFileSync(new URL("everything.md", import.meta.url), everythingPage(rows, version));
  const defects = rows.filter(({ isSame, reason }) => !isSame && reason === undefined);
  for (const { name, seen } of rows.filter(({ isSame }) => !isSame))
    console.error(
      `DIFFERS  ${name}\n  alone    ${seen?.alone.slice(0, 600)}\n  through  ${seen?.through.slice(0, 600)}`,
    );
  return defects.length === 0 ? 0 : 1;
}
