import type { ExpressionToken } from "./expression-lexer.ts";
import { TemplateSyntaxError } from "./syntax-error.ts";

/** Walks over the tokens of one expression or directive. */
export class TokenReader {
  readonly source: string;
  readonly #tokens: readonly ExpressionToken[];
  /** Where the tokens end, for errors about something missing. */
  readonly #end: number;
  #position = 0;

  constructor(tokens: readonly ExpressionToken[], source: string, end: number) {
    this.#tokens = tokens;
    this.source = source;
    this.#end = end;
  }

  peek(ahead = 0): ExpressionToken | undefined {
    return this.#tokens[this.#position + ahead];
  }

  /** The token that was read last. */
  get last(): ExpressionToken {
    return this.#tokens[this.#position - 1]!;
  }

  skip(count = 1): void {
    this.#position += count;
  }

  /** Takes the symbol or word if it is next. */
  accept(text: string): boolean {
    const token = this.peek();
    if (token?.text !== text || (token.type !== "symbol" && token.type !== "name")) return false;
    this.skip();
    return true;
  }

  /** Takes the symbol that is next if it is one of them. */
  acceptOneOf(symbols: ReadonlySet<string>): ExpressionToken | undefined {
    const token = this.peek();
    if (token?.type !== "symbol" || !symbols.has(token.text)) return undefined;
    this.skip();
    return token;
  }

  expect(text: string, hint?: string): void {
    if (!this.accept(text)) this.fail(`'${text}' is missing`, hint);
  }

  expectEnd(hint?: string): void {
    if (this.peek() !== undefined) this.fail("unexpected", hint);
  }

  /** A quoted text. */
  quoted(what: string): string {
    const token = this.peek();
    if (token?.type !== "string") return this.fail(`${what} is missing`, "write it in quotes");
    this.skip();
    return token.text;
  }

  fail(message: string, hint?: string): never {
    const token = this.peek();
    if (token === undefined) throw new TemplateSyntaxError(message, this.#end, hint);
    const found = this.source.slice(token.offset, token.end);
    const sentence = message === "unexpected" ? `unexpected '${found}'` : `${message} before '${found}'`;
    throw new TemplateSyntaxError(sentence, token.offset, hint);
  }
}
