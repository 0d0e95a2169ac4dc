import type { Expression, For, Foreach, If, Include, Node, Output } from "../parse/ast.ts";
import { errorAt } from "../unit.ts";
import { evaluate, isConditionTrue } from "./evaluate.ts";
import { missingError, type Remedy } from "./missing.ts";
import { toNumber } from "./number.ts";
import { print, typeName } from "./print.ts";
import { MISSING, type RenderContext, type Variable } from "./scope.ts";

/** Tree to text: appends to `run.out`. */
export function renderNodes(nodes: readonly Node[], context: RenderContext): void {
  for (const node of nodes) {
    if (typeof node === "string") context.emit(node);
    else RENDER[node.type](node as never, context);
  }
}

const RENDER = {
  output: (node: Output, context: RenderContext) =>
    context.emit(printValue(requireValue(node.expression, context), node, context)),
  if: renderIf,
  for: renderFor,
  foreach: renderForeach,
  include: renderInclude,
};

/** A value as text, for the placeholder that gave it. */
export function printValue(value: unknown, { offset }: Output, context: RenderContext): string {
  const text = print(value);
  if (text !== undefined) return text;
  throw errorAt("template_type", context.unit, offset, `The ${typeName(value)} cannot be written as JSON`);
}

/** The value of an expression that has to have one. */
function requireValue(expression: Expression, context: RenderContext, remedy?: Remedy): unknown {
  const value = evaluate(expression, context);
  if (value === MISSING) throw missingError(expression, context, remedy);
  return value;
}

const skipLoop: Remedy = (path) => `put the loop between @if(${path}) and @endif`;

function renderIf({ branches, otherwise }: If, context: RenderContext): void {
  const branch = branches.find(({ condition }) => isConditionTrue(condition, context));
  const body = branch?.body ?? otherwise;
  if (body) renderBlock(body, context);
}

function renderFor(node: For, context: RenderContext): void {
  context.origin = 0;
  const start = integer(node.start, node, context);
  const end = integer(node.end, node, context);
  const step = node.step ? integer(node.step, node, context) : 1;
  if (step === 0)
    throw errorAt("template_type", context.unit, node.offset, "The step of range(…) must not be 0");
  const variable: Variable = { name: node.variable, value: start, key: undefined, origin: context.origin };
  context.variables.push(variable);
  for (let value = start; step > 0 ? value < end : value > end; value += step) {
    context.countIteration(node.offset);
    variable.value = value;
    renderBlock(node.body, context);
  }
  context.variables.pop();
}

function integer(expression: Expression, { offset }: For, context: RenderContext): number {
  const value = requireValue(expression, context);
  const number = toNumber(value);
  if (typeof number === "number" && Number.isSafeInteger(number)) return number;
  const found = number === undefined ? typeName(value) : "a fraction or too large a number";
  throw errorAt("template_type", context.unit, offset, `range(…) requires whole numbers, got ${found}`);
}

function renderForeach(node: Foreach, context: RenderContext): void {
  context.origin = 0;
  const collection = requireValue(node.collection, context, skipLoop);
  if (typeof collection !== "object" || collection === null) {
    const message = `@foreach requires an array or object, got ${typeName(collection)}`;
    throw errorAt("template_type", context.unit, node.offset, message);
  }
  const isArray = Array.isArray(collection);
  const items = collection as Record<number | string, unknown>;
  const keys = isArray ? undefined : context.comparisons.keysOf(collection);
  const length = isArray ? collection.length : keys!.length;

  const keyVariable: Variable = {
    name: node.key ?? "",
    value: undefined,
    key: undefined,
    origin: context.origin,
  };
  const variable: Variable = { name: node.value, value: undefined, key: undefined, origin: context.origin };
  if (node.key !== undefined) context.variables.push(keyVariable);
  context.variables.push(variable);
  for (let index = 0; index < length; index++) {
    context.countIteration(node.offset);
    const key = keys ? keys[index]! : index;
    keyVariable.value = key;
    variable.value = items[key];
    if (keys && node.key === undefined) variable.key = keys[index];
    renderBlock(node.body, context);
  }
  context.variables.length -= node.key === undefined ? 1 : 2;
}

function renderInclude({ path, lineBreak, offset }: Include, context: RenderContext): void {
  const including = context.unit;
  const included = including.linked?.get(path);
  if (included === undefined)
    throw errorAt("internal", including, offset, `The included file was not loaded: ${path}`);
  context.countIteration(offset);
  const before = context.out.length;
  context.unit = included;
  renderBlock(included.nodes, context);
  context.unit = including;
  // The directive's line went with it; a file without a final line break must not pull the next line up.
  if (lineBreak !== "" && context.out.length > before && !context.last.endsWith("\n"))
    context.emit(lineBreak);
}

function renderBlock(nodes: readonly Node[], context: RenderContext): void {
  context.depth += 1;
  const { maxTemplateDepth } = context.unit.limits;
  if (context.depth > maxTemplateDepth) {
    throw errorAt(
      "template_limit",
      context.unit,
      undefined,
      `Blocks and included files are nested more than ${maxTemplateDepth} levels deep`,
    );
  }
  renderNodes(nodes, context);
  context.depth -= 1;
}
