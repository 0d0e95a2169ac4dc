import type { Summary } from "../statistics/summary.ts";
import { percent } from "./table.ts";

/** One line of a plot: a point or a bar, and how far it may be off. */
export interface PlotRow {
  readonly label: string;
  readonly value: number;
  readonly text: string;
  readonly range?: readonly [number, number];
}

export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

const WIDTH = 720;
const LEFT = 210;
const RIGHT = 560;
const ROW = 26;

/** Shares between 0 and 1 as points with their intervals. */
export function sharePlot(title: string, rows: readonly PlotRow[]): string {
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((at) => ({ at, text: `${100 * at} %` }));
  return plot(
    title,
    rows,
    1,
    ticks,
    (y, x, { value }) => `<circle class="mark" cx="${x(value)}" cy="${y}" r="5"/>`,
  );
}

/** Amounts as bars that begin at zero. */
export function barPlot(title: string, rows: readonly PlotRow[], unit: (value: number) => string): string {
  const highest = Math.max(...rows.map(({ value, range }) => Math.max(value, range?.[1] ?? 0)), 0);
  const top = roundUp(highest);
  const ticks = [0, 0.5, 1].map((share) => ({ at: top * share, text: unit(top * share) }));
  return plot(
    title,
    rows,
    top,
    ticks,
    (y, x, { value }) =>
      `<rect class="mark" x="${x(0)}" y="${y - 7}" width="${Math.max(1, x(value) - x(0))}" height="14" rx="2"/>`,
  );
}

type Scale = (value: number) => number;

function plot(
  title: string,
  rows: readonly PlotRow[],
  top: number,
  ticks: readonly { readonly at: number; readonly text: string }[],
  mark: (y: number, x: Scale, row: PlotRow) => string,
): string {
  const x: Scale = (value) => round(LEFT + ((RIGHT - LEFT) * value) / top);
  const height = 16 + ROW * rows.length;
  const grid = ticks.map(
    ({ at, text }) =>
      `<line class="grid" x1="${x(at)}" x2="${x(at)}" y1="6" y2="${height}"/><text class="tick" x="${x(at)}" y="${height + 16}" text-anchor="middle">${escapeHtml(text)}</text>`,
  );
  const lines = rows.map((row, i) => {
    const y = 20 + ROW * i;
    const [low, high] = row.range ?? [];
    const whisker =
      low === undefined || high === undefined
        ? ""
        : `<path class="range" d="M${x(low)} ${y}H${x(high)}M${x(low)} ${y - 4}v8M${x(high)} ${y - 4}v8"/>`;
    return `<g><title>${escapeHtml(`${row.label}: ${row.text}`)}</title><text x="${LEFT - 12}" y="${y + 4}" text-anchor="end">${escapeHtml(shorten(row.label))}</text>${mark(y, x, row)}${whisker}<text class="value" x="${RIGHT + 14}" y="${y + 4}">${escapeHtml(row.text)}</text></g>`;
  });
  return `<svg viewBox="0 0 ${WIDTH} ${height + 24}" role="img" aria-label="${escapeHtml(title)}">${grid.join("")}${lines.join("")}</svg>`;
}

const SIDE = 150;
const MARGIN = 34;

/** Stated confidence against the share that was right: on the line, confidence is deserved. */
export function reliabilityDiagram({ method, model, calibration }: Summary): string {
  const x = (share: number) => round(MARGIN + SIDE * share);
  const y = (share: number) => round(8 + SIDE * (1 - share));
  const total = calibration.reduce((sum, { count }) => sum + count, 0);
  const dots = calibration.map(
    ({ confidence, accuracy, count }) =>
      `<circle class="mark dot" cx="${x(confidence)}" cy="${y(accuracy)}" r="${round(3 + 7 * Math.sqrt(count / total))}"><title>${count} answers: confidence ${percent(confidence)}, right ${percent(accuracy)}</title></circle>`,
  );
  const ticks = [0, 0.5, 1].map(
    (at) =>
      `<text class="tick" x="${x(at)}" y="${SIDE + 24}" text-anchor="middle">${100 * at} %</text><text class="tick" x="${MARGIN - 6}" y="${y(at) + 4}" text-anchor="end">${100 * at}</text>`,
  );
  const label = `${method}, ${model}`;
  return `<figure><figcaption>${escapeHtml(label)}</figcaption><svg viewBox="0 0 ${SIDE + MARGIN + 16} ${SIDE + 32}" role="img" aria-label="${escapeHtml(`Reliability diagram of ${label}`)}"><rect class="frame" x="${MARGIN}" y="8" width="${SIDE}" height="${SIDE}"/><line class="grid" x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}"/>${ticks.join("")}${dots.join("")}</svg></figure>`;
}

const round = (value: number) => Math.round(value * 10) / 10;
const shorten = (text: string) => (text.length > 30 ? `${text.slice(0, 29)}…` : text);

/** 1, 2 or 5 times a power of ten, not below the value. */
function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * (([1, 2, 5, 10] as const).find((one) => one * power >= value) ?? 10);
}
