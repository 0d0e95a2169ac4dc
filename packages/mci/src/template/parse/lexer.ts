import type { DeclaredNames } from "../declared-names.ts";
import type { ExpressionToken } from "./expression-lexer.ts";
import { type Closer, lexExpression } from "./expression-lexer.ts";
import { TemplateSyntaxError } from "./syntax-error.ts";

/** `text`: placeholders only, as in settings. `template`: directives too. */
export type Mode = "text" | "template";

export type DirectiveName = (typeof WITH_ARGUMENT)[number] | (typeof ALONE)[number];

export type Token =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "placeholder";
      readonly native: boolean;
      readonly expression: readonly ExpressionToken[];
      readonly offset: number;
      readonly closerAt: number;
    }
  | {
      readonly type: "directive";
      readonly name: DirectiveName;
      /** What stands in its parentheses. */
      readonly expression: readonly ExpressionToken[];
      readonly offset: number;
      readonly closerAt: number;
      /** The line break that went with the directive because it stood alone on its line; else empty. */
      readonly lineBreak: string;
    };

export type Directive = Extract<Token, { type: "directive" }>;

const WITH_ARGUMENT = ["if", "elseif", "for", "foreach", "include"] as const;
const ALONE = ["else", "endif", "endfor", "endforeach"] as const;
const NAMES: ReadonlySet<string> = new Set([...WITH_ARGUMENT, ...ALONE, "verbatim", "endverbatim"]);

/** Source to tokens, in one pass. Escapes, verbatim text and lines that only hold a directive are resolved here. */
export function lex(source: string, mode: Mode, names?: DeclaredNames): Token[] {
  return new Lexer(source, mode, names).run();
}

class Lexer {
  readonly #source: string;
  readonly #mode: Mode;
  readonly #names: DeclaredNames | undefined;
  readonly #tokens: Token[] = [];
  readonly #marks = /\{\{|\{!!|@/g;
  /** Blocks that are open, for telling `@elseB` (an `@else` before a B) from any other word. */
  readonly #open: string[] = [];
  /** Closers that do not occur any more, so that looking for them stays linear. */
  readonly #exhausted = new Set<string>();
  #textFrom = 0;

  constructor(source: string, mode: Mode, names: DeclaredNames | undefined) {
    this.#source = source;
    this.#mode = mode;
    this.#names = names;
  }

  run(): Token[] {
    for (let mark = this.#marks.exec(this.#source); mark; mark = this.#marks.exec(this.#source)) {
      this.#marks.lastIndex = this.#lexMark(mark[0], mark.index);
    }
    this.#text(this.#source.length, this.#source.length);
    return this.#tokens;
  }

  /** Like all methods below it, gives where to go on. */
  #lexMark(mark: string, at: number): number {
    if (mark === "{{") return this.#placeholder(at, "}}");
    if (mark === "{!!") return this.#placeholder(at, "!!}");
    if (this.#source.startsWith("{{", at + 1)) return this.#escapedPlaceholder(at, "}}");
    if (this.#source.startsWith("{!!", at + 1)) return this.#escapedPlaceholder(at, "!!}");
    if (this.#mode === "text") return at + 1;
    return this.#source[at + 1] === "@" ? this.#escapedDirective(at) : this.#word(at);
  }

  #placeholder(at: number, closer: "}}" | "!!}"): number {
    // As in the Python adapter, braces with nothing at all between them are text.
    if (this.#source.startsWith("{{}}", at)) return at + 4;
    const { tokens, closerAt, end } = this.#expression(at, at + closer.length, closer);
    this.#text(at, end);
    this.#tokens.push({
      type: "placeholder",
      native: closer === "!!}",
      expression: tokens,
      offset: at,
      closerAt,
    });
    return end;
  }

  #expression(openedAt: number, start: number, closer: Closer) {
    return lexExpression(this.#source, openedAt, start, closer, this.#names);
  }

