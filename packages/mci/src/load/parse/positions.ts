import type { JsonPath } from "../../template-api.ts";

/** Offsets to lines and columns. */
export function positionsOf(text: string): (offset: number) => Position {
  const starts = [0];
  for (const { index } of text.matchAll(/\n|\r(?!\n)/g)) starts.push(index + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - starts[low]! + 1 };
  };
}

/** 1-based, columns in UTF-16 units as editors count them. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Where a place of a document lies in its file: the value's beginning, its key, or an offset inside a string. A place
 * that is not there gives its nearest ancestor. Undefined where positions cannot be known.
 */
export type Locate = (
  place: JsonPath,
  options?: { offset?: number; atKey?: boolean },
) => Position | undefined;
