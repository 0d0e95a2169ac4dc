import type { ToolError } from "../../errors.ts";
import { DROPPED, type Dropped, type Origin, type Part, type Scope, type Text } from "../../template-api.ts";
import type { Output } from "../parse/ast.ts";
import { evaluate } from "../render/evaluate.ts";
import { isAbsent, missingError } from "../render/missing.ts";
import { printed } from "../render/render.ts";
import { MISSING, ORIGINS, Run } from "../render/scope.ts";
import type { Unit } from "../unit.ts";

/** A setting without placeholders: most settings are, so it costs nothing but its object. */
export class ConstantText implements Text {
  readonly source: string;
  readonly isConstant = true;
  readonly isNative = false;
  readonly #text: string;

  /** `text` differs from `source` where escapes were resolved. */
  constructor(source: string, text: string = source) {
    this.source = source;
    this.#text = text;
  }

  render(): string {
    return this.#text;
  }

  parts(): readonly Part[] {
    return [{ text: this.#text, origin: "author" }];
  }

  value(): { value: unknown; origin: Origin } {
    return { value: this.#text, origin: "author" };
  }
}

/** A setting with placeholders. Its tree holds strings and outputs only. */
export class PlaceholderText implements Text {
  readonly isConstant = false;
  readonly #unit: Unit;
  readonly #nodes: readonly (string | Output)[];

  constructor(unit: Unit) {
    this.#unit = unit;
    this.#nodes = unit.nodes as readonly (string | Output)[];
  }

  get source(): string {
    return this.#unit.source;
  }

  get isNative(): boolean {
    return this.#unit.sole?.native ?? false;
  }

  render(scope: Scope): string | Dropped {
    const run = new Run(scope, this.#unit);
    return this.#renderInto(run) ? run.out : DROPPED;
  }

  parts(scope: Scope): readonly Part[] | Dropped {
    const run = new Run(scope, this.#unit);
    const parts: Part[] = [];
    return this.#renderInto(run, parts) ? parts : DROPPED;
  }

  value(scope: Scope): { value: unknown; origin: Origin } | Dropped {
    const run = new Run(scope, this.#unit);
    if (!this.isNative) {
      const value = this.#renderInto(run) ? run.out : DROPPED;
      return value === DROPPED ? DROPPED : { value, origin: ORIGINS[run.origin]! };
    }
    const value = this.#read(this.#unit.sole!, run);
    return value === DROPPED ? DROPPED : { value, origin: ORIGINS[run.origin]! };
  }

  /** False if the text is dropped. `run.origin` ends as the origin of the whole, a mix counting as its highest. */
  #renderInto(run: Run, parts?: Part[]): boolean {
    let highest = 0;
    for (const node of this.#nodes) {
      run.origin = 0;
      let text = node;
      if (typeof text !== "string") {
        const value = this.#read(text, run);
        if (value === DROPPED) return false;
        text = printed(value, text, run);
      }
      run.emit(text);
      if (run.origin > highest) highest = run.origin;
      parts?.push({ text, origin: ORIGINS[run.origin]! });
    }
    run.origin = highest;
    return true;
  }

  #read(output: Output, run: Run): unknown | Dropped {
    const value = evaluate(output.expression, run);
    if (value !== MISSING) return value;
    if (output === this.#unit.sole && isAbsent(output.expression, run)) return DROPPED;
    throw missingError(output.expression, run);
  }
}

/** A setting that could not be parsed: the problem was reported at load, and using it fails. */
export class BrokenText implements Text {
  readonly source: string;
  readonly isConstant = false;
  readonly isNative = false;
  readonly #error: ToolError;

  constructor(source: string, error: ToolError) {
    this.source = source;
    this.#error = error;
  }

  render(): never {
    throw this.#error;
  }

  parts(): never {
    throw this.#error;
  }

  value(): never {
    throw this.#error;
  }
}
