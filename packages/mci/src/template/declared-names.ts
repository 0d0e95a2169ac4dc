/**
 * Declared properties whose names no path can spell, such as `First Name`, `a/b`, `x+y` or `a?`. The Python adapter
 * takes everything between the dots for a name; here such a name counts where the tool's inputSchema declares it, and
 * anything else keeps its meaning as an expression.
 */
export interface DeclaredNames {
  /** The length of the declared name that begins there, or 0. */
  lengthAt(source: string, at: number): number;
}

/** undefined where all names can be spelled, which is so for nearly all tools. */
export function declaredNames(inputSchema: unknown): DeclaredNames | undefined {
  const names = new Set<string>();
  collect(inputSchema, names, 0);
  if (names.size === 0) return undefined;
  const byStart = Map.groupBy(
    [...names].sort((a, b) => b.length - a.length),
    (name) => plainStart(name, 0),
  );
  return {
    lengthAt: (source, at) =>
      byStart
        .get(plainStart(source, at))
        ?.find((name) => source.startsWith(name, at) && endsName(source, at + name.length))?.length ?? 0,
  };
}

/** Deeper properties are written with brackets. */
const MAX_DEPTH = 20;

function collect(schema: unknown, names: Set<string>, depth: number): void {
  if (typeof schema !== "object" || schema === null || depth > MAX_DEPTH) return;
  const { properties, items } = schema as Record<string, unknown>;
  collect(items, names, depth + 1);
  if (typeof properties !== "object" || properties === null) return;
  // Not by entries: this looks at every property of every tool at every load.
  for (const name of Object.keys(properties)) {
    if (isOdd(name)) names.add(name);
    collect((properties as Record<string, unknown>)[name], names, depth + 1);
  }
}

/** Dots, bars, braces and quotes always keep their meaning, in the Python adapter too. */
function isOdd(name: string): boolean {
  return /\W/.test(name) && /[^\p{L}\p{N}_$@:#]/u.test(name) && !/[.|{}'"`\n\r]|^\s|\s$/.test(name);
}

/** The letters and digits a name begins with: what it is looked up by. */
function plainStart(text: string, at: number): string {
  const plain = /[A-Za-z0-9_]{0,100}/y;
  plain.lastIndex = at;
  return plain.exec(text)![0];
}

/** Not where the name goes on: `First Name` is not part of `First Names`, nor `content-type` of `content-type-x`. */
function endsName(source: string, end: number): boolean {
  return !/^(?:-?[\p{L}\p{N}_$@:#])/u.test(source.slice(end, end + 3));
}
