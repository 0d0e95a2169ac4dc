import type { TemplateLimits } from "../text.ts";
import type { Expression, Node, Path } from "./ast.ts";
import { isRoot, operandsOf } from "./ast.ts";
import { parseBarePath } from "./compiled-path.ts";
import type { Mode } from "./lexer.ts";
import { parse } from "./parser.ts";
import { TemplateSyntaxError } from "./syntax-error.ts";

export interface Reference {
  readonly root: "env" | "props";
  /** The names after the root, up to one that is computed while rendering. */
  readonly path: readonly string[];
  /** Rendering goes on without it: another alternative follows, or it only decides a condition. */
  readonly hasFallback: boolean;
  readonly offset: number;
}

export interface References {
  readonly references: readonly Reference[];
  /** Included files as written. */
  readonly includes: readonly string[];
}

/**
 * What a text in the built-in language reads, in order, without rendering it: `text` for a setting, `template` for a
 * large text, `path` for a bare path. A text that cannot be parsed reads nothing; compiling it tells why.
 */
export function references(source: string, mode: Mode | "path", limits: TemplateLimits = LIMITS): References {
  try {
    if (mode === "path")
      return { references: [...inExpression(parseBarePath(source, limits), true, [])], includes: [] };
    const { nodes, includes } = parse(source, mode, limits);
    return { references: [...inNodes(nodes, [])], includes: [...includes.keys()] };
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return { references: [], includes: [] };
    throw error;
  }
}

/** Only the depth matters to parsing. */
const LIMITS: TemplateLimits = { maxTemplateDepth: 100, maxTemplateLoops: 0, maxTemplateOutput: 0 };

/** `variables` are the names of the loops around, which hide the roots. */
function* inNodes(nodes: readonly Node[], variables: readonly string[]): Generator<Reference> {
  for (const node of nodes) if (typeof node !== "string") yield* inNode(node, variables);
}

function* inNode(node: Exclude<Node, string>, variables: readonly string[]): Generator<Reference> {
  if (node.type === "output") yield* inExpression(node.expression, false, variables);
  if (node.type === "if") {
    for (const { condition, body } of node.branches) {
      yield* inExpression(condition, true, variables);
      yield* inNodes(body, variables);
    }
    yield* inNodes(node.otherwise ?? [], variables);
  }
  if (node.type === "for") {
    for (const bound of [node.start, node.end, node.step])
      if (bound) yield* inExpression(bound, false, variables);
    yield* inNodes(node.body, [...variables, node.variable]);
  }
  if (node.type === "foreach") {
    yield* inExpression(node.collection, false, variables);
    yield* inNodes(node.body, [...variables, node.value, ...(node.key === undefined ? [] : [node.key])]);
  }
}

function* inExpression(
  expression: Expression,
  hasFallback: boolean,
  variables: readonly string[],
): Generator<Reference> {
  if (expression.type === "path") {
    const reference = referenceOf(expression, hasFallback);
    if (reference && !variables.includes(expression.root)) yield reference;
  }
  const operands = operandsOf(expression);
  for (const [index, operand] of operands.entries()) {
    const isFollowed = expression.type === "fallback" && index < operands.length - 1;
    yield* inExpression(operand, hasFallback || isFollowed, variables);
  }
}

function referenceOf({ root, steps, offset }: Path, hasFallback: boolean): Reference | undefined {
  if (!isRoot(root)) return undefined;
  const computed = steps.findIndex((step) => typeof step !== "string");
  const path = (computed < 0 ? steps : steps.slice(0, computed)) as readonly string[];
  return { root: root === "env" ? "env" : "props", path, hasFallback, offset };
}
