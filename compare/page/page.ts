import type { Behaviour } from "../behaviour/explain.ts";
import type { CheckResult } from "../serving/arrives.ts";
import type { Cost } from "../speed/cost.ts";
import { isMeasured, type Row } from "../speed/rounds.ts";
import type { Behind } from "./behind.ts";
import { figure, multiple, quantity, table, times } from "./format.ts";
import { behaviourSummary, summary } from "./summary.ts";

/** Everything that a run has found out. */
export interface Results {
  readonly date: string;
  readonly machine: string;
  readonly minutes: number;
  /** Program or package, and its version. */
  readonly versions: readonly (readonly [string, string])[];
  readonly rounds: number;
  /** Who could not be installed, and why; and what to know about the others. */
  readonly remarks: readonly string[];
  readonly behaviour?: Behaviour;
  readonly work: readonly Row[];
  readonly starts: readonly Row[];
  readonly memory: readonly Row[];
  readonly tokens: readonly Row[];
  readonly costs: readonly Cost[];
  readonly serving: readonly Row[];
  readonly arrives: readonly (readonly [server: string, checks: readonly CheckResult[]])[];
}

const PEERS = ["bare", "mci-ts", "mci-py", "utcp"];

export function page(results: Results, behind: readonly Behind[], hasCharts: boolean): string {
  const chart = (name: string, alt: string) => (hasCharts ? `![${alt}](charts/${name}.svg)` : "");
  const parts = [
    "# Comparison with peers",
    "How `mci-ts` compares with mci-py (the Python adapter and its command `mcix`), with UTCP (another way to describe tools as " +
      "data), and with **bare**: the same work without a tool library. All of them do the same work in one run, which also generates this page; only the " +
      "reasons in the last table are written by hand. The results:",
    summary(results),
    "## What was compared",
    table(
      ["", ""],
      [
        ["Date", `${results.date}, ${results.minutes} minutes`],
        ["Machine", results.machine],
        ...results.versions,
      ],
      "words",
    ),
    results.remarks.map((remark) => `- ${remark}`).join("\n"),
    "**bare** is `JSON.parse` and a compiled JSON Schema for loading, a template literal, " +
      "`readFile`, `child_process.execFile`, undici, the MCP SDK. It is the lower bound, not a peer.",
    ...(results.behaviour === undefined ? [] : behaviour(results.behaviour, results.date, chart)),
    ...speed(results, chart),
    ...serving(results),
    ...reasons(behind),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** A page with the behaviour of another run; its measurements stay. */
export function replaceBehaviour(text: string, found: Behaviour, date: string, hasCharts: boolean): string {
  const section = behaviour(found, date, (name, alt) => (hasCharts ? `![${alt}](charts/${name}.svg)` : ""));
  return text
    .replace(/^- \*\*Behaviour\*\*: .*$/m, () => behaviourSummary(found))
    .replace(/^## Behaviour\n.*?(?=^## )/ms, () => `${section.filter(Boolean).join("\n\n")}\n\n`);
}

type Chart = (name: string, alt: string) => string;

function behaviour(
  { topics, differences, unexplained, alike }: Behaviour,
  date: string,
  chart: Chart,
): string[] {
  const sum = (pick: (topic: (typeof topics)[number]) => number) =>
    topics.reduce((total, topic) => total + pick(topic), 0);
  const rows = topics.map((each) => [
    each.topic,
    ...[each.cases, each.passes, each.cases - each.passes, each.decisions, each.defects].map(String),
  ]);
  const total = [
    sum((each) => each.cases),
    sum((each) => each.passes),
    sum((each) => each.cases - each.passes),
    sum((each) => each.decisions),
    sum((each) => each.defects),
  ];
  return [
    "## Behaviour",
    `The [conformance cases](../conformance) replayed on mci-py on ${date}. ` +
      "A failure counts as our decision if we deliberately behave differently and document it, and as a " +
      "defect if mci-py does not do what its documentation, or any caller, would expect. Error codes are specific to mci-ts and not compared.",
    table(
      ["Topic", "cases", "mci-py passes", "fails", "our decision", "its defect"],
      [...rows, ["**all**", ...total.map((value) => `**${value}**`)]],
    ),
    chart("behaviour", "Cases by topic: passed, differing by our decision, differing by a defect"),
    unexplained.length === 0
      ? "Every failure is explained by a line of [Coming from mci-py](../docs/migrating-from-mci-py.md):"
      : `**${unexplained.length} failures are not explained:**\n\n${unexplained.map((each) => `- ${each}`).join("\n")}\n\nThe others:`,
    details(
      `All ${differences.length} differences, and their cases`,
      table(
        ["Line", "", "cases", ""],
        differences.map(({ page, anchor, kind, ids }) => [
          `[${anchor}](../docs/${page}#${anchor})`,
          kind,
          String(ids.length),
          ids.join(", "),
        ]),
        "words",
      ),
    ),
    alike.length === 0 ? "" : `Marked as different, but alike in this run: ${alike.join(", ")}.`,
  ];
}

function speed({ work, starts, memory, tokens, costs, rounds }: Results, chart: Chart): string[] {
  return [
    "## Speed and cost",
    `Medians of ${rounds} alternating rounds, with the lowest and the highest below them. "x bare" and so on are medians of the ratios of ` +
      "neighbouring rounds: below 1 means that mci-ts is faster. Each implementation runs in a separate process; mci-py's calls block, so 50 at " +
      "once are 50 threads. UTCP's text tools return a constant, without templates.",
    comparison([...starts, ...work, ...memory, ...tokens]),
    chart("speed", "Time of one call relative to mci-ts"),
    chart("starts", "Time to import the library, to list tools, and to the first response of the server"),
    table(
      ["Installed", "packages", "size"],
      costs.map(({ name, packages, bytes }) => [name, String(packages), quantity(bytes, "bytes")]),
    ),
  ];
}

function comparison(rows: readonly Row[]): string {
  const peers = PEERS.filter((name) => rows.some((row) => isMeasured(row.outcomes[name])));
  const others = peers.filter((name) => name !== "mci-ts");
  const ratios = ({ outcomes, unit }: Row) => {
    const ours = outcomes["mci-ts"];
    return others.map((name) =>
      isMeasured(ours) && unit !== "count" ? times(multiple(ours, outcomes[name], unit)) : "",
    );
  };
  return table(
    ["", ...peers, ...others.map((name) => `x ${name}`)],
    rows.map((row) => [
      row.what,
      ...peers.map((name) => figure(row.outcomes[name], row.unit)),
      ...ratios(row),
    ]),
  );
}

function serving({ serving: rows, arrives }: Results): string[] {
  if (rows.length === 0) return [];
  const checks = arrives[0]?.[1] ?? [];
  const cell = (check: CheckResult | undefined) =>
    check === undefined ? "" : `${check.right ? "✓" : "✗"} ${check.arrives}`;
  return [
    "## Serving",
    "`mci run` and `mcix run` with the same file, called by the official TypeScript client over standard input and output. Bare is the MCP SDK's " +
      "server with a handler that returns a sentence.",
    comparison(rows),
    "What arrives at the client:",
    table(
      ["", ...arrives.map(([server]) => server)],
      checks.map(({ what }, index) => [what, ...arrives.map(([, found]) => cell(found[index]))]),
      "words",
    ),
  ];
}

function reasons(behind: readonly Behind[]): string[] {
  if (behind.length === 0) return [];
  return [
    "## Where we are behind, and why",
    "Every row that is slower than 1.3 x the bare operation or behind a peer, and those that were profiled and made faster, with " +
      "their earlier figures from a machine of the same kind.",
    table(
      ["", "now", "before", "why"],
      behind.map(({ row, of, note }) => [
        row.what,
        [median(row), of].filter(Boolean).join(": "),
        note?.before ?? "",
        note?.why ?? "**not explained**",
      ]),
      "words",
    ),
  ];
}

function median({ outcomes, unit }: Row): string {
  const ours = outcomes["mci-ts"];
  return isMeasured(ours) ? quantity(ours.median, unit) : "";
}

function details(summary: string, content: string): string {
  return `<details><summary>${summary}</summary>\n\n${content}\n\n</details>`;
}
