/** A piece of a text: in both, only in the first, or only in the second. */
export interface DiffPart {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** Beyond so many differing words the rest is shown as replaced: a comparison must not freeze the page. */
const MAX_EDITS = 1500;

/** The shortest way from one text to another, word by word (Myers' algorithm). */
export function diffWords(before: string, after: string): DiffPart[] {
  return joined(diff(words(before), words(after)));
}

/** The same, line by line: for JSON. */
export function diffLines(before: string, after: string): DiffPart[] {
  return joined(diff(lines(before), lines(after)));
}

const words = (text: string) => text.match(/\s+|[^\s]+/gu) ?? [];
const lines = (text: string) => text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];

function diff(a: readonly string[], b: readonly string[]): DiffPart[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const middle = myers(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return [...part("same", a.slice(0, start)), ...middle, ...part("same", a.slice(a.length - end))];
}

function myers(a: readonly string[], b: readonly string[]): DiffPart[] {
  const limit = Math.min(MAX_EDITS, a.length + b.length);
  const trace: Map<number, number>[] = [];
  let furthest = new Map<number, number>([[1, 0]]);
  for (let edits = 0; edits <= limit; edits++) {
    trace.push(new Map(furthest));
    const next = new Map(furthest);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const isDown =
        diagonal === -edits ||
        (diagonal !== edits && (next.get(diagonal - 1) ?? -1) < (next.get(diagonal + 1) ?? -1));
      let x = isDown ? (next.get(diagonal + 1) ?? 0) : (next.get(diagonal - 1) ?? 0) + 1;
      let y = x - diagonal;
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x++;
        y++;
      }
      next.set(diagonal, x);
      if (x >= a.length && y >= b.length) return walkBack(a, b, trace);
    }
    furthest = next;
  }
  return [...part("removed", a), ...part("added", b)];
}

function walkBack(
  a: readonly string[],
  b: readonly string[],
  trace: readonly Map<number, number>[],
): DiffPart[] {
  const parts: DiffPart[] = [];
  let x = a.length;
  let y = b.length;
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const furthest = trace[edits]!;
    const diagonal = x - y;
    const isDown =
      diagonal === -edits ||
      (diagonal !== edits && (furthest.get(diagonal - 1) ?? -1) < (furthest.get(diagonal + 1) ?? -1));
    const before = isDown ? diagonal + 1 : diagonal - 1;
    const fromX = furthest.get(before) ?? 0;
    const fromY = fromX - before;
    while (x > fromX && y > fromY) {
      parts.push({ kind: "same", text: a[--x]! });
      y--;
    }
    if (edits > 0) parts.push(isDown ? { kind: "added", text: b[--y]! } : { kind: "removed", text: a[--x]! });
  }
  return parts.toReversed();
}

const part = (kind: DiffPart["kind"], pieces: readonly string[]): DiffPart[] =>
  pieces.length === 0 ? [] : [{ kind, text: pieces.join("") }];

/** Neighbours of one kind as one piece. */
function joined(parts: readonly DiffPart[]): DiffPart[] {
  const result: DiffPart[] = [];
  for (const each of parts) {
    const last = result.at(-1);
    if (last?.kind === each.kind)
      result[result.length - 1] = { kind: each.kind, text: last.text + each.text };
    else result.push(each);
  }
  return result;
}
