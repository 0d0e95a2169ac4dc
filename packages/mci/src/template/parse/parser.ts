import type { DeclaredNames } from "../declared-names.ts";
import type { Expression, For, Foreach, If, Node, Output } from "./ast.ts";
import { parseDeclaration, parseExpression } from "./expression.ts";
import type { Directive, DirectiveName, Mode, Token } from "./lexer.ts";
import { lex } from "./lexer.ts";
import { TemplateSyntaxError } from "./syntax-error.ts";
import { TokenReader } from "./token-reader.ts";

/** A parsed text. `sole` is its one placeholder, if there is nothing but white space around it. */
export interface Tree {
  readonly nodes: readonly Node[];
  readonly sole: Output | undefined;
  /** Included files as written, each once, with the place of its first `@include`. */
  readonly includes: ReadonlyMap<string, number>;
  /** What is accepted, but better written otherwise. */
  readonly warnings: readonly ParseWarning[];
}

interface ParseWarning {
  readonly message: string;
  readonly hint: string;
  readonly offset: number;
}

/** Tokens to tree. The stack of open blocks is a list, so only the depth limit bounds the nesting. */
export function parse(
  source: string,
  mode: Mode,
  limits: { readonly maxTemplateDepth: number },
  names?: DeclaredNames,
): Tree {
  return new Parser(source, limits.maxTemplateDepth).run(lex(source, mode, names));
}

interface Block {
  readonly opener: Directive;
  readonly node: If | For | Foreach;
  /** The names its loop declares. */
  readonly variables: readonly string[];
  body: Node[];
}

class Parser {
  readonly #source: string;
  readonly #maxDepth: number;
  readonly #blocks: Block[] = [];
  readonly #nodes: Node[] = [];
  readonly #includes = new Map<string, number>();
  readonly #warnings: ParseWarning[] = [];
  #native: Output | undefined;

  constructor(source: string, maxDepth: number) {
    this.#source = source;
    this.#maxDepth = maxDepth;
  }

  run(tokens: readonly Token[]): Tree {
    for (const token of tokens) {
      if (token.type === "text") this.#addText(token.text);
      else if (token.type === "directive") DIRECTIVES[token.name](this, token);
      else this.#addOutput(token);
    }
    const unclosed = this.#blocks.at(-1)?.opener;
    if (unclosed) {
      throw new TemplateSyntaxError(
        `@${unclosed.name} is never closed: @end${unclosed.name} is missing`,
        unclosed.offset,
      );
    }
    return this.#finish();
  }

  if(token: Directive): void {
    const body: Node[] = [];
    const condition = this.#whole(token);
    this.open({ opener: token, node: { type: "if", branches: [{ condition, body }] }, variables: [], body });
  }

  elseif(token: Directive): void {
    const [block, node] = this.#branch(token);
    block.body = [];
    node.branches.push({ condition: this.#whole(token), body: block.body });
  }

  else(token: Directive): void {
    const [block, node] = this.#branch(token);
    block.body = [];
    node.otherwise = block.body;
  }

  for(token: Directive): void {
    const header = this.#reader(token);
    const variable = parseDeclaration(header, "a loop variable");
    for (const word of ["in", "range", "("]) header.expect(word, FOR_HINT);
    const start = this.#expression(header);
    header.expect(",", FOR_HINT);
    const end = this.#expression(header);
    const step = header.accept(",") ? this.#expression(header) : undefined;
    header.expect(")", FOR_HINT);
    header.expectEnd();
    const body: Node[] = [];
    const node: For = { type: "for", variable, start, end, step, body, offset: token.offset };
    this.open({ opener: token, node, variables: [variable], body });
  }

  foreach(token: Directive): void {
    const header = this.#reader(token);
    const first = parseDeclaration(header, "a loop variable");
    const second = header.accept(",") ? parseDeclaration(header, "a second loop variable") : undefined;
    header.expect("in", FOREACH_HINT);
    const collection = this.#expression(header);
    header.expectEnd(FOREACH_HINT);
    const [key, value] = second === undefined ? [undefined, first] : [first, second];
    const body: Node[] = [];
    const node: Foreach = { type: "foreach", key, value, collection, body, offset: token.offset };
    this.open({ opener: token, node, variables: second === undefined ? [first] : [first, second], body });
  }

  include(token: Directive): void {
    const argument = this.#reader(token);
    const path = argument.quoted("the file to include");
    argument.expectEnd();
    if (!this.#includes.has(path)) this.#includes.set(path, token.offset);
    this.#body.push({ type: "include", path, lineBreak: token.lineBreak, offset: token.offset });
  }

  open(block: Block): void {
    if (this.#blocks.length >= this.#maxDepth) {
      const message = `blocks are nested more than ${this.#maxDepth} levels deep`;
      throw new TemplateSyntaxError(message, block.opener.offset, undefined, "template_limit");
    }
    this.#body.push(block.node);
    this.#blocks.push(block);
  }

  close(token: Directive): void {
    const block = this.#blocks.at(-1);
    if (token.name === `end${block?.node.type}`) this.#blocks.pop();
    else this.#stray(token, block);
  }

  #reader(token: Exclude<Token, { type: "text" }>): TokenReader {
    return new TokenReader(token.expression, this.#source, token.closerAt);
  }

  #expression(reader: TokenReader, isPlaceholder = false): Expression {
    return parseExpression(reader, {
      isPlaceholder,
      maxDepth: this.#maxDepth,
      isVariable: (name) => this.#blocks.some((block) => block.variables.includes(name)),
      onUnquoted: (text, offset) => {
        const message = `the fallback ${text} is read as text`;
        this.#warnings.push({ message, hint: `write it in quotes: '${text}'`, offset });
      },
    });
  }

  #whole(token: Exclude<Token, { type: "text" }>): Expression {
    const reader = this.#reader(token);
    const expression = this.#expression(reader, token.type === "placeholder");
    reader.expectEnd();
    return expression;
  }

  get #body(): Node[] {
    return this.#blocks.at(-1)?.body ?? this.#nodes;
  }

