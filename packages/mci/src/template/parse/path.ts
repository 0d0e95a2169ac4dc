import type { Expression, Literal, Path } from "./ast.ts";
import { isRoot } from "./ast.ts";
import type { ExpressionToken } from "./expression-lexer.ts";
import { TemplateSyntaxError } from "./syntax-error.ts";
import type { TokenReader } from "./token-reader.ts";

/** Whether a loop around the expression declares that name. */
export type IsVariable = (name: string) => boolean;

/** `props.user["odd key"][i]`; `index` parses what stands in brackets. */
export function parsePath(reader: TokenReader, isVariable: IsVariable, index: () => Expression): Path {
  const first = reader.peek();
  if (first?.type !== "name") return reader.fail("a path is missing", "write it like props.name or env.NAME");
  reader.skip();
  const steps: (string | Expression)[] = [];
  for (let token = reader.peek(); isStep(token, reader.last.end); token = reader.peek()) {
    reader.skip();
    if (token.type === "field") steps.push(fieldName(token, reader, isVariable));
    else {
      const step = index();
      reader.expect("]");
      steps.push(step.type === "literal" ? String(step.value) : step);
    }
  }
  const { offset } = first;
  const root = first.text;
  // Else the caller could pick any secret by its name.
  if (root === "env" && typeof steps[0] === "object" && !isVariable(root)) {
    throw new TemplateSyntaxError(
      "a name in env cannot be computed",
      offset,
      'write env.NAME or env["NAME"]',
    );
  }
  if (reader.peek()?.text === "(")
    reader.fail(`${root} cannot be called`, "only @for has a function, range(a, b)");
  return { type: "path", root, steps, text: reader.source.slice(offset, reader.last.end), offset };
}

/**
 * A lone word right of a comparison. Files written for the Python adapter compare with unquoted words:
 * `props.status == active`, `== us-east-1`. A word that is also the name of a variable is that variable.
 */
export function parseBareWord(reader: TokenReader, isVariable: IsVariable): Expression | undefined {
  const first = reader.peek();
  if (first?.type !== "name" || isRoot(first.text) || isVariable(first.text)) return undefined;
  const next = reader.peek(1);
  if (next?.text === "(" || isStep(next, first.end)) return undefined;
  reader.skip();
  for (let part = afterHyphen(reader); part?.type === "name" || part?.type === "number"; ) {
    reader.skip(2);
    part = afterHyphen(reader);
  }
  const { offset } = first;
  const text = reader.source.slice(offset, reader.last.end);
  if (text !== first.text) return { type: "literal", value: text };
  return { type: "path", root: text, steps: [], text, offset, bare: true };
}

/** `us-east-1`, `application/json`, `my-file.txt`: names that do not exist, joined, and nothing but another alternative after them. */
export function parseJoinedWord(reader: TokenReader, isVariable: IsVariable): Literal | undefined {
  const first = reader.peek();
  if (first?.type !== "name" || isRoot(first.text) || isVariable(first.text)) return undefined;
  let count = 1;
  let end = first.end;
  for (;;) {
    const [joiner, part] = [reader.peek(count), reader.peek(count + 1)];
    if (joiner?.offset !== end) break;
    // A dot alone may be a path with a misspelled beginning.
    if (joiner.type === "field" && count > 1) {
      end = joiner.end;
      count += 1;
      continue;
    }
    if (joiner.type !== "symbol" || !JOINERS.has(joiner.text) || part?.offset !== joiner.end) break;
    if (part.type !== "name" && part.type !== "number") return undefined;
    if (isRoot(part.text) || isVariable(part.text)) return undefined;
    end = part.end;
    count += 2;
  }
  const next = reader.peek(count);
  if (count === 1 || (next !== undefined && next.text !== "|")) return undefined;
  reader.skip(count);
  return { type: "literal", value: reader.source.slice(first.offset, end) };
}

const JOINERS: ReadonlySet<string> = new Set(["-", "/", "+"]);

/** `content-type` is one name, unless what follows the hyphen is itself an operand: `props.total-props.used`. */
function fieldName(token: ExpressionToken, reader: TokenReader, isVariable: IsVariable): string {
  let name = token.text;
  for (let part = afterHyphen(reader); part?.type === "name"; part = afterHyphen(reader)) {
    const isOperand = isVariable(part.text) || (isRoot(part.text) && isStep(reader.peek(2), part.end));
    if (isOperand) break;
    reader.skip(2);
    name += `-${part.text}`;
  }
  return name;
}

/** A field or an opening bracket, with no white space before it. */
function isStep(token: ExpressionToken | undefined, end: number): token is ExpressionToken {
  return token?.offset === end && (token.type === "field" || (token.type === "symbol" && token.text === "["));
}

/** The token after a hyphen, if no white space stands around the hyphen. */
function afterHyphen(reader: TokenReader): ExpressionToken | undefined {
  const hyphen = reader.peek();
  if (hyphen?.type !== "symbol" || hyphen.text !== "-" || hyphen.offset !== reader.last.end) return undefined;
  const next = reader.peek(1);
  return next?.offset === hyphen.end ? next : undefined;
}
