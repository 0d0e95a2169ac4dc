const MIN_LENGTH = 2000;
/** Of a long unit, too: a pattern that starts over at each of them takes this many squared. */
const MIN_REPEATS = 600;

/** Texts that make a backtracking engine work: runs of what the pattern itself can match, then an end it cannot. */
export function* attacks(source: string, flags: string, factor: number): Generator<string> {
  const branches = branchesOf(source, flags);
  const seen = new Set<string>();
  for (const [prefix, unit] of seeds(branches))
    for (const end of ["", "\u0000"]) {
      const key = `${prefix}\u0001${unit}\u0001${end}`;
      if (unit === "" || seen.has(key)) continue;
      seen.add(key);
      yield prefix + unit.repeat(factor * Math.max(MIN_REPEATS, Math.ceil(MIN_LENGTH / unit.length))) + end;
    }
}

/** What comes first, and what is repeated after it. */
function* seeds(branches: readonly Atom[][]): Generator<[string, string]> {
  const all = [...new Set(branches.flat(2))];
  for (const one of all) yield ["", one];
  for (const one of all.slice(0, 12))
    for (const other of all.slice(0, 12)) if (one !== other) yield ["", one + other];
  for (const atoms of branches)
    for (let from = 0; from < atoms.length; from++)
      for (let to = from + 1; to <= Math.min(from + 12, atoms.length); to++) {
        const run = atoms.slice(from, to).map(([sample]) => sample);
        yield ["", run.join("")];
        // A start that is found once, then a long run of the part behind it.
        for (const sample of atoms[to] ?? []) yield [run.join(""), sample];
      }
}

/** A part of a pattern that matches one character, as characters it matches; a word of letters counts as one part. */
type Atom = readonly string[];

/** The parts of a pattern from one `|` to the next. Two alternatives follow each other only in a group that repeats: pairs. */
function branchesOf(source: string, flags: string): Atom[][] {
  const branches: Atom[][] = [];
  let atoms: Atom[] = [];
  let word = "";
  for (const [token] of source.matchAll(TOKEN)) {
    const letter = /^[\p{L}\d<>/_-]$/u.test(token);
    if (letter) word += token;
    else if (word) {
      atoms.push([word]);
      word = "";
    }
    if (token === "|") {
      branches.push(atoms);
      atoms = [];
    }
    if (letter || /^(?:[()|^$*+?]|\(\?|\{\d|\\[bB])/.test(token)) continue;
    const samples = samplesOf(token, flags);
    if (samples.length > 0) atoms.push(samples);
  }
  if (word) atoms.push([word]);
  return [...branches, atoms];
}

const TOKEN =
  /\(\?(?:[:=!]|<[=!]|<\w+>)|\{\d+,?\d*\}[?]?|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\k<\w+>|\\.|\[(?:[^\]\\]|\\.)*\]|[\s\S]/giu;

const CANDIDATES = [
  ..."a b\t\n\r1.,;:-_/\\'\"`{}[]()<>@#$%&*+=!?|~^0zAZ9",
  "\u00a0",
  "\u0301",
  "é",
  "\u200b",
  "的",
  "の",
  "😀",
];

function samplesOf(token: string, flags: string): string[] {
  try {
    const atom = new RegExp(`^(?:${token})$`, flags.replace(/[gy]/g, ""));
    return CANDIDATES.filter((candidate) => atom.test(candidate)).slice(0, 3);
  } catch {
    return [];
  }
}