  /** `@{{ x }}` prints `{{ x }}`. Glued to what is before it the `@` is itself: `{{props.user}}@{{props.host}}`. */
  #escapedPlaceholder(at: number, closer: "}}" | "!!}"): number {
    if (at > 0 && /[\p{L}\p{N}_.+%)\]}-]/u.test(this.#source[at - 1]!)) return at + 1;
    this.#text(at, at + 1);
    const open = at + 1 + closer.length;
    const closerAt = this.#exhausted.has(closer) ? -1 : this.#source.indexOf(closer, open);
    if (closerAt < 0) this.#exhausted.add(closer);
    return closerAt < 0 ? open : closerAt + closer.length;
  }

  /** `@@if` prints `@if`. */
  #escapedDirective(at: number): number {
    const word = wordAt(this.#source, at + 2);
    if (!NAMES.has(word)) return at + 1;
    this.#text(at, at + 1);
    return at + 2 + word.length;
  }

  /** An `@` and a word: a directive, or text. */
  #word(at: number): number {
    const word = wordAt(this.#source, at + 1);
    const name = this.#nameOf(word, at);
    if (name === undefined) return at + 1 + word.length;
    const end = at + 1 + name.length;
    if (name === "verbatim") return this.#verbatim(at, end);
    if (name === "endverbatim")
      throw new TemplateSyntaxError("@endverbatim without @verbatim", at, ESCAPE_HINT);
    if (isAlone(name)) return this.#directive({ name, offset: at, expression: [], closerAt: end }, end);
    const open = skipBlanks(this.#source, end);
    if (this.#source[open] === "(") {
      const { tokens, closerAt, end: close } = this.#expression(at, open + 1, ")");
      return this.#directive({ name, offset: at, expression: tokens, closerAt }, close);
    }
    // "@if you like" is prose; "@elseif you like" cannot be.
    if (name === "elseif")
      throw new TemplateSyntaxError("@elseif needs a condition in parentheses", at, ESCAPE_HINT);
    return end;
  }

  /** The directive the word names, if it is one here. */
  #nameOf(word: string, at: number): DirectiveName | "verbatim" | "endverbatim" | undefined {
    if (this.#isMailAddress(at, at + 1 + word.length)) return undefined;
    if (NAMES.has(word)) return word as DirectiveName;
    // The Python adapter lets text follow directly: "@if(props.pro)Pro@elseBasic@endif".
    const block = this.#open.at(-1);
    if (block === undefined) return undefined;
    if (word.startsWith(`end${block}`)) return `end${block}` as DirectiveName;
    return block === "if" && word.startsWith("else") ? "else" : undefined;
  }

  /**
   * `jo@else.org`: something before the `@`, and a dot and a letter after the word. `{{props.jo}}@else.org` is one where
   * no block is open that the word could belong to.
   */
  #isMailAddress(at: number, end: number): boolean {
    const before = at > 0 ? this.#source[at - 1]! : "";
    const isGlued = /\w/.test(before) || (before === "}" && this.#open.length === 0);
    return isGlued && /^\.[A-Za-z]/.test(this.#source.slice(end, end + 2));
  }

  #directive(directive: Omit<Directive, "type" | "lineBreak">, end: number): number {
    const { name, offset } = directive;
    const { from, to, lineBreak } = this.#lineAround(offset, end);
    this.#text(from, to);
    this.#tokens.push({ type: "directive", ...directive, lineBreak });
    if (name === "if" || name === "for" || name === "foreach") this.#open.push(name);
    else if (name === `end${this.#open.at(-1)}`) this.#open.pop();
    return to;
  }

  #verbatim(at: number, end: number): number {
    const closer = "@endverbatim";
    const close = this.#source.indexOf(closer, end);
    if (close < 0)
      throw new TemplateSyntaxError(`@verbatim is never closed: ${closer} is missing`, at, ESCAPE_HINT);
    const opening = this.#lineAround(at, end);
    const closing = this.#lineAround(close, close + closer.length);
    this.#text(opening.from, opening.to);
    this.#text(closing.from, closing.to);
    return closing.to;
  }

  /** A directive alone on its line takes the line with it. */
  #lineAround(offset: number, end: number): { from: number; to: number; lineBreak: string } {
    const source = this.#source;
    const from = skipBlanksBack(source, offset);
    const after = skipBlanks(source, end);
    const inline = { from: offset, to: end, lineBreak: "" };
    if (from > 0 && source[from - 1] !== "\n") return inline;
    if (after === source.length) return { from, to: after, lineBreak: "" };
    const lineBreak = source.startsWith("\r\n", after) ? "\r\n" : "\n";
    return source.startsWith(lineBreak, after) ? { from, to: after + lineBreak.length, lineBreak } : inline;
  }

  /** Ends the run of text at `to`; the next one begins at `next`. */
  #text(to: number, next: number): void {
    if (to > this.#textFrom)
      this.#tokens.push({ type: "text", text: this.#source.slice(this.#textFrom, to) });
    this.#textFrom = next;
  }
}

const ESCAPE_HINT = "to print the word itself, double its @";

function isAlone(name: string): name is (typeof ALONE)[number] {
  return (ALONE as readonly string[]).includes(name);
}

function wordAt(source: string, at: number): string {
  const word = /\w*/y;
  word.lastIndex = at;
  return word.exec(source)?.[0] ?? "";
}

function skipBlanks(source: string, at: number): number {
  let end = at;
  while (source[end] === " " || source[end] === "\t") end += 1;
  return end;
}

function skipBlanksBack(source: string, at: number): number {
  let start = at;
  while (source[start - 1] === " " || source[start - 1] === "\t") start -= 1;
  return start;
}
