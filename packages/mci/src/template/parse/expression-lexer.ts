import type { DeclaredNames } from "../declared-names.ts";
import { TemplateSyntaxError } from "./syntax-error.ts";
import { unquotedText } from "./unquoted.ts";

export interface ExpressionToken {
  /** `field` is the name after a dot, which may hold characters that other names may not. */
  readonly type: "name" | "field" | "string" | "number" | "symbol";
  /** The name, the string's content, the number's digits or the symbol. */
  readonly text: string;
  readonly offset: number;
  readonly end: number;
  /** A text without quotes, as files written for the Python adapter have them. */
  readonly isUnquoted?: boolean;
}

/** What ends an expression: the braces around it, the directive's parenthesis, or (empty) the end of the text. */
export type Closer = "}}" | "!!}" | ")" | "";

/**
 * Cuts the expression that begins at `start` into tokens, up to its closer, which may also occur inside quotes.
 * `openedAt` is where its opening braces or its directive stand.
 */
export function lexExpression(
  source: string,
  openedAt: number,
  start: number,
  closer: Closer,
  names?: DeclaredNames,
): { tokens: ExpressionToken[]; closerAt: number; end: number } {
  const tokens: ExpressionToken[] = [];
  let parentheses = 0;
  let at = start;
  for (;;) {
    at = skipSpace(source, at);
    if (at >= source.length) {
      if (closer === "") return { tokens, closerAt: at, end: at };
      throw new TemplateSyntaxError(
        `${source.slice(openedAt, start)} is never closed: '${closer}' is missing`,
        openedAt,
      );
    }
    if (closer !== "" && parentheses === 0 && source.startsWith(closer, at)) {
      return { tokens, closerAt: at, end: at + closer.length };
    }
    const previous = tokens.at(-1);
    const token =
      lexDeclared(source, at, previous, names) ??
      lexUnquoted(source, at, closer, previous) ??
      lexToken(source, at, closer, previous);
    // Only a directive ends with a parenthesis, so only there do they have to be counted.
    if (closer === ")" && token.type === "symbol") {
      if (token.text === "(") parentheses += 1;
      if (token.text === ")") parentheses -= 1;
    }
    tokens.push(token);
    at = token.end;
  }
}

/** The name of a declared property after a dot, whatever characters it has. */
function lexDeclared(
  source: string,
  at: number,
  previous: ExpressionToken | undefined,
  names: DeclaredNames | undefined,
): ExpressionToken | undefined {
  if (names === undefined || source[at] !== "." || !endsPath(previous, at)) return undefined;
  if (previous?.type === "name" && previous.text === "env") return undefined;
  const start = at + 1;
  const end = start + names.lengthAt(source, start);
  return end === start ? undefined : { type: "field", text: source.slice(start, end), offset: at, end };
}

function lexUnquoted(
  source: string,
  at: number,
  closer: Closer,
  previous: ExpressionToken | undefined,
): ExpressionToken | undefined {
  if (previous?.type !== "symbol" || (previous.text !== "|" && previous.text !== "||")) return undefined;
  if (closer !== "}}" && closer !== "!!}") return undefined;
  const text = unquotedText(source, at, closer);
  return text === undefined
    ? undefined
    : { type: "string", text, offset: at, end: at + text.length, isUnquoted: true };
}

function lexToken(
  source: string,
  at: number,
  closer: Closer,
  previous: ExpressionToken | undefined,
): ExpressionToken {
  const code = source.charCodeAt(at);
  const isFraction = code === DOT && !endsPath(previous, at) && isDigit(source.charCodeAt(at + 1));
  if (isDigit(code) || isFraction) return lexNumber(source, at);
  if (isNamePart(code)) return lexName(source, at);
  const char = source[at]!;
  if (char === "'" || char === '"' || char === "`") return lexString(source, at, closer);
  if (char === "." && endsPath(previous, at)) return lexField(source, at);
  const pair = source.slice(at, at + 2);
  if (PAIRS.has(pair)) return { type: "symbol", text: pair, offset: at, end: at + 2 };
  if (SYMBOLS.includes(char)) return { type: "symbol", text: char, offset: at, end: at + 1 };
  throw new TemplateSyntaxError(`unexpected '${char}'`, at, HINTS[char]);
}

