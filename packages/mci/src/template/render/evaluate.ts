import type { Arithmetic, Comparison, Expression, Logic } from "../parse/ast.ts";
import { errorAt } from "../unit.ts";
import { calculate, compare, isTruthy, type OperatorResult } from "./operators.ts";
import { MISSING, type RenderContext } from "./scope.ts";

/**
 * An expression's value, or `MISSING`. In a placeholder (strict) a missing path makes everything around it missing, up to
 * the next fallback; in a condition it counts as null. `run.origin` is raised to the origin of what was read.
 */
export function evaluate(expression: Expression, context: RenderContext): unknown {
  switch (expression.type) {
    case "literal":
      return expression.value;
    case "path": {
      const value = context.read(expression, evaluate);
      return value === MISSING && expression.bare ? expression.root : value;
    }
    case "fallback":
      return firstOf(expression.alternatives, context);
    case "and":
    case "or":
      return logic(expression, context);
    case "not": {
      const value = evaluate(expression.operand, context);
      return value === MISSING && context.strict ? MISSING : !isTrue(value, context);
    }
    case "comparison":
      return comparison(expression, context);
    case "arithmetic":
      return arithmetic(expression, context);
    case "negation": {
      const value = evaluate(expression.operand, context);
      return value === MISSING ? MISSING : unwrap(calculate("-", 0, value), expression.offset, context);
    }
  }
}

/** Whether a condition holds. */
export function isConditionTrue(condition: Expression, context: RenderContext): boolean {
  context.strict = false;
  const value = evaluate(condition, context);
  context.strict = true;
  return isTrue(value, context);
}

function isTrue(value: unknown, context: RenderContext): boolean {
  return value !== MISSING && isTruthy(value, context.comparisons);
}

/** The first alternative that exists and is not null; null if one of them is; else missing. */
function firstOf(alternatives: readonly Expression[], context: RenderContext): unknown {
  const before = context.origin;
  let last: unknown = MISSING;
  for (const alternative of alternatives) {
    // A skipped alternative adds nothing to the text, so it does not change the origin.
    context.origin = before;
    const value = evaluate(alternative, context);
    if (value !== MISSING && value !== null) return value;
    if (value === null) last = null;
  }
  return last;
}

/** As in Python and JavaScript, the operand that decides is the value. */
function logic({ type, operands }: Logic, context: RenderContext): unknown {
  let value: unknown = MISSING;
  for (const operand of operands) {
    value = evaluate(operand, context);
    // `a || 'eu'` skips a missing path, as `a | 'eu'` does; `and` needs all of them.
    if (value === MISSING && context.strict && type === "and") return MISSING;
    if (isTrue(value, context) === (type === "or")) return value;
  }
  return value;
}

function comparison({ operator, left, right, offset }: Comparison, context: RenderContext): unknown {
  const a = evaluate(left, context);
  const b = evaluate(right, context);
  if (context.strict && (a === MISSING || b === MISSING)) return MISSING;
  return unwrap(
    compare(operator, a === MISSING ? null : a, b === MISSING ? null : b, context.comparisons),
    offset,
    context,
  );
}

function arithmetic({ first, rest }: Arithmetic, context: RenderContext): unknown {
  let value = evaluate(first, context);
  for (const { operator, operand, offset } of rest) {
    const right = evaluate(operand, context);
    if (value === MISSING || right === MISSING) return MISSING;
    value = unwrap(calculate(operator, value, right), offset, context);
    if (typeof value === "string") context.checkLength(value.length);
  }
  return value;
}

function unwrap(outcome: OperatorResult, offset: number, context: RenderContext): unknown {
  if ("value" in outcome) return outcome.value;
  throw errorAt("template_type", context.unit, offset, outcome.problem);
}
