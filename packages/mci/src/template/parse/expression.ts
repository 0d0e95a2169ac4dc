import { exactInteger } from "@mci-ts/primitives/exact-json";
import type { ArithmeticOperator, ComparisonOperator, Expression, Literal } from "./ast.ts";
import { type IsVariable, parseBareWord, parseJoinedWord, parsePath } from "./path.ts";
import { TemplateSyntaxError } from "./syntax-error.ts";
import type { TokenReader } from "./token-reader.ts";

export interface ExpressionOptions {
  readonly maxDepth: number;
  readonly isVariable: IsVariable;
  /**
   * In a placeholder, not in a condition: `a || 'eu'` is a chain of alternatives with an empty one in it, which is
   * skipped. Default false.
   */
  readonly isPlaceholder?: boolean;
  /** Called for a text without quotes. Default: not reported. */
  readonly onUnquoted?: (text: string, offset: number) => void;
}

/** Reads one expression and leaves the reader behind it. */
export function parseExpression(reader: TokenReader, options: ExpressionOptions): Expression {
  return new ExpressionParser(reader, options).expression();
}

/** A name that is being declared. */
export function parseDeclaration(reader: TokenReader, what: string): string {
  const token = reader.peek();
  if (token?.type !== "name" || WORDS.has(token.text) || token.text === "in") {
    return reader.fail(`${what} is missing`);
  }
  reader.skip();
  return token.text;
}

/**
 * Recursive descent; each method is one level of precedence, loosest first:
 * `|`, `or`, `and`, `not`, comparisons, `+ -`, `* / %`, `-x` (and `+3`), operands.
 */
class ExpressionParser {
  readonly #reader: TokenReader;
  readonly #options: ExpressionOptions;
  #depth = 0;

  constructor(reader: TokenReader, options: ExpressionOptions) {
    this.#reader = reader;
    this.#options = options;
  }

