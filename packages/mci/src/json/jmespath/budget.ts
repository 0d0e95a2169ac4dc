import { ExpressionReference } from "./ast.ts";

/** What evaluating one expression may cost. */
export interface EvaluationLimits {
  /** Values that are visited, compared or produced. */
  readonly maxSteps: number;
  /** Bytes of everything that is built on the way, and of the result as JSON. */
  readonly maxBytes: number;
}

/** An expression that costs more than its limits allow. */
export class ExpressionLimitError extends Error {
  override readonly name = "ExpressionLimitError";
}

/** Levels of nested values. Deeper ones would exhaust the stack of whatever reads them. */
const MAX_DEPTH = 1000;

/** Keys that are counted in the time of one step. */
const KEYS_PER_STEP = 8;

/** Counts down during one evaluation, and throws before the work is done that would exceed a limit. */
export class EvaluationBudget {
  readonly #limits: EvaluationLimits;
  #steps: number;
  #bytes: number;
  readonly #keys = new WeakMap<object, number>();

  constructor(limits: EvaluationLimits) {
    this.#limits = limits;
    this.#steps = limits.maxSteps;
    this.#bytes = limits.maxBytes;
  }

  spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0)
      throw new ExpressionLimitError(
        `the expression takes more than ${this.#limits.maxSteps} steps: select less, or from less data`,
      );
  }

  allocate(bytes: number): void {
    this.#bytes -= bytes;
    if (this.#bytes < 0)
      throw new ExpressionLimitError(
        `the expression builds more than ${this.#limits.maxBytes} bytes: select less, or from less data`,
      );
  }

  /** How many keys an object has. The engine lists them for that, so a list that holds one object a thousand times counts them once. */
  countKeys(object: object): number {
    const cached = this.#keys.get(object);
    if (cached !== undefined) return cached;
    const count = Object.keys(object).length;
    this.#keys.set(object, count);
    this.spend(count / KEYS_PER_STEP);
    return count;
  }

  /** Counts a value as the JSON it becomes: parts that it has twice count twice. */
  measure(value: unknown, depth = 0): void {
    if (depth > MAX_DEPTH)
      throw new ExpressionLimitError(`the expression gives a value nested deeper than ${MAX_DEPTH} levels`);
    if (value instanceof ExpressionReference)
      throw new Error("an expression reference (&) can only be an argument of a function");
    this.spend(1);
    this.allocate(typeof value === "string" ? value.length + 2 : 5);
    if (Array.isArray(value)) for (const item of value) this.measure(item, depth + 1);
    else if (typeof value === "object" && value !== null)
      for (const key in value) {
        this.allocate(key.length + 3);
        this.measure((value as Record<string, unknown>)[key], depth + 1);
      }
  }
}
