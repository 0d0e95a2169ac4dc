import type { Question } from "../questions/questions.ts";
import { dollars } from "../run/estimate.ts";
import type { Result } from "../run/results-file.ts";
import type { Summary } from "../statistics/summary.ts";
import type { Theory } from "../statistics/theory.ts";
import { barPlot, escapeHtml, reliabilityDiagram, sharePlot } from "./plots.ts";
import {
  describeDependence,
  describeJudge,
  describeP,
  type Figures,
  HEADINGS,
  percent,
  rowOf,
  THEORY_HEADINGS,
  tablesOf,
  theoryRows,
} from "./table.ts";

export interface ReportData extends Figures {
  readonly questions: readonly Question[];
  readonly results: readonly Result[];
  readonly simulated: boolean;
}

/** One file without scripts or anything from elsewhere; light or dark, as the reader's system is. */
export function html(data: ReportData): string {
  const { questions, summaries, judges, simulated } = data;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Council evaluation</title>
<style>${STYLE}</style></head><body>
<h1>Council evaluation</h1>
${simulated ? '<p class="note">Simulated model: these figures say nothing about a real one.</p>' : ""}
<p>${questions.length} questions. A failed run and an undecided vote count as wrong.</p>
${summaries.length === 0 ? "" : table(HEADINGS, summaries.map(rowOf))}
${judges.map((one) => `<p>${escapeHtml(describeJudge(one))}</p>`).join("")}
${summaries.length === 0 ? tableSections(data) : methodSections(data)}
</body></html>
`;
}

const tableSections = (data: Figures) =>
  tablesOf(data)
    .map(
      ({ title, about, headings, rows }) =>
        `<h2>${escapeHtml(title)}</h2><p>${escapeHtml(about)}</p>\n${table(headings, rows)}`,
    )
    .join("\n");

function methodSections(data: ReportData): string {
  const { questions, summaries, theory, dependence, results } = data;
  const row = (value: number, text: string, range?: readonly [number, number]) => (one: Summary) => ({
    label: `${one.method}, ${one.model}`,
    value,
    text,
    ...(range ? { range } : {}),
  });
  const priced = summaries.filter(({ cost_usd }) => cost_usd !== null);
  return `<h2>Accuracy</h2><p>The share of questions answered right, with its 95 % interval. Intervals that overlap widely say that there are too few questions to tell.</p>
${sharePlot(
  "Accuracy with 95 % intervals",
  summaries.map((one) => row(one.accuracy, percent(one.accuracy), one.interval)(one)),
)}
${tableSections(data)}
<h2>Calls</h2><p>Model calls for one question.</p>
${barPlot(
  "Calls per question",
  summaries.map((one) => row(one.calls, one.calls.toFixed(2))(one)),
  (value) => String(value),
)}
<h2>Cost</h2>${
    priced.length === 0
      ? "<p>Unknown: the models have no price. MCI_PRICES adds one.</p>"
      : `<p>US dollars for all questions.</p>${barPlot(
          "Cost of all questions",
          priced.map((one) => row(one.cost_usd!, dollars(one.cost_usd!))(one)),
          dollars,
        )}`
  }
<h2>Time</h2><p>Seconds for one question: the median, and the line up to the 95th percentile.</p>
${barPlot(
  "Seconds per question",
  summaries.map((one) =>
    row(one.median_seconds, `${one.median_seconds.toFixed(2)} s`, [one.median_seconds, one.p95_seconds])(one),
  ),
  (value) => `${value} s`,
)}
<h2>Calibration</h2><p>Across: the stated confidence, or the agreement of the votes where none is measured. Up: the share that was right, in percent. On the line, what is said with 80 % confidence is right in 80 % of the cases.</p>
<div class="figures">${summaries
    .filter(({ calibration }) => calibration.length > 0)
    .map(reliabilityDiagram)
    .join("")}</div>
${theory.length === 0 ? "" : theorySection(theory)}
${dependence.map((one) => `<p>${escapeHtml(describeDependence(one))}</p>`).join("\n")}
<h2>Disagreements</h2>
${disagreements(questions, results)}`;
}

function theorySection(theory: readonly Theory[]): string {
  return `<h2>Theory</h2><p>${theory.map((one) => escapeHtml(describeP(one))).join("<br>")}</p>
<p>A vote that the first answer to lead by k wins is wrong with the chance 1 - 1 / (1 + r<sup>k</sup>), r = (1 - p) / p, if every question is equally hard. Where the measured share is clearly higher, some questions are hard for the model: more votes do not help there.</p>
${table(THEORY_HEADINGS, theoryRows(theory))}`;
}

const table = (headings: readonly string[], rows: readonly (readonly string[])[]) =>
  `<div class="scroll"><table><thead><tr>${headings.map((one) => `<th>${escapeHtml(one)}</th>`).join("")}</tr></thead><tbody>${rows
    .map((cells) => `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join("")}</tr>`)
    .join("")}</tbody></table></div>`;

const STYLE = `:root{color-scheme:light dark;--text:#1c1e21;--quiet:#5c6370;--back:#fff;--line:#d9dce1;--mark:#2563eb;--good:#15803d;--bad:#b42318;--soft:#f4f5f7}
@media (prefers-color-scheme:dark){:root{--text:#e6e8eb;--quiet:#9aa2ad;--back:#15171a;--line:#33373d;--mark:#6ea8fe;--good:#5bc27e;--bad:#f28b82;--soft:#1d2024}}
body{font:15px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;color:var(--text);background:var(--back)}
h1{font-size:1.6rem}h2{font-size:1.15rem;margin:2.2rem 0 .4rem}p{margin:.3rem 0 .8rem;color:var(--quiet)}
.note{color:var(--bad)}.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.9rem}
td,th{text-align:left;padding:.35rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}th{color:var(--quiet);font-weight:600;white-space:nowrap}
td{overflow-wrap:anywhere}.scroll td{white-space:nowrap;font-variant-numeric:tabular-nums}svg{display:block;width:100%;max-width:720px;font-size:13px}svg text{fill:var(--text)}svg .tick{fill:var(--quiet);font-size:11px}
.grid{stroke:var(--line)}.frame{fill:none;stroke:var(--line)}.mark{fill:var(--mark)}.dot{fill-opacity:.75}.range{stroke:var(--text);stroke-width:1.5;fill:none}
.figures{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0;width:200px}figcaption{font-size:.85rem;overflow-wrap:anywhere}
details{border:1px solid var(--line);border-radius:6px;margin:.5rem 0;padding:.4rem .8rem}details[open]{background:var(--soft)}summary{cursor:pointer;overflow-wrap:anywhere}
.right{color:var(--good)}.wrong{color:var(--bad)}`;

/** Thousands of them are too many for a page; results.jsonl has all. */
const MAX_SHOWN = 200;
const MAX_CHARACTERS = 400;

/** Questions that were answered differently, wrongly or with divided votes, each with every answer and its votes. */
function disagreements(questions: readonly Question[], results: readonly Result[]): string {
  const byQuestion = Map.groupBy(results, ({ question }) => question);
  const disputed = questions.flatMap((question) => {
    const all = byQuestion.get(question.id) ?? [];
    return all.some(isDisputed) ? [{ question, all }] : [];
  });
  const more =
    disputed.length > MAX_SHOWN ? ` The first ${MAX_SHOWN} are shown; results.jsonl has the others.` : "";
  return `<p>${disputed.length} of ${questions.length} questions were answered wrongly at least once, or with divided votes.${more}</p>
${disputed.slice(0, MAX_SHOWN).map(block).join("\n")}`;
}

const isDisputed = ({ correct, votes }: Result) => !correct || Object.keys(votes).length > 1;

function block({ question, all }: { readonly question: Question; readonly all: readonly Result[] }): string {
  const wrong = all.filter(({ correct }) => !correct).length;
  const head = `${question.id}: ${question.prompt}`;
  return `<details><summary>${show(head)} <span class="${wrong > 0 ? "wrong" : "right"}">${wrong} of ${all.length} wrong</span></summary>
<p>Expected: ${show(expected(question))}</p>
<table><thead><tr><th>Method</th><th>Model</th><th>Answer</th><th></th><th>Votes</th></tr></thead><tbody>${all.map(row).join("")}</tbody></table></details>`;
}

function row({ method, model, answer, correct, votes, error }: Result): string {
  const tally = Object.entries(votes)
    .toSorted(([, a], [, b]) => b - a)
    .map(([text, count]) => `${show(text)}: ${count}`)
    .join("<br>");
  const reply = error ?? (typeof answer === "string" ? answer : JSON.stringify(answer));
  return `<tr><td>${show(method)}</td><td>${show(model)}</td><td>${show(reply)}</td><td class="${correct ? "right" : "wrong"}">${correct ? "right" : "wrong"}</td><td>${tally}</td></tr>`;
}

function expected({ answer, accept = [], rubric, schema }: Question): string {
  const accepted = [...(answer === undefined ? [] : [answer]), ...accept];
  if (accepted.length > 0)
    return accepted.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join(" or ");
  return rubric ?? `an object of the schema ${JSON.stringify(schema)}`;
}

const show = (text: string) =>
  escapeHtml(text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text);
