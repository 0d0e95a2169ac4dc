import type { Result } from "./evaluate.ts";
import type { Summary } from "./summary.ts";

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const cost = (usd: number | null) => (usd === null ? "unknown" : `$${usd.toFixed(4)}`);
const HEADINGS = [
  "Method",
  "Model",
  "Questions",
  "Accuracy",
  "95 % interval",
  "Calls",
  "Cost",
  "Median time",
];

const row = (one: Summary): readonly string[] => [
  one.method,
  one.model,
  String(one.questions),
  percent(one.accuracy),
  one.interval.map(percent).join(" to "),
  one.calls.toFixed(1),
  cost(one.cost_usd),
  `${one.median_seconds.toFixed(2)} s`,
];

export function table(summaries: readonly Summary[]): string {
  const rows = [HEADINGS, ...summaries.map(row)];
  const widths = HEADINGS.map((_, i) => Math.max(...rows.map((cells) => cells[i]!.length)));
  return `${rows
    .map((cells) =>
      cells
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n")}\n`;
}

/** One file without scripts or anything from elsewhere. */
export function html(summaries: readonly Summary[], results: readonly Result[]): string {
  const wrong = results.filter(({ correct, votes }) => !correct || Object.keys(votes).length > 1);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Council evaluation</title>
<style>body{font:15px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #ccc;vertical-align:top;overflow-wrap:anywhere}svg{display:block;margin:1rem 0}</style>
<h1>Council evaluation</h1>
${tableOf(HEADINGS, summaries.map(row))}
<h2>Accuracy with 95 % intervals</h2>${accuracyPlot(summaries)}
<h2>Calibration</h2><p>On the line, what is said with 80 % confidence is right in 80 % of the cases.</p>
${summaries.map((one) => `<h3>${escapeHtml(`${one.method}, ${one.model}`)}</h3>${calibrationPlot(one)}`).join("\n")}
<h2>Wrong or disputed answers</h2>
${tableOf(
  ["Question", "Method", "Model", "Answer", "Correct", "Votes"],
  wrong.map((one) => [
    one.question,
    one.method,
    one.model,
    one.error ?? (typeof one.answer === "string" ? one.answer : JSON.stringify(one.answer)),
    one.correct ? "yes" : "no",
    Object.entries(one.votes)
      .map(([answer, votes]) => `${answer}: ${votes}`)
      .join("; "),
  ]),
)}
</html>
`;
}

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

const tableOf = (headings: readonly string[], rows: readonly (readonly string[])[]) =>
  `<table><tr>${headings.map((one) => `<th>${one}</th>`).join("")}</tr>${rows
    .map((cells) => `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join("")}</tr>`)
    .join("")}</table>`;

function accuracyPlot(summaries: readonly Summary[]): string {
  const x = (share: number) => 200 + 400 * share;
  const lines = summaries.map(({ method, model, accuracy, interval: [low, high] }, i) => {
    const y = 20 + 26 * i;
    return `<text x="0" y="${y + 5}">${escapeHtml(`${method}, ${model}`.slice(0, 28))}</text><line x1="${x(low)}" x2="${x(high)}" y1="${y}" y2="${y}" stroke="#555"/><circle cx="${x(accuracy)}" cy="${y}" r="5" fill="#06c"/>`;
  });
  const height = 30 + 26 * summaries.length;
  const axis = [0, 0.5, 1]
    .map((at) => `<text x="${x(at) - 10}" y="${height + 10}">${100 * at} %</text>`)
    .join("");
  return `<svg width="640" height="${height + 20}" font-size="13" role="img" aria-label="Accuracy by method">${lines.join("")}${axis}</svg>`;
}

function calibrationPlot({ calibration }: Summary): string {
  const at = (share: number) => 200 * share;
  const dots = calibration.map(
    ({ confidence, accuracy, count }) =>
      `<circle cx="${at(confidence)}" cy="${200 - at(accuracy)}" r="${3 + Math.sqrt(count)}" fill="#06c8"><title>${count} answers: confidence ${percent(confidence)}, right ${percent(accuracy)}</title></circle>`,
  );
  return `<svg width="200" height="200" role="img" aria-label="Reliability diagram" style="overflow:visible;border:1px solid #ccc"><line x1="0" y1="200" x2="200" y2="0" stroke="#999"/>${dots.join("")}</svg>`;
}
