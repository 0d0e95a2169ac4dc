import type { Origin, Scope } from "../../template-api.ts";
import { allowedEnv, reportSecrets } from "../env-values.ts";
import type { Expression, Path } from "../parse/ast.ts";
import { PROPS_ROOTS } from "../parse/ast.ts";
import { errorAt, type Unit } from "../unit.ts";
import type { ComparisonWork } from "./equal.ts";

/** The value of a path that does not resolve. */
export const MISSING: unique symbol = Symbol("missing");

/** Ordered by how far the author is from it; of a mix the highest counts. */
export const ORIGINS = ["author", "env", "props"] as const satisfies readonly Origin[];
const ENV = 1;
const PROPS = 2;

/** A loop variable. `key` is set where one variable walks over an object: `x.key` is then the key. */
export interface Variable {
  readonly name: string;
  value: unknown;
  key: string | undefined;
  readonly origin: number;
}

/** The state of one rendering: scope, output, loop variables, limits used. */
export class RenderContext {
  readonly scope: Scope;
  /** The text being rendered: the template, or the file it includes at the moment. */
  unit: Unit;
  readonly variables: Variable[] = [];
  /** Index into `ORIGINS` of everything read since it was last set to 0. */
  origin = 0;
  /** Whether a missing path makes its expression missing (placeholders) or counts as null (conditions). */
  strict = true;
  out = "";
  /** The last text that was added and is not empty: looking at the end of `out` itself would copy all of it. */
  last = "";
  depth = 0;
  #iterations = 0;
  /** Env objects that were already reported; created when the first env value is read. */
  #seen: Set<unknown> | undefined;

  #comparisons: ComparisonWork | undefined;

  constructor(scope: Scope, unit: Unit) {
    this.scope = scope;
    this.unit = unit;
  }

  emit(text: string): void {
    if (text === "") return;
    this.checkLength(this.out.length + text.length);
    this.out += text;
    this.last = text;
  }

  checkLength(length: number): void {
    const { maxTemplateOutput } = this.unit.limits;
    if (length > maxTemplateOutput) {
      throw errorAt(
        "template_limit",
        this.unit,
        undefined,
        `The text is longer than ${maxTemplateOutput} characters`,
      );
    }
  }

  /** Counts one round of a loop, or one included file. */
  countIteration(offset: number): void {
    this.#iterations += 1;
    const { maxTemplateLoops } = this.unit.limits;
    if (this.#iterations > maxTemplateLoops) {
      throw errorAt(
        "template_limit",
        this.unit,
        offset,
        `The loops take more than ${maxTemplateLoops} rounds in all`,
      );
    }
  }

  /** Made on first use: most settings compare nothing. */
  get comparisons(): ComparisonWork {
    this.#comparisons ??= new Comparisons(this);
    return this.#comparisons;
  }

  /** The value at the end of a path, or `MISSING`. Computed steps are left to `evaluate`. */
  read(path: Path, evaluate: (step: Expression, context: RenderContext) => unknown): unknown {
    const variable = this.#variable(path.root);
    let at = 0;
    let value: unknown;
    let origin = PROPS;
    if (variable) {
      ({ value, origin } = variable);
      if (variable.key !== undefined && path.steps[0] === "key") {
        value = variable.key;
        at = 1;
      }
    } else if (PROPS_ROOTS.has(path.root)) value = this.scope.props;
    else if (path.root === "env") {
      value = allowedEnv(this.scope.env, this.unit.envAllowList);
      origin = ENV;
      // What a token says is as untrusted as what its holder sends.
    } else if (path.root === "caller") value = this.scope.caller;
    else return MISSING;

    for (; at < path.steps.length && value !== undefined; at++) {
      const key = path.steps[at]!;
      value = field(value, typeof key === "string" ? key : evaluate(key, this));
    }
    if (value === undefined) return MISSING;
    if (origin > this.origin) this.origin = origin;
    if (origin === ENV) {
      this.#seen ??= new Set();
      reportSecrets(value, this.scope.onEnv, this.#seen);
    }
    return value;
  }

  #variable(name: string): Variable | undefined {
    for (let index = this.variables.length - 1; index >= 0; index--) {
      if (this.variables[index]!.name === name) return this.variables[index];
    }
    return undefined;
  }
}

/** Own properties only, so that nothing of a value's prototype can be reached; undefined where there is none. */
export function field(value: unknown, key: unknown): unknown {
  if (typeof key !== "string" && typeof key !== "number") return undefined;
  if (typeof value === "string") return key === "length" ? value.length : undefined;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

/** One iteration may take so many steps of comparing values. */
const STEPS_PER_LOOP = 10;

class Comparisons implements ComparisonWork {
  readonly #context: RenderContext;
  /** Values do not change during a rendering, so their keys are listed once. */
  readonly #keys = new Map<object, readonly string[]>();
  #steps = 0;

  constructor(context: RenderContext) {
    this.#context = context;
  }

  count(steps: number): void {
    this.#steps += steps;
    const { unit } = this.#context;
    const max = unit.limits.maxTemplateLoops * STEPS_PER_LOOP;
    if (this.#steps <= max) return;
    const message = `The comparisons take more than ${max} steps in all. Compare single fields, not large values`;
    throw errorAt("template_limit", unit, undefined, message);
  }

  keysOf(value: object): readonly string[] {
    let keys = this.#keys.get(value);
    if (keys === undefined) {
      keys = Object.keys(value);
      this.#keys.set(value, keys);
    }
    return keys;
  }
}
