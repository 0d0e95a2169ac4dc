import { Environment, Interpreter } from "@huggingface/jinja";
import { ToolError } from "../../errors.ts";
import type { TemplateLimits } from "../../template-api.ts";
import { FILTERS } from "./functions.ts";

/** The little that is used of the library's tree; its own types do not resolve under node's rules. */
export interface Statement {
  readonly type: string;
  readonly body?: Statement[];
  readonly alternate?: Statement[];
  readonly defaultBlock?: Statement[];
}

/** A value as the library keeps it. */
export interface RuntimeValue {
  value: unknown;
}

interface Engine {
  run(program: Statement): RuntimeValue;
  evaluate(statement: Statement | undefined, environment: Environment): RuntimeValue;
  evaluateArguments(
    args: readonly unknown[],
    environment: Environment,
  ): [RuntimeValue[], Map<string, RuntimeValue>];
  applyFilter(operand: RuntimeValue, filter: FilterNode, environment: Environment): RuntimeValue;
}

/** `name`, or `name(args)`. */
interface FilterNode {
  readonly value?: string;
  readonly callee?: { readonly value: string };
  readonly args?: readonly unknown[];
}

/** Statements that begin a round of a loop, and statements whose value is written. */
export interface Marks {
  readonly iterations: ReadonlySet<unknown>;
  readonly outputs: ReadonlySet<unknown>;
}

/** Finds what has to be counted in a program. Changes the program: an empty loop body gets a statement that does nothing. */
export function markProgram(program: Statement): Marks {
  const iterations = new Set<unknown>();
  const outputs = new Set<unknown>();
  const mark = ({ type, body, alternate, defaultBlock }: Statement): void => {
    if (type === "For" && body) {
      if (body.length === 0) body.push({ type: "Comment" });
      iterations.add(body[0]);
    }
    for (const child of [body, alternate, defaultBlock].flatMap((block) => block ?? [])) {
      if (!BLOCKS.has(child.type)) outputs.add(child);
      mark(child);
    }
  };
  mark(program);
  return { iterations, outputs };
}

const BLOCKS: ReadonlySet<string> = new Set([
  "If",
  "For",
  "Set",
  "Macro",
  "CallStatement",
  "FilterStatement",
]);

/** The library's interpreter under the limits of one rendering. */
export class LimitedInterpreter extends (Interpreter as new (environment: Environment) => Engine) {
  readonly #budget: RenderBudget;
  readonly #marks: Marks;

  constructor(environment: Environment, budget: RenderBudget, marks: Marks) {
    super(environment);
    this.#budget = budget;
    this.#marks = marks;
  }

  override evaluate(statement: Statement | undefined, environment: Environment): RuntimeValue {
    // Calls count as rounds: a macro that calls itself is a loop, too.
    if (this.#marks.iterations.has(statement) || statement?.type === "CallExpression")
      this.#budget.countIteration();
    const result = super.evaluate(statement, environment);
    const { value } = result;
    if (typeof value === "string") this.#budget.checkLength(value.length);
    else if (Array.isArray(value)) this.#budget.checkItems(value.length);
    if (this.#marks.outputs.has(statement)) this.#budget.write(String(result).length);
    return result;
  }

  override applyFilter(operand: RuntimeValue, filter: FilterNode, environment: Environment): RuntimeValue {
    const name = filter.callee?.value ?? filter.value ?? "";
    if (!Object.hasOwn(FILTERS, name)) return super.applyFilter(operand, filter, environment);
    const [args, named] = this.evaluateArguments(filter.args ?? [], environment);
    if (named.size > 0) throw new Error(`the filter ${name} takes its arguments by position here`);
    return new Environment().set(name, FILTERS[name]!(operand.value, ...args.map(({ value }) => value)));
  }
}

/** The library keeps about 400 bytes for each number of a range, so ranges may not be as long as loops. */
const RANGE_SHARE = 10;

/** What one rendering may use. */
export class RenderBudget {
  readonly #limits: TemplateLimits;
  #iterations = 0;
  #ranged = 0;
  #written = 0;

  constructor(limits: TemplateLimits) {
    this.#limits = limits;
  }

  countIteration(): void {
    this.#iterations += 1;
    this.#checkLoops(this.#iterations);
  }

  /** A list of that many numbers, made by `range`. */
  range(count: number): void {
    this.#ranged += count;
    const max = Math.ceil(this.#limits.maxTemplateLoops / RANGE_SHARE);
    if (this.#ranged <= max) return;
    throw new ToolError("template_limit", `range() gives more than ${max} numbers in all`);
  }

  write(length: number): void {
    this.#written += length;
    this.checkLength(this.#written);
  }

  /** A text or list of that length. */
  checkLength(length: number): void {
    const { maxTemplateOutput } = this.#limits;
    if (length <= maxTemplateOutput) return;
    throw new ToolError("template_limit", `The text is longer than ${maxTemplateOutput} characters`);
  }

  /** The library keeps about 100 bytes for each item. */
  checkItems(count: number): void {
    this.#checkLoops(count);
  }

  #checkLoops(count: number): void {
    const { maxTemplateLoops } = this.#limits;
    if (count <= maxTemplateLoops) return;
    throw new ToolError("template_limit", `The loops take more than ${maxTemplateLoops} rounds in all`);
  }
}
