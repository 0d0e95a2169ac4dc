import { type Figures, isMeasured, type Outcome, type Row, ratio } from "../speed/rounds.ts";

/** Markdown. Numbers are aligned to the right, words to the left. */
export function table(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  of: "numbers" | "words" = "numbers",
): string {
  const rule = columns.map((_, index) => (index === 0 || of === "words" ? "---" : "---:"));
  return [columns, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The median and, smaller, the lowest and the highest round. */
export function figure(outcome: Outcome | undefined, unit: Row["unit"]): string {
  if (outcome === undefined) return "–";
  if (!isMeasured(outcome)) return outcome.error === "not supported" ? "–" : `failed: ${outcome.error}`;
  const { median, low, high } = outcome;
  if (unit === "count") return String(median);
  const spread = `${quantity(low, unit)} – ${quantity(high, unit)}`;
  return `${quantity(median, unit)}<br><sub>${spread}</sub>`;
}

/** Ours as a multiple of the other's. Of rates the other way round, so that more than 1 always means slower. */
export function multiple(ours: Figures, other: Outcome | undefined, unit: Row["unit"]): number | undefined {
  if (!isMeasured(other)) return undefined;
  return unit === "per second" ? ratio(other, ours) : ratio(ours, other);
}

export function times(value: number | undefined): string {
  if (value === undefined) return "";
  // Through a number again: of large values toPrecision makes 1.2e+4.
  return `${value < 100 ? value.toPrecision(2) : Number(value.toPrecision(3))} x`;
}

export function quantity(value: number, unit: Row["unit"]): string {
  if (unit === "bytes") return `${(value / 2 ** 20).toFixed(value < 10 * 2 ** 20 ? 1 : 0)} MiB`;
  if (unit === "per second") return `${Math.round(value).toLocaleString("en")}/s`;
  if (unit === "count") return String(value);
  if (value >= 1e6) return `${(value / 1e6).toFixed(2)} s`;
  if (value >= 1000) return `${(value / 1000).toFixed(value < 100_000 ? 1 : 0)} ms`;
  return `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} µs`;
}
