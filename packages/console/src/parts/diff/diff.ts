/** A piece of a text: in both, only in the first, or only in the second. */
export interface DiffPart {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** Differing pieces that are compared; the rest is shown as replaced: a comparison must not freeze the page. */
const MAX_EDITS = 1500;

/** Texts with a smaller share of words in common are shown one after the other: mixed, neither could be read. */
const MIN_COMMON = 0.3;

/** The shortest way from one text to another, word by word. Neighbours of one kind are one piece. */
export function diffWords(before: string, after: string): DiffPart[] {
  const [a, b] = [words(before), words(after)];
  const pieces = diff(a, b);
  const count = (texts: readonly string[]) => texts.filter((text) => text.trim() !== "").length;
  const common = count(pieces.flatMap(({ kind, text }) => (kind === "same" ? [text] : [])));
  const isReadable = common >= MIN_COMMON * Math.max(count(a), count(b));
  return joined(isReadable ? pieces : [...parts("removed", a), ...parts("added", b)]);
}

/** The same, line by line: each piece is one line, without its end. */
export function diffLines(before: string, after: string): DiffPart[] {
  return diff(before.split("\n"), after.split("\n"));
}

const words = (text: string) => text.match(/\s+|[^\s]+/gu) ?? [];

function diff(a: readonly string[], b: readonly string[]): DiffPart[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return [
    ...parts("same", a.slice(0, start)),
    ...shortest(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...parts("same", a.slice(a.length - end)),
  ];
}

/** Myers' algorithm: for each number of edits, how far each diagonal leads. */
function shortest(a: readonly string[], b: readonly string[]): DiffPart[] {
  const limit = Math.min(MAX_EDITS, a.length + b.length);
  const center = limit + 1;
  const furthest = new Int32Array(2 * limit + 3);
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= limit; edits++) {
    // Only these diagonals can be reached, and only they are looked at on the way back.
    trace.push(furthest.slice(center - edits - 1, center + edits + 2));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const at = center + diagonal;
      const isDown = diagonal === -edits || (diagonal !== edits && furthest[at - 1]! < furthest[at + 1]!);
      let x = isDown ? furthest[at + 1]! : furthest[at - 1]! + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++;
      furthest[at] = x;
      if (x >= a.length && x - diagonal >= b.length) return walkBack(a, b, trace);
    }
  }
  return [...parts("removed", a), ...parts("added", b)];
}

function walkBack(a: readonly string[], b: readonly string[], trace: readonly Int32Array[]): DiffPart[] {
  const found: DiffPart[] = [];
  let [x, y] = [a.length, b.length];
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const at = (diagonal: number) => trace[edits]![diagonal + edits + 1]!;
    const diagonal = x - y;
    const isDown = diagonal === -edits || (diagonal !== edits && at(diagonal - 1) < at(diagonal + 1));
    const before = isDown ? diagonal + 1 : diagonal - 1;
    const fromX = edits === 0 ? 0 : at(before);
    const fromY = edits === 0 ? 0 : fromX - before;
    while (x > fromX && y > fromY) {
      found.push({ kind: "same", text: a[--x]! });
      y--;
    }
    if (edits > 0) found.push(isDown ? { kind: "added", text: b[--y]! } : { kind: "removed", text: a[--x]! });
  }
  return found.toReversed();
}

const parts = (kind: DiffPart["kind"], texts: readonly string[]): DiffPart[] =>
  texts.map((text) => ({ kind, text }));

function joined(pieces: readonly DiffPart[]): DiffPart[] {
  const result: DiffPart[] = [];
  for (const each of pieces) {
    const last = result.at(-1);
    if (last?.kind === each.kind)
      result[result.length - 1] = { kind: each.kind, text: last.text + each.text };
    else result.push(each);
  }
  return result;
}