  #addText(text: string): void {
    const body = this.#body;
    const last = body.at(-1);
    if (typeof last === "string") body[body.length - 1] = last + text;
    else body.push(text);
  }

  #addOutput(token: Extract<Token, { type: "placeholder" }>): void {
    const { native, offset } = token;
    const expression = this.#whole(token);
    // `{{'{{'}}` is text; a setting without other placeholders is constant.
    if (!native && expression.type === "literal" && typeof expression.value === "string") {
      this.#addText(expression.value);
      return;
    }
    const output: Output = { type: "output", expression, native, offset };
    if (native) this.#native ??= output;
    this.#body.push(output);
  }

  #branch(token: Directive): [Block, If] {
    const block = this.#blocks.at(-1);
    if (block?.node.type !== "if") return this.#stray(token, block);
    if (block.node.otherwise) throw new TemplateSyntaxError(`@${token.name} after @else`, token.offset);
    return [block, block.node];
  }

  #stray(token: Directive, block: Block | undefined): never {
    const inside = block ? `, inside the @${block.opener.name} that is open` : "";
    const opener = token.name.startsWith("else") ? "if" : token.name.slice("end".length);
    throw new TemplateSyntaxError(
      `@${token.name} without @${opener}${inside}`,
      token.offset,
      `write @${opener}(…), with its parentheses, before it; @@${token.name} prints the word`,
    );
  }

  #finish(): Tree {
    const others = this.#nodes.filter((node) => typeof node !== "string" || node.trim() !== "");
    const only = others.length === 1 ? others[0] : undefined;
    const sole = typeof only === "object" && only.type === "output" ? only : undefined;
    if (this.#native && !sole) {
      throw new TemplateSyntaxError(
        "{!! … !!} gives a value with its type, so it cannot stand beside other text",
        this.#native.offset,
        "use {{ … }} for text, or @{!! … !!} to print the braces",
      );
    }
    return {
      nodes: sole?.native ? [sole] : this.#nodes,
      sole,
      includes: this.#includes,
      warnings: this.#warnings,
    };
  }
}

const DIRECTIVES: Readonly<Record<DirectiveName, (parser: Parser, token: Directive) => void>> = {
  if: (parser, token) => parser.if(token),
  elseif: (parser, token) => parser.elseif(token),
  else: (parser, token) => parser.else(token),
  endif: (parser, token) => parser.close(token),
  for: (parser, token) => parser.for(token),
  endfor: (parser, token) => parser.close(token),
  foreach: (parser, token) => parser.foreach(token),
  endforeach: (parser, token) => parser.close(token),
  include: (parser, token) => parser.include(token),
};

const FOR_HINT =
  "write @for(i in range(0, 3)), or @foreach(item in props.items) for a list; @@for prints the word";
const FOREACH_HINT =
  "write @foreach(item in props.items) or @foreach(key, item in props.items); @@foreach prints the word";
