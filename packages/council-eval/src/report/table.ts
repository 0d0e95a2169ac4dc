import { wilson } from "@mci-ts/primitives/wilson";
import type { JudgeReport, Share } from "../judging/judge.ts";
import { dollars } from "../run/estimate.ts";
import type { Comparison } from "../statistics/comparisons.ts";
import type { VoteDependence } from "../statistics/dependence.ts";
import type { Summary } from "../statistics/summary.ts";
import type { Theory } from "../statistics/theory.ts";

export const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

const COLUMNS: readonly (readonly [string, (one: Summary) => string])[] = [
  ["Method", ({ method }) => method],
  ["Model", ({ model }) => model],
  [
    "Questions",
    ({ questions, runs, failed }) =>
      `${questions}${runs > 1 ? ` x ${runs}` : ""}${failed === 0 ? "" : ` (${failed} failed)`}`,
  ],
  ["Accuracy", ({ accuracy }) => percent(accuracy)],
  ["95 % interval", ({ interval }) => interval.map(percent).join(" to ")],
  ["Calls", ({ calls }) => calls.toFixed(2)],
  ["For grading", ({ grading_calls }) => (grading_calls === 0 ? "" : grading_calls.toFixed(2))],
  ["Cost", ({ cost_usd }) => (cost_usd === null ? "unknown" : dollars(cost_usd))],
  ["Per right answer", perRight],
  ["Calibration error", calibrationErrorCell],
  ["Median time", ({ median_seconds }) => `${median_seconds.toFixed(2)} s`],
  ["p95", ({ p95_seconds }) => `${p95_seconds.toFixed(2)} s`],
];

export const HEADINGS = COLUMNS.map(([heading]) => heading);
export const rowOf = (one: Summary): readonly string[] => COLUMNS.map(([, cell]) => cell(one));

export const THEORY_HEADINGS = ["Model", "k", "Wrong, measured", "Wrong, by theory"];
export const theoryRows = (theory: readonly Theory[]): readonly (readonly string[])[] =>
  theory.flatMap(({ model, errors }) =>
    errors.map(({ k, measured, theory }) => [model, String(k), percent(measured), percent(theory)]),
  );

export const describeP = ({ model, p, interval, votes }: Theory): string =>
  `${model}: one vote is right with p = ${p.toFixed(3)} (95 % interval ${interval.map((one) => one.toFixed(3)).join(" to ")}, ${votes} votes)`;

export const describeDependence = ({ model, strategy, ...one }: VoteDependence): string =>
  `${model}, ${strategy}: two votes on one question depend on each other by ${one.dependence.toFixed(2)} (0: not at all, 1: the second repeats the first), so three are worth ${one.three_votes_are_worth.toFixed(1)} (${one.questions} questions).${one.advice === null ? "" : ` ${one.advice}`}`;

function perRight({ per_right: { calls, cost_usd, seconds } }: Summary): string {
  if (calls === null || seconds === null) return "none right";
  const cost = cost_usd === null ? "" : `, ${dollars(cost_usd)}`;
  return `${calls.toFixed(1)} calls, ${seconds.toFixed(1)} s${cost}`;
}

function calibrationErrorCell({ calibration_error: error }: Summary): string {
  if (error === null) return "";
  const range = error.interval.map((one) => one.toFixed(3)).join(" to ");
  return `${error.value.toFixed(3)} (${range}${error.of === "agreement" ? ", of the agreement" : ""})`;
}

const COMPARISON_HEADINGS = [
  "Compared",
  "Model",
  "Difference",
  "95 % interval",
  "Only it right",
  "Only the other",
  "p",
  "p, adjusted",
  "Test",
];
const comparisonRow = (one: Comparison): readonly string[] => [
  `${one.method} with ${one.baseline}`,
  one.model,
  points(one.difference),
  one.interval.map(points).join(" to "),
  String(one.only_method),
  String(one.only_baseline),
  one.p.toFixed(3),
  one.p_adjusted.toFixed(3),
  one.test,
];
const points = (share: number) => `${share > 0 ? "+" : ""}${(100 * share).toFixed(1)}`;

/** pass^1, pass^2, … of every method, where questions were asked repeatedly. */
const passHeadings = (summaries: readonly Summary[]) => [
  "Method",
  "Model",
  ...(summaries[0]?.pass_all ?? []).map((_, i) => `pass^${i + 1}`),
];
const passRow = ({ method, model, pass_all }: Summary): readonly string[] => [
  method,
  model,
  ...pass_all.map(percent),
];

const VERDICT_HEADINGS = ["Method", "Model", "What the run said", "Right", "Of"];
const verdictRows = ({ method, model, verdicts }: Summary): readonly (readonly string[])[] =>
  verdicts.map(({ verdict, right, count }) => [
    method,
    model,
    verdict,
    percent(right / count),
    String(count),
  ]);

