import type { Arithmetic, Comparison, Expression, Logic } from "../parse/ast.ts";
import { errorAt } from "../unit.ts";
import { calculate, compare, isTruthy, type Outcome } from "./operators.ts";
import { MISSING, type Run } from "./scope.ts";

/**
 * An expression's value, or `MISSING`. In a placeholder (strict) a missing path makes everything around it missing, up to
 * the next fallback; in a condition it counts as null. `run.origin` is raised to the origin of what was read.
 */
export function evaluate(expression: Expression, run: Run): unknown {
  switch (expression.type) {
    case "literal":
      return expression.value;
    case "path": {
      const value = run.read(expression, evaluate);
      return value === MISSING && expression.bare ? expression.root : value;
    }
    case "fallback":
      return firstOf(expression.alternatives, run);
    case "and":
    case "or":
      return logic(expression, run);
    case "not": {
      const value = evaluate(expression.operand, run);
      return value === MISSING && run.strict ? MISSING : !isTrue(value);
    }
    case "comparison":
      return comparison(expression, run);
    case "arithmetic":
      return arithmetic(expression, run);
    case "negation": {
      const value = evaluate(expression.operand, run);
      return value === MISSING ? MISSING : result(calculate("-", 0, value), expression.offset, run);
    }
  }
}

/** Whether a condition holds. */
export function holds(condition: Expression, run: Run): boolean {
  run.strict = false;
  const value = evaluate(condition, run);
  run.strict = true;
  return isTrue(value);
}

function isTrue(value: unknown): boolean {
  return value !== MISSING && isTruthy(value);
}

/** The first alternative that exists and is not null; null if one of them is; else missing. */
function firstOf(alternatives: readonly Expression[], run: Run): unknown {
  const before = run.origin;
  let last: unknown = MISSING;
  for (const alternative of alternatives) {
    // An alternative that is passed over leaves no trace in the text, hence none in its origin.
    run.origin = before;
    const value = evaluate(alternative, run);
    if (value !== MISSING && value !== null) return value;
    if (value === null) last = null;
  }
  return last;
}

/** As in Python and JavaScript, the operand that decides is the value. */
function logic({ type, operands }: Logic, run: Run): unknown {
  let value: unknown = MISSING;
  for (const operand of operands) {
    value = evaluate(operand, run);
    if (value === MISSING && run.strict) return MISSING;
    if (isTrue(value) === (type === "or")) return value;
  }
  return value;
}

function comparison({ operator, left, right, offset }: Comparison, run: Run): unknown {
  const a = evaluate(left, run);
  const b = evaluate(right, run);
  if (run.strict && (a === MISSING || b === MISSING)) return MISSING;
  return result(compare(operator, a === MISSING ? null : a, b === MISSING ? null : b), offset, run);
}

function arithmetic({ first, rest }: Arithmetic, run: Run): unknown {
  let value = evaluate(first, run);
  for (const { operator, operand, offset } of rest) {
    const right = evaluate(operand, run);
    if (value === MISSING || right === MISSING) return MISSING;
    value = result(calculate(operator, value, right), offset, run);
  }
  return value;
}

function result(outcome: Outcome, offset: number, run: Run): unknown {
  if ("value" in outcome) return outcome.value;
  throw errorAt("template_type", run.unit, offset, outcome.problem);
}
