import { readFileSync, writeFileSync } from "node:fs";
import { MEASURES } from "./measures.ts";

const file = new URL("committed.json", import.meta.url);

/** A change that costs more than this says so: it commits the new numbers and gives the reason. */
export const TOLERANCE = 0.15;

/**
 * Compares what creeps with the committed numbers; true if nothing has grown beyond the tolerance.
 *
 *   npm run bench -- guard            all of it, on a machine that does nothing else
 *   npm run bench -- guard --quick    sizes and counts only, as in CI
 *   npm run bench -- guard --write    also replaces the committed numbers
 */
export async function guard(args: readonly string[]): Promise<boolean> {
  const committed: Record<string, number> = JSON.parse(readFileSync(file, "utf8"));
  const chosen = Object.entries(MEASURES).filter(([, { quick }]) => quick || !args.includes("--quick"));
  const measured: Record<string, number> = {};
  console.log("| what | committed | now | change |\n|---|---:|---:|---|");
  for (const [name, { what, measure }] of chosen) {
    const now = Number((await measure()).toPrecision(3));
    measured[name] = now;
    console.log(`| ${what} | ${committed[name] ?? "none"} | ${now} | ${verdict(committed[name], now)} |`);
  }
  if (args.includes("--write"))
    writeFileSync(file, `${JSON.stringify({ ...committed, ...measured }, null, 2)}\n`);
  const grown = chosen.filter(([name]) => hasGrown(committed[name], measured[name]!)).map(([name]) => name);
  if (grown.length > 0)
    console.error(
      `\nGrown by more than ${TOLERANCE * 100} %: ${grown.join(", ")}. Find out why; where it is worth it, commit the result of ` +
        "'npm run bench -- guard --write' and say why in the message.",
    );
  return grown.length === 0;
}

/** Also where there is nothing to compare with: a new measure needs its number. */
export function hasGrown(before: number | undefined, now: number): boolean {
  return before === undefined || now / before > 1 + TOLERANCE;
}

function verdict(before: number | undefined, now: number): string {
  if (before === undefined) return "**new**";
  const change = `${now >= before ? "+" : ""}${((now / before - 1) * 100).toFixed(1)} %`;
  return hasGrown(before, now) ? `**${change}**` : change;
}
