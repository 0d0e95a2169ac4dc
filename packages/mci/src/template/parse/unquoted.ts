/**
 * The text of a fallback without quotes that begins at `at`: everything up to the next bar or the closer, if that is not a path
 * and no expression. Files written for the Python adapter have them, which looks at a fallback only when it needs it.
 */
export function unquotedText(source: string, at: number, closer: "}}" | "!!}"): string | undefined {
  PLACE.lastIndex = at;
  const place = PLACE.exec(source)?.[0];
  if (place !== undefined) return place;
  PLAIN.lastIndex = at;
  const text = PLAIN.exec(source)?.[0].trimEnd() ?? "";
  const after = source.slice(at + text.length).trimStart();
  if (text === "" || !(after.startsWith("|") || after.startsWith(closer))) return undefined;
  return USES_VALUES.test(text) || COMPARES.test(text) || isExpression(text) ? undefined : text;
}

/** `./config`, `/tmp`, `~/x`, `http://localhost:8000/mcp`, `2024-01-01`. */
const PLACE =
  /(?:(?:\.{0,2}|~)\/[^\s|'"`{}]*|[A-Za-z][A-Za-z0-9+.-]*:\/\/[^\s|'"`{}]*|\d+(?:-\d+){2,}|\d{4}\/\d+\/\d+)(?=\s*(?:\||\}\}|!!\}))/y;
/** One line without quotes and brackets, and not in typographic quotes, which are a mistake. A closer with exclamation marks may follow. */
const PLAIN = /(?![‘’“”])(?:[^|'"`{}()[\]\r\n!]|!(?!!\}))*/y;
const USES_VALUES = /(?:^|[^\p{L}\p{N}_$.])(?:props|input|properties|env)\./u;
/** Comparisons, and `a ? b : c`, which has a hint of its own. */
const COMPARES = /[=!<>]=|[<>]|&&|\s\?\s/;

/** Operands and operators in turns. */
function isExpression(text: string): boolean {
  let wantsOperand = true;
  for (const [token] of text.matchAll(/[-+*/%!]|[^\s\-+*/%!]+/g)) {
    if (wantsOperand) {
      if (PREFIXES.has(token)) continue;
      if (!OPERAND.test(token)) return false;
    } else if (!OPERATORS.has(token)) return false;
    wantsOperand = !wantsOperand;
  }
  return !wantsOperand;
}

const OPERAND = /^(?:\d+(?:\.\d*)?|\.\d+|[\p{L}_$][\p{L}\p{N}_$.]*)$/u;
const PREFIXES: ReadonlySet<string> = new Set(["-", "+", "!", "not"]);
const OPERATORS: ReadonlySet<string> = new Set(["+", "-", "*", "/", "%", "and", "or"]);
