import {
  OMITTED,
  type Omitted,
  type Origin,
  type Part,
  type Scope,
  type TemplateString,
} from "../../template-api.ts";
import type { Output } from "../parse/ast.ts";
import { evaluate } from "../render/evaluate.ts";
import { isAbsent, missingError } from "../render/missing.ts";
import { printValue } from "../render/render.ts";
import { MISSING, ORIGINS, RenderContext } from "../render/scope.ts";
import type { Unit } from "../unit.ts";

/** A setting without placeholders: most settings are, so it costs nothing but its object. */
export class ConstantText implements TemplateString {
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
export class PlaceholderText implements TemplateString {
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

  render(scope: Scope): string | Omitted {
    const context = new RenderContext(scope, this.#unit);
    return this.#renderInto(context) ? context.out : OMITTED;
  }

  parts(scope: Scope): readonly Part[] | Omitted {
    const context = new RenderContext(scope, this.#unit);
    const parts: Part[] = [];
    return this.#renderInto(context, parts) ? parts : OMITTED;
  }

  value(scope: Scope): { value: unknown; origin: Origin } | Omitted {
    const context = new RenderContext(scope, this.#unit);
    if (!this.isNative) {
      const value = this.#renderInto(context) ? context.out : OMITTED;
      return value === OMITTED ? OMITTED : { value, origin: ORIGINS[context.origin]! };
    }
    const value = this.#read(this.#unit.sole!, context);
    return value === OMITTED ? OMITTED : { value, origin: ORIGINS[context.origin]! };
  }

  /** False if the text is dropped. `run.origin` ends as the origin of the whole, a mix counting as its highest. */
  #renderInto(context: RenderContext, parts?: Part[]): boolean {
    let highest = 0;
    for (const node of this.#nodes) {
      context.origin = 0;
      let text = node;
      if (typeof text !== "string") {
        const value = this.#read(text, context);
        if (value === OMITTED) return false;
        text = printValue(value, text, context);
      }
      context.emit(text);
      if (context.origin > highest) highest = context.origin;
      parts?.push({ text, origin: ORIGINS[context.origin]! });
    }
    context.origin = highest;
    return true;
  }

  #read(output: Output, context: RenderContext): unknown | Omitted {
    const value = evaluate(output.expression, context);
    if (value !== MISSING) return value;
    if (output === this.#unit.sole && isAbsent(output.expression, context)) return OMITTED;
    throw missingError(output.expression, context);
  }
}
