/** What a template is once parsed. Plain text is a string; everything else knows its offset in the source. */
export type Node = string | Output | If | For | Foreach | Include;

/** `{{ expression }}` or, where it is the whole text, `{!! expression !!}`. */
export interface Output {
  readonly type: "output";
  readonly expression: Expression;
  readonly native: boolean;
  readonly offset: number;
}

export interface If {
  readonly type: "if";
  readonly branches: { readonly condition: Expression; readonly body: Node[] }[];
  /** What follows `@else`. */
  otherwise?: Node[];
}

/** `@for(variable in range(start, end, step))`; the end is not included. */
export interface For {
  readonly type: "for";
  readonly variable: string;
  readonly start: Expression;
  readonly end: Expression;
  readonly step: Expression | undefined;
  readonly body: Node[];
  readonly offset: number;
}

/** `@foreach(value in collection)` or `@foreach(key, value in collection)`. */
export interface Foreach {
  readonly type: "foreach";
  readonly key: string | undefined;
  readonly value: string;
  readonly collection: Expression;
  readonly body: Node[];
  readonly offset: number;
}

/** `@include("path")`; `lineBreak` ends the line it stood alone on, in case the file's text does not. */
export interface Include {
  readonly type: "include";
  readonly path: string;
  readonly lineBreak: string;
  readonly offset: number;
}

export type Expression = Literal | Path | Fallback | Logic | Not | Comparison | Arithmetic | Negation;

export interface Literal {
  readonly type: "literal";
  readonly value: string | number | bigint | boolean | null;
}

/** `root.step[step]`; a step in brackets may be computed. */
export interface Path {
  readonly type: "path";
  readonly root: string;
  readonly steps: readonly (string | Expression)[];
  /** The source as it is written. */
  readonly text: string;
  readonly offset: number;
  /** A lone word right of a comparison (`props.status == active`): the word itself if no variable has its name. */
  readonly bare?: boolean;
}

/** `a | b | c`: the first that exists and is not null. */
interface Fallback {
  readonly type: "fallback";
  readonly alternatives: readonly Expression[];
}

/** Chains are flat lists, so that a long one costs no stack. */
export interface Logic {
  readonly type: "and" | "or";
  readonly operands: readonly Expression[];
}

interface Not {
  readonly type: "not";
  readonly operand: Expression;
}

export type ComparisonOperator = "==" | "!=" | ">" | "<" | ">=" | "<=";

export interface Comparison {
  readonly type: "comparison";
  readonly operator: ComparisonOperator;
  readonly left: Expression;
  readonly right: Expression;
  readonly offset: number;
}

export type ArithmeticOperator = "+" | "-" | "*" | "/" | "%";

/** Operators of one precedence, from left to right. */
export interface Arithmetic {
  readonly type: "arithmetic";
  readonly first: Expression;
  readonly rest: readonly {
    readonly operator: ArithmeticOperator;
    readonly operand: Expression;
    readonly offset: number;
  }[];
}

interface Negation {
  readonly type: "negation";
  readonly operand: Expression;
  readonly offset: number;
}

/** The expressions directly inside of one. */
export function operandsOf(expression: Expression): readonly Expression[] {
  switch (expression.type) {
    case "literal":
      return [];
    case "path":
      return expression.steps.filter((step) => typeof step !== "string");
    case "fallback":
      return expression.alternatives;
    case "and":
    case "or":
      return expression.operands;
    case "not":
    case "negation":
      return [expression.operand];
    case "comparison":
      return [expression.left, expression.right];
    case "arithmetic":
      return [expression.first, ...expression.rest.map(({ operand }) => operand)];
  }
}

/** The names under which a template reaches the caller's properties. */
export const PROPS_ROOTS: ReadonlySet<string> = new Set(["props", "input", "properties"]);

export function isRoot(name: string): boolean {
  return name === "env" || name === "caller" || PROPS_ROOTS.has(name);
}
