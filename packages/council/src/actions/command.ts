/**
 * A shell command of one line as its words, so that white space and quoting make no difference; undefined for what is not simple enough.
 * A word with an expansion keeps its quotes: `"$a"` and `$a` are two things.
 */
export function canonicalCommand(line: string): string | undefined {
  if (line.includes("\n") || line.length > MAX_CHARS) return undefined;
  const words = wordsOf(line);
  return words && JSON.stringify(commandsOf(words).flatMap(sortFlags));
}

const MAX_CHARS = 4000;

interface Word {
  readonly text: string;
  readonly isOperator: boolean;
}

function wordsOf(line: string): Word[] | undefined {
  const words: Word[] = [];
  // Each piece of a word: quoted text, an escaped character, an operator, or plain characters.
  const piece =
    /\s+|'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)|(&&|\|\||>>|<<|[;&|<>()]|\d>&?\d?)|([^\s'"\\;&|<>()]+)|./gy;
  let open: string | undefined;
  const close = () => {
    if (open !== undefined) words.push({ text: open, isOperator: false });
    open = undefined;
  };
  for (const [whole, single, double, escaped, operator, plain] of line.matchAll(piece)) {
    if (/^\s/.test(whole)) close();
    else if (operator !== undefined) {
      close();
      words.push({ text: operator, isOperator: true });
    } else if (single !== undefined) open = (open ?? "") + literal(single, whole);
    else if (double !== undefined)
      open =
        (open ?? "") + (/[$`]/.test(double) ? whole : literal(double.replace(/\\(["\\$`])/g, "$1"), whole));
    else if (escaped !== undefined) open = (open ?? "") + literal(escaped, whole);
    else if (plain !== undefined) open = (open ?? "") + plain;
    // A quote that is never closed.
    else return undefined;
  }
  close();
  return words;
}

/** Characters that mean something to a shell stay quoted. */
const literal = (text: string, quoted: string) =>
  /[$`*?[\]{}~#!]/.test(text) || text === "" ? quoted : text;

/** The words between operators, each operator by itself. */
function commandsOf(words: readonly Word[]): string[][] {
  const commands: string[][] = [[]];
  for (const { text, isOperator } of words) {
    // No word looks like an operator that is written so.
    if (isOperator) commands.push([`\u0000${text}`], []);
    else commands.at(-1)!.push(text);
  }
  return commands;
}

/**
 * Flags beside each other in alphabetical order, as far as that surely changes nothing: the last before another word may take it as its
 * value and stays, and some commands read their flags in order.
 */
function sortFlags([name = "", ...words]: readonly string[]): string[] {
  if (IN_ORDER.has(name)) return [name, ...words];
  const sorted: string[] = [];
  for (let i = 0; i < words.length; ) {
    let end = i;
    while (end < words.length && /^-./.test(words[end]!) && words[end] !== "--") end++;
    const last = end < words.length && !words[end - 1]?.includes("=") ? end - 1 : end;
    sorted.push(...words.slice(i, Math.max(i, last)).toSorted(), ...words.slice(Math.max(i, last), end));
    if (end < words.length) sorted.push(words[end]!);
    i = end + 1;
  }
  return [name, ...sorted];
}

const IN_ORDER = new Set(
  "find rm cp mv ln ffmpeg convert magick rsync tar jq awk sed test [ echo printf".split(" "),
);