const DOT = 46;
const PAIRS: ReadonlySet<string> = new Set(["==", "!=", ">=", "<=", "&&", "||"]);
const SYMBOLS = "|()[],!<>+-*/%";
const HINTS: Readonly<Record<string, string>> = {
  "=": "compare with ==",
  "{": "placeholders cannot be nested: write {{ a | b | 'c' }}",
  "?": "write the alternatives as @if … @else … @endif",
  "@": "directives stand outside of the braces: @if(…) … @endif",
  "‘": "use straight quotes",
  "’": "use straight quotes",
  "“": "use straight quotes",
  "”": "use straight quotes",
};

/** `5`, `0.5`, and as Python writes them `.5` and `5.`. */
function lexNumber(source: string, at: number): ExpressionToken {
  let end = skipDigits(source, at);
  if (source[end] === ".") end = skipDigits(source, end + 1);
  return { type: "number", text: source.slice(at, end), offset: at, end };
}

function lexName(source: string, at: number): ExpressionToken {
  let end = at + 1;
  while (isNamePart(source.charCodeAt(end))) end += 1;
  return { type: "name", text: source.slice(at, end), offset: at, end };
}

function lexField(source: string, at: number): ExpressionToken {
  let end = at + 1;
  while (isFieldPart(source.charCodeAt(end))) end += 1;
  if (end === at + 1) throw new TemplateSyntaxError("a name is missing after the dot", at);
  return { type: "field", text: source.slice(at + 1, end), offset: at, end };
}

/**
 * Quoted text. A quote ends it where an operator, a bracket or the closer follows; anywhere else it belongs to the text
 * ('it's'), and a backslash before it is left out ('it\'s'). Nothing else is an escape, so 'C:\new' is what it looks like.
 */
function lexString(source: string, at: number, closer: Closer): ExpressionToken {
  const quote = source[at]!;
  let text = "";
  let from = at + 1;
  for (let end = source.indexOf(quote, from); end >= 0; end = source.indexOf(quote, end + 1)) {
    if (endsOperand(source, end + 1, closer)) {
      return { type: "string", text: text + source.slice(from, end), offset: at, end: end + 1 };
    }
    if (end > from && source[end - 1] === "\\") {
      text += source.slice(from, end - 1);
      from = end;
    }
  }
  throw new TemplateSyntaxError(
    "the quoted text never ends",
    at,
    "a quote ends the text only where an operator, a bracket or the end of the expression follows",
  );
}

/** Whether what comes next can follow an operand. */
function endsOperand(source: string, after: number, closer: Closer): boolean {
  const at = skipSpace(source, after);
  if (at >= source.length) return true;
  if (closer !== "" && source.startsWith(closer, at)) return true;
  if ("|)],=!<>+-*/%&".includes(source[at]!)) return true;
  const { text } = isNamePart(source.charCodeAt(at)) ? lexName(source, at) : { text: "" };
  return text === "and" || text === "or";
}

/** No white space inside a path: a dot belongs to what ends right before it. */
function endsPath(previous: ExpressionToken | undefined, at: number): boolean {
  if (previous?.end !== at) return false;
  return previous.type === "name" || previous.type === "field" || previous.text === "]";
}

function skipSpace(source: string, at: number): number {
  let end = at;
  while (isSpace(source.charCodeAt(end))) end += 1;
  return end;
}

function skipDigits(source: string, at: number): number {
  let end = at;
  while (isDigit(source.charCodeAt(end))) end += 1;
  return end;
}

function isSpace(code: number): boolean {
  if (code < 0x80) return code === 32 || (code >= 9 && code <= 13);
  return /\s/.test(String.fromCharCode(code));
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Letters of any script, digits, `_` and `$`. False for NaN, which is how the end of the text reads. */
function isNamePart(code: number): boolean {
  if (code < 0x80) {
    return (
      (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || isDigit(code) || code === 95 || code === 36
    );
  }
  return code >= 0x80 && !isSpace(code) && !(code >= 0x2018 && code <= 0x201f);
}

/** After a dot also `@`, `:` and `#`, which no operator uses: `props.@type`, `props.xml:lang`. */
function isFieldPart(code: number): boolean {
  return isNamePart(code) || code === 64 || code === 58 || code === 35;
}
