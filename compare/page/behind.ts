import { readFileSync } from "node:fs";
import { isMeasured, type Row } from "../speed/rounds.ts";
import { multiple, times } from "./format.ts";

/** Why a row is behind, or what was done about it. */
interface Note {
  /** What it was before it was made faster. Default: nothing was. */
  readonly before?: string;
  readonly why: string;
}

export interface Behind {
  readonly row: Row;
  /** What it is behind, in words; empty if it no longer is. */
  readonly of: string;
  readonly note?: Note;
}

/** More than this from the bare operation asks for a reason. */
const FROM_BARE = 1.3;
/** Less than this behind a peer is noise. */
const FROM_PEER = 1.1;

/** Every row where ours is far from the bare operation or behind a peer, and those that were made faster. */
export function findBehind(rows: readonly Row[]): Behind[] {
  const notes: Readonly<Record<string, Note>> = JSON.parse(
    readFileSync(new URL("notes.json", import.meta.url), "utf8"),
  );
  return rows.flatMap((row) => {
    const ours = row.outcomes["mci-ts"];
    if (!isMeasured(ours)) return [];
    const of = Object.entries(row.outcomes).flatMap(([name, outcome]) => {
      const value = name === "mci-ts" ? undefined : multiple(ours, outcome, row.unit);
      const most = name === "bare" ? FROM_BARE : FROM_PEER;
      return value !== undefined && value > most ? [`${times(value)} ${name}`] : [];
    });
    const note = notes[row.id];
    return of.length === 0 && note?.before === undefined ? [] : [{ row, of: of.join(", "), note }];
  });
}
