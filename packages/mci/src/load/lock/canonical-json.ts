/**
 * JSON with sorted keys: the same data always gives the same text, other data another one, at any depth. A list of what
 * is left to write instead of recursion, because a server's schema may be nested more deeply than the stack allows.
 */
export function canonicalJson(root: unknown): string {
  return write(root, true);
}

/** The same with keys in their own order, where that is a part of what is said: flags of a command, fields of a form. */
export function orderedJson(root: unknown): string {
  return write(root, false);
}

function write(root: unknown, isSorted: boolean): string {
  const written: string[] = [];
  const left: Piece[] = [{ value: root }];
  for (let piece = left.pop(); piece !== undefined; piece = left.pop()) {
    if (typeof piece === "string") written.push(piece);
    else if (typeof piece.value !== "object" || piece.value === null) written.push(scalar(piece.value));
    else for (const next of piecesOf(piece.value, isSorted)) left.push(next);
  }
  return written.join("");
}

/** A text that is ready, or a value that is still to be written. */
type Piece = string | { readonly value: unknown };

/** In reverse: the last one is written first. */
function piecesOf(value: object, isSorted: boolean): Piece[] {
  const items = Array.isArray(value)
    ? value.map((item): Piece[] => [{ value: item }])
    : entriesOf(value, isSorted).map(([key, item]): Piece[] => [`${key}:`, { value: item }]);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const separated = items.flatMap((pieces, index) => (index === 0 ? pieces : [",", ...pieces]));
  return [open, ...separated, close].reverse();
}

/** What symbols hold is among them, under names that no key has: the exact form of a default whose digits a JSON number loses. */
function entriesOf(value: object, isSorted: boolean): (readonly [string, unknown])[] {
  const named = Object.entries(value).map(([key, item]) => [JSON.stringify(key), item] as const);
  const symbols = Object.getOwnPropertySymbols(value).map(
    (key) => [`@${key.description}`, (value as Record<symbol, unknown>)[key]] as const,
  );
  const entries = [...named, ...symbols].filter(([, item]) => item !== undefined);
  return isSorted ? entries.sort(([a], [b]) => (a < b ? -1 : 1)) : entries;
}

/** A long integer has its digits, as in JSON. -0 is another number than 0; what JSON has no number for is written by its name. */
function scalar(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  return Object.is(value, -0) ? "-0" : (JSON.stringify(value) ?? "null");
}
