import type { Expression, For, Foreach, If, Include, Node, Output } from "../parse/ast.ts";
import { errorAt } from "../unit.ts";
import { evaluate, holds } from "./evaluate.ts";
import { missingError, type Remedy } from "./missing.ts";
import { toNumber } from "./number.ts";
import { print, typeName } from "./print.ts";
import { MISSING, type Run, type Variable } from "./scope.ts";

/** Tree to text: appends to `run.out`. */
export function renderNodes(nodes: readonly Node[], run: Run): void {
  for (const node of nodes) {
    if (typeof node === "string") run.emit(node);
    else RENDER[node.type](node as never, run);
  }
}

const RENDER = {
  output: (node: Output, run: Run) => run.emit(printed(present(node.expression, run), node, run)),
  if: renderIf,
  for: renderFor,
  foreach: renderForeach,
  include: renderInclude,
};

/** A value as text, for the placeholder that gave it. */
export function printed(value: unknown, { offset }: Output, run: Run): string {
  const text = print(value);
  if (text !== undefined) return text;
  throw errorAt("template_type", run.unit, offset, `The ${typeName(value)} cannot be written as JSON`);
}

/** The value of an expression that has to have one. */
function present(expression: Expression, run: Run, remedy?: Remedy): unknown {
  const value = evaluate(expression, run);
  if (value === MISSING) throw missingError(expression, run, remedy);
  return value;
}

const skipLoop: Remedy = (path) => `put the loop between @if(${path}) and @endif`;

function renderIf({ branches, otherwise }: If, run: Run): void {
  const branch = branches.find(({ condition }) => holds(condition, run));
  const body = branch?.body ?? otherwise;
  if (body) renderBlock(body, run);
}

function renderFor(node: For, run: Run): void {
  run.origin = 0;
  const start = integer(node.start, node, run);
  const end = integer(node.end, node, run);
  const step = node.step ? integer(node.step, node, run) : 1;
  if (step === 0) throw errorAt("template_type", run.unit, node.offset, "The step of range(…) must not be 0");
  const variable: Variable = { name: node.variable, value: start, key: undefined, origin: run.origin };
  run.variables.push(variable);
  for (let value = start; step > 0 ? value < end : value > end; value += step) {
    run.round(node.offset);
    variable.value = value;
    renderBlock(node.body, run);
  }
  run.variables.pop();
}

function integer(expression: Expression, { offset }: For, run: Run): number {
  const value = present(expression, run);
  const number = toNumber(value);
  if (number !== undefined && Number.isSafeInteger(number)) return number;
  const found = number === undefined ? typeName(value) : "a fraction or too large a number";
  throw errorAt("template_type", run.unit, offset, `range(…) requires whole numbers, got ${found}`);
}

function renderForeach(node: Foreach, run: Run): void {
  run.origin = 0;
  const collection = present(node.collection, run, skipLoop);
  if (typeof collection !== "object" || collection === null) {
    const message = `@foreach requires an array or object, got ${typeName(collection)}`;
    throw errorAt("template_type", run.unit, node.offset, message);
  }
  const isArray = Array.isArray(collection);
  const items = collection as Record<number | string, unknown>;
  const keys = isArray ? undefined : Object.keys(collection);
  const length = isArray ? collection.length : keys!.length;

  const keyVariable: Variable = {
    name: node.key ?? "",
    value: undefined,
    key: undefined,
    origin: run.origin,
  };
  const variable: Variable = { name: node.value, value: undefined, key: undefined, origin: run.origin };
  if (node.key !== undefined) run.variables.push(keyVariable);
  run.variables.push(variable);
  for (let index = 0; index < length; index++) {
    run.round(node.offset);
    const key = keys ? keys[index]! : index;
    keyVariable.value = key;
    variable.value = items[key];
    if (keys && node.key === undefined) variable.key = keys[index];
    renderBlock(node.body, run);
  }
  run.variables.length -= node.key === undefined ? 1 : 2;
}

function renderInclude({ path, lineBreak, offset }: Include, run: Run): void {
  const including = run.unit;
  const included = including.linked?.get(path);
  if (included === undefined)
    throw errorAt("internal", including, offset, `The included file was not loaded: ${path}`);
  run.round(offset);
  const before = run.out.length;
  run.unit = included;
  renderBlock(included.nodes, run);
  run.unit = including;
  // The directive's line went with it; a file without a final line break must not pull the next line up.
  if (lineBreak !== "" && run.out.length > before && !run.last.endsWith("\n")) run.emit(lineBreak);
}

function renderBlock(nodes: readonly Node[], run: Run): void {
  run.depth += 1;
  const { maxTemplateDepth } = run.unit.limits;
  if (run.depth > maxTemplateDepth) {
    throw errorAt(
      "template_limit",
      run.unit,
      undefined,
      `Blocks and included files are nested more than ${maxTemplateDepth} levels deep`,
    );
  }
  renderNodes(nodes, run);
  run.depth -= 1;
}
