import jmespath from "jmespath";
import type { Node } from "./ast.ts";
import { EvaluationBudget, type EvaluationLimits, ExpressionLimitError } from "./budget.ts";
import { evaluate } from "./evaluate.ts";
import { FUNCTIONS } from "./functions.ts";

/** An expression as a function of its data. Throws where it cannot be applied, or costs more than the limits allow. */
export type CompiledExpression = (data: unknown, limits: EvaluationLimits) => unknown;

/**
 * source -parse-> Node -check-> Node -evaluate(data, budget)-> value
 *
 * The grammar is that of the library; evaluating is done here, because expressions and data may both be hostile and
 * the library's evaluator has no limits. Throws where the source is malformed.
 */
export function compileExpression(source: string): CompiledExpression {
  if (source.length > MAX_SOURCE_CHARS)
    throw new Error(`the expression is longer than ${MAX_SOURCE_CHARS} characters`);
  const root = withReadableError(() => check(jmespath.compile(source)));
  return (data, limits) =>
    withReadableError(() => {
      const budget = new EvaluationBudget(limits);
      const value = evaluate(root, data ?? null, budget);
      budget.measure(value);
      return value;
    });
}

const MAX_SOURCE_CHARS = 100_000;

/** The parser leaves out what it does not understand after a dot or in brackets, and knows no functions. */
function check(node: unknown): Node {
  if (typeof node !== "object" || node === null) throw new Error("the expression is incomplete");
  const {
    type,
    name,
    children = [],
    value,
  } = node as {
    type: string;
    name?: string;
    children?: unknown[];
    value?: unknown;
  };
  if (type === "Function" && !Object.hasOwn(FUNCTIONS, name ?? ""))
    throw new Error(`unknown function ${name}()`);
  if (type === "KeyValuePair") check(value);
  else if (type !== "Slice") children.forEach(check);
  return node as Node;
}

function withReadableError<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ExpressionLimitError("the expression is nested too deeply, or its data is", { cause: error });
  }
}
