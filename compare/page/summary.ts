import type { Behaviour } from "../behaviour/explain.ts";
import { isMeasured, type Row } from "../speed/rounds.ts";
import { multiple, quantity, times } from "./format.ts";
import type { Results } from "./page.ts";

/** The result in a few lines, computed from the tables below it. */
export function summary(results: Results): string {
  return [
    results.behaviour === undefined ? "" : behaviourSummary(results.behaviour),
    ...["mci-py", "utcp", "bare"].map((name) => speed(results, name)),
    serving(results),
    size(results),
    `- **Repeat it**: \`npm run compare\`. It installs the peers in a separate folder, needs Python 3 and the npm and PyPI registries, and takes about ${results.minutes} minutes.`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}

export function behaviourSummary({ topics }: Behaviour): string {
  const sum = (pick: (topic: (typeof topics)[number]) => number) =>
    topics.reduce((total, topic) => total + pick(topic), 0);
  return (
    `- **Behaviour**: mci-py passes ${sum(({ passes }) => passes)} of ${sum(({ cases }) => cases)} conformance cases; mci-ts passes all of them in its test suite. ` +
    `The failures are due to a decision of ours (${sum(({ decisions }) => decisions)}) or a defect of mci-py (${sum(({ defects }) => defects)}).`
  );
}

const LABELS: Readonly<Record<string, string>> = { "mci-py": "mci-py", utcp: "UTCP", bare: "no library" };

function speed({ starts, work, serving }: Results, name: string): string {
  const ratios = [...starts, ...work, ...serving].flatMap((row) => ratioTo(row, name));
  if (ratios.length === 0) return "";
  const slower = ratios.filter(({ ratio }) => ratio > 1.15);
  const sorted = ratios.map(({ ratio }) => ratio).sort((a, b) => a - b);
  const median = times(sorted[Math.floor((sorted.length - 1) / 2)]).replace(" x", "");
  const where =
    name === "bare" || slower.length === 0 ? "" : ` (${slower.map(({ what }) => what).join("; ")})`;
  return (
    `- **Time compared with ${LABELS[name]}**: ${median} times as long (median of ${ratios.length} measurements); ` +
    `${slower.length === 0 ? "never more than 15 % slower" : `more than 15 % slower in ${slower.length}${where}`}.`
  );
}

function ratioTo({ what, unit, outcomes }: Row, name: string): { what: string; ratio: number }[] {
  const ours = outcomes["mci-ts"];
  if (!isMeasured(ours) || unit === "count" || unit === "bytes") return [];
  const ratio = multiple(ours, outcomes[name], unit);
  return ratio === undefined ? [] : [{ what, ratio }];
}

function serving({ arrives }: Results): string {
  if (arrives.length === 0) return "";
  const counts = arrives.map(
    ([server, checks]) => `${server} ${checks.filter(({ right }) => right).length} of ${checks.length}`,
  );
  return `- **Serving over MCP**: results that arrive correctly at the client: ${counts.join(", ")}.`;
}

function size({ costs }: Results): string {
  const sizes = costs.map(
    ({ name, packages, bytes }) => `${name} ${quantity(bytes, "bytes")} in ${packages}`,
  );
  return sizes.length === 0 ? "" : `- **Installed size and packages**: ${sizes.join(", ")}.`;
}