const FAILURE_HEADINGS = ["Method", "Model", "Runs", "Reason"];
const MAX_REASONS = 5;
const MAX_REASON_CHARS = 200;
function failureRows({ method, model, failures }: Summary): readonly (readonly string[])[] {
  const listed = failures.slice(0, MAX_REASONS);
  const others = failures.slice(MAX_REASONS);
  const left = others.reduce((sum, { count }) => sum + count, 0);
  return [
    ...listed.map(({ reason, count }) => [method, model, String(count), oneLine(reason)]),
    ...(left > 0 ? [[method, model, String(left), `${others.length} other reasons, in results.jsonl`]] : []),
  ];
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > MAX_REASON_CHARS ? `${line.slice(0, MAX_REASON_CHARS - 1)}…` : line;
}

/** A column for each kind of question. */
const kindHeadings = (summaries: readonly Summary[]) => [
  "Method",
  "Model",
  ...new Set(summaries.flatMap(({ kinds }) => kinds.map(({ kind }) => kind))),
];
const kindRow =
  (headings: readonly string[]) =>
  ({ method, model, kinds }: Summary): readonly string[] => [
    method,
    model,
    ...headings.slice(2).map((kind) => {
      const own = kinds.find((one) => one.kind === kind);
      return own === undefined ? "" : `${own.right}/${own.count}`;
    }),
  ];

const ATTACK_HEADINGS = ["Model", "Attack on the judge", "Succeeded", "95 % interval"];
const attackRows = ({ model, attacks = [] }: JudgeReport): readonly (readonly string[])[] =>
  attacks.map(({ attack, succeeded: { count, of } }) => [
    model,
    attack,
    `${count} of ${of}`,
    of === 0 ? "" : wilson(count, of).map(percent).join(" to "),
  ]);

export function describeJudge(one: JudgeReport): string {
  const part = ({ count, of }: Share) => `${count} of ${of}`;
  const missing = one.failed === 0 ? "" : ` ${one.failed} without a verdict are left out.`;
  return `The judge ${one.model} agrees with people on ${percent(one.agreement)} of ${one.labels - one.failed} answers (95 % interval ${one.interval.map(percent).join(" to ")}, Cohen's kappa ${one.kappa.toFixed(2)}): it let ${part(one.false_accepts)} wrong answers pass and refused ${part(one.false_rejects)} right ones.${missing}${one.kappa < MIN_KAPPA ? " That is hardly better than chance: accuracies that it graded say nothing." : ""}`;
}

/** Below it, agreement is called slight (Landis and Koch). */
const MIN_KAPPA = 0.2;

export interface Figures {
  readonly summaries: readonly Summary[];
  readonly comparisons: readonly Comparison[];
  readonly theory: readonly Theory[];
  readonly dependence: readonly VoteDependence[];
  readonly judges: readonly JudgeReport[];
}

/** A table, its headings first, and what it shows; tables without rows are left out. */
export function tablesOf({ summaries, comparisons, judges }: Figures) {
  const kinds = kindHeadings(summaries);
  const repeated = summaries.some(({ runs }) => runs > 1);
  const tables = [
    {
      title: "Failures",
      about:
        "Why runs failed. They are asked again when the evaluation is started again with the same folder.",
      headings: FAILURE_HEADINGS,
      rows: summaries.flatMap(failureRows),
    },
    {
      title: "Differences",
      about:
        "Against the first method, on the same questions, in percentage points. p: the chance of such a difference if there were none (two-sided); adjusted by Holm for the number of comparisons.",
      headings: COMPARISON_HEADINGS,
      rows: comparisons.map(comparisonRow),
    },
    {
      title: "Repeats",
      about: "pass^n: the chance that n runs of a question are all right.",
      headings: passHeadings(summaries),
      rows: repeated ? summaries.map(passRow) : [],
    },
    {
      title: "Verdicts",
      about: "How often an answer was right, by what the run said about it.",
      headings: VERDICT_HEADINGS,
      rows: summaries.flatMap(verdictRows),
    },
    {
      title: "Kinds of questions",
      about: "Right answers of all, by kind.",
      headings: kinds,
      rows: kinds.length > 2 ? summaries.map(kindRow(kinds)) : [],
    },
    {
      title: "Attacks on the judge",
      about: "Each text was added to wrong answers that the judge had refused. Success: it let them pass.",
      headings: ATTACK_HEADINGS,
      rows: judges.flatMap(attackRows),
    },
  ];
  return tables.filter(({ rows }) => rows.length > 0);
}

/** For standard output. */
export function textReport(figures: Figures): string {
  const { summaries, theory, dependence, judges } = figures;
  const parts = summaries.length === 0 ? [] : [aligned([HEADINGS, ...summaries.map(rowOf)])];
  for (const { about, headings, rows } of tablesOf(figures))
    parts.push(`${about}\n`, aligned([headings, ...rows]));
  if (judges.length > 0) parts.push([...judges.map(describeJudge), ""].join("\n"));
  if (theory.length > 0)
    parts.push([...theory.map(describeP), ""].join("\n"), aligned([THEORY_HEADINGS, ...theoryRows(theory)]));
  if (dependence.length > 0) parts.push(`${dependence.map(describeDependence).join("\n")}\n`);
  return parts.join("\n");
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((cells) => cells[i]!.length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join("  ")
      .trimEnd();
  return `${rows.map(line).join("\n")}\n`;
}
