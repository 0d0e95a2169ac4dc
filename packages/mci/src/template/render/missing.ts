import { closestMatch } from "../../closest-match.ts";
import type { ToolError } from "../../errors.ts";
import type { Expression, Path } from "../parse/ast.ts";
import { isRoot, operandsOf, PROPS_ROOTS } from "../parse/ast.ts";
import { formatStep } from "../position.ts";
import { errorAt } from "../unit.ts";
import { evaluate } from "./evaluate.ts";
import { print, typeName } from "./print.ts";
import { field, MISSING, type Run } from "./scope.ts";

/** What helps where an optional property was not given. */
export type Remedy = (path: string) => string;

const fallback: Remedy = (path) => `add a fallback: {{${path} | ''}}`;

/**
 * The error for a placeholder or loop that came out missing: every path that was tried, the place, and what to do.
 * Names of variables may appear in it, values never.
 */
export function missingError(expression: Expression, run: Run, remedy: Remedy = fallback): ToolError {
  const missing = pathsIn(expression).filter((path) => evaluate(path, run) === MISSING);
  const names = [...new Set(missing.map((path) => path.text))];
  const shown = names.length > MOST_NAMES ? [...names.slice(0, MOST_NAMES), "…"] : names;
  const advice = missing.slice(0, MOST_NAMES).flatMap((path) => advise(path, expression, run, remedy) ?? []);
  const message = `Template variable not found: ${shown.join(", ")}`;
  return errorAt("template_missing", run.unit, missing[0]?.offset, message, [...new Set(advice)].join(" "));
}

/** Of a long chain of alternatives; nobody reads more. */
const MOST_NAMES = 10;

/** Whether the expression is nothing but declared properties that were not given. */
export function isAbsent(expression: Expression, run: Run): boolean {
  if (expression.type === "fallback")
    return expression.alternatives.every((alternative) => isAbsent(alternative, run));
  if (expression.type !== "path" || !PROPS_ROOTS.has(expression.root)) return false;
  const [name] = expression.steps;
  return typeof name === "string" && run.scope.absent.has(name);
}

function pathsIn(expression: Expression): Path[] {
  const inside = operandsOf(expression).flatMap(pathsIn);
  return expression.type === "path" ? [expression, ...inside] : inside;
}

function advise(path: Path, expression: Expression, run: Run, remedy: Remedy): string | undefined {
  if (isAbsent(path, run)) return `${path.text} is optional and was not given; ${remedy(path.text)}.`;
  if (!isKnownRoot(path.root, run)) return adviseRoot(path, expression, run);
  const { owner, ownerText, key } = lastOwner(path, run);
  if (typeof owner !== "object" || owner === null) return `${ownerText} is of type ${typeName(owner)}.`;
  // Of one or two letters every other name is near.
  const similar = key.length > 2 ? closestMatch(key, namesOf(owner)) : undefined;
  return similar === undefined ? undefined : `Did you mean ${ownerText}${formatStep(similar)}?`;
}

/** Names worth suggesting; the caller may have sent very many, or very long ones. */
function namesOf(owner: object): string[] {
  return Object.keys(owner)
    .slice(0, 1000)
    .filter((name) => name.length <= 64);
}

function adviseRoot(path: Path, expression: Expression, run: Run): string | undefined {
  const { root } = path;
  const step = formatStep(root);
  if (Object.hasOwn(run.scope.props, root)) return `Did you mean props${step}?`;
  if (Object.hasOwn(run.scope.env, root)) return `Did you mean env${step}?`;
  if (path.steps.length === 0 && expression.type === "fallback")
    return `To print the word itself, quote it: '${root}'.`;
  const similar = closestMatch(root, ["props", "env", ...run.variables.map(({ name }) => name)]);
  if (similar !== undefined) return `Did you mean ${similar}${path.text.slice(root.length)}?`;
  return "Names begin with props, env or a loop variable.";
}

function isKnownRoot(root: string, run: Run): boolean {
  return isRoot(root) || run.variables.some(({ name }) => name === root);
}

/** Not read through the run: looking around for an error message is not a use of env values. */
function rootValue(root: string, { variables, scope }: Run): unknown {
  const variable = variables.findLast(({ name }) => name === root);
  if (variable) return variable.value;
  return root === "env" ? scope.env : scope.props;
}

/** The last value the path reaches, how it is written, and the key that value does not have. */
function lastOwner(path: Path, run: Run): { owner: unknown; ownerText: string; key: string } {
  let owner = rootValue(path.root, run);
  let ownerText = path.root;
  for (const step of path.steps) {
    const key = typeof step === "string" ? step : evaluate(step, run);
    const next = field(owner, key);
    const text = (key === MISSING ? undefined : print(key)) ?? "?";
    if (next === undefined) return { owner, ownerText, key: text };
    owner = next;
    ownerText += formatStep(text);
  }
  return { owner, ownerText, key: "" };
}
