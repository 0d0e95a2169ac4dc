import type { Problem } from "../errors.ts";
import type { Place } from "../template-api.ts";
import { formatPlace } from "./problems.ts";

/** Something wrong at a place of a document, before anyone knows which line that is. */
export interface Finding {
  readonly place: Place;
  readonly message: string;
  readonly hint?: string;
  readonly severity: "error" | "warning";
  /** Offset in the string at `place`, for something wrong inside a template. */
  readonly offset?: number;
  /** Another place it is about; the message then names that, too. */
  readonly also?: Place;
  /** It is about the key, not about its value. Default false. */
  readonly atKey?: boolean;
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
export type Locate = (place: Place, options?: { offset?: number; atKey?: boolean }) => Position | undefined;

/** Gives findings their lines and columns. */
export async function locateFindings(
  parsed: { readonly file?: string; locator(): Promise<Locate> },
  findings: readonly Finding[],
): Promise<Problem[]> {
  if (findings.length === 0) return [];
  const locate = await parsed.locator();
  return findings.map(({ place, message, also, hint, severity, offset, atKey }): Problem => {
    const position = locate(place, { offset, atKey });
    return {
      message:
        also === undefined ? message : `${message}: ${formatPlace(also)}${onLine(locate(also))} has it too`,
      ...(parsed.file === undefined ? {} : { file: parsed.file }),
      ...position,
      ...(place.length === 0 ? {} : { path: formatPlace(place) }),
      ...(hint === undefined ? {} : { hint }),
      severity,
    };
  });
}

const onLine = (position: Position | undefined) =>
  position === undefined ? "" : ` on line ${position.line}`;

/** Problems as a reader of the file comes to them. */
export function inFileOrder(problems: readonly Problem[]): Problem[] {
  return problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}

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