  expression(): Expression {
    const alternatives = [this.#or()];
    while (this.#reader.accept("|")) {
      // An alternative that is empty is skipped, as between two bars.
      if (this.#options.isPlaceholder && this.#depth === 0 && this.#reader.peek() === undefined) break;
      alternatives.push(this.#unquotedWord() ?? this.#or());
    }
    if (alternatives.length === 1) return alternatives[0]!;
    const flat = alternatives.flatMap((each) => (each.type === "fallback" ? each.alternatives : each));
    return { type: "fallback", alternatives: flat };
  }

  /** `us-east-1`: a fallback, not a subtraction of variables that do not exist. */
  #unquotedWord(): Expression | undefined {
    const first = this.#reader.peek();
    if (first === undefined || WORDS.has(first.text)) return undefined;
    const word = parseJoinedWord(this.#reader, this.#options.isVariable);
    if (word !== undefined) this.#options.onUnquoted?.(String(word.value), first.offset);
    return word;
  }

  #or(): Expression {
    const operands = [this.#and()];
    let isChain = this.#options.isPlaceholder === true && this.#depth === 0;
    while (this.#reader.accept("||") || this.#reader.accept("or")) {
      if (this.#reader.last.text === "or") isChain = false;
      operands.push(this.#and());
    }
    if (operands.length === 1) return operands[0]!;
    // The Python adapter knows paths and literals only: anything else is an expression of ours.
    if (isChain && operands.every(({ type }) => type === "path" || type === "literal"))
      return { type: "fallback", alternatives: operands };
    return { type: "or", operands };
  }

  #and(): Expression {
    const operands = [this.#not()];
    while (this.#reader.accept("&&") || this.#reader.accept("and")) operands.push(this.#not());
    return operands.length === 1 ? operands[0]! : { type: "and", operands };
  }

  #not(): Expression {
    if (!this.#reader.accept("!") && !this.#reader.accept("not")) return this.#comparison();
    return { type: "not", operand: this.#nested(() => this.#not()) };
  }

  #comparison(): Expression {
    const left = this.#sum();
    const operator = this.#reader.acceptOneOf(COMPARISONS);
    if (operator === undefined) return left;
    const right = this.#bareWord() ?? this.#sum();
    const next = this.#reader.peek();
    if (next?.type === "symbol" && COMPARISONS.has(next.text)) {
      throw new TemplateSyntaxError("comparisons cannot be chained", next.offset, "join them by and");
    }
    const { text, offset } = operator;
    return { type: "comparison", operator: text as ComparisonOperator, left, right, offset };
  }

  #bareWord(): Expression | undefined {
    if (WORDS.has(this.#reader.peek()?.text ?? "")) return undefined;
    return parseBareWord(this.#reader, this.#options.isVariable);
  }

  #sum(): Expression {
    return this.#chain(ADDITIVE, () => this.#product());
  }

  #product(): Expression {
    return this.#chain(MULTIPLICATIVE, () => this.#negation());
  }

  #chain(operators: ReadonlySet<string>, operand: () => Expression): Expression {
    const first = operand();
    const rest = [];
    for (
      let token = this.#reader.acceptOneOf(operators);
      token;
      token = this.#reader.acceptOneOf(operators)
    ) {
      rest.push({ operator: token.text as ArithmeticOperator, offset: token.offset, operand: operand() });
    }
    return rest.length === 0 ? first : { type: "arithmetic", first, rest };
  }

  #negation(): Expression {
    if (this.#reader.peek(1)?.type === "number" && this.#reader.accept("+")) return this.#operand();
    if (!this.#reader.accept("-")) return this.#operand();
    const { offset } = this.#reader.last;
    const operand = this.#nested(() => this.#negation());
    if (
      operand.type === "literal" &&
      (typeof operand.value === "number" || typeof operand.value === "bigint")
    )
      return literal(-operand.value);
    return { type: "negation", operand, offset };
  }

  #operand(): Expression {
    const token = this.#reader.peek();
    if (token === undefined) return this.#reader.fail("a value is missing");
    if (token.type === "name" && !WORDS.has(token.text)) return this.#path();
    if (token.type === "symbol" && token.text === "(") return this.#parentheses();
    const value = constantOf(token);
    if (value === undefined) return this.#reader.fail("unexpected");
    this.#reader.skip();
    if (token.isUnquoted) this.#options.onUnquoted?.(token.text, token.offset);
    return literal(value);
  }

  #path(): Expression {
    return parsePath(this.#reader, this.#options.isVariable, () => this.#nested(() => this.expression()));
  }

  #parentheses(): Expression {
    this.#reader.skip();
    const expression = this.#nested(() => this.expression());
    this.#reader.expect(")");
    return expression;
  }

  #nested(parse: () => Expression): Expression {
    this.#depth += 1;
    if (this.#depth > this.#options.maxDepth) {
      const message = `nested more than ${this.#options.maxDepth} levels deep`;
      throw new TemplateSyntaxError(message, this.#reader.last.offset, undefined, "template_limit");
    }
    const result = parse();
    this.#depth -= 1;
    return result;
  }
}

const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);
const WORDS: ReadonlySet<string> = new Set([...CONSTANTS.keys(), "and", "or", "not"]);
const COMPARISONS: ReadonlySet<string> = new Set(["==", "!=", ">", "<", ">=", "<="]);
const ADDITIVE: ReadonlySet<string> = new Set(["+", "-"]);
const MULTIPLICATIVE: ReadonlySet<string> = new Set(["*", "/", "%"]);

function constantOf(token: { readonly type: string; readonly text: string }): Literal["value"] | undefined {
  if (token.type === "string") return token.text;
  if (token.type === "number") return exactInteger(token.text) ?? Number(token.text);
  return token.type === "name" ? CONSTANTS.get(token.text) : undefined;
}

function literal(value: Literal["value"]): Literal {
  return { type: "literal", value };
}
