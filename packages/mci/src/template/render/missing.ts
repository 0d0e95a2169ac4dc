import { closestMatch } from "@mci-ts/primitives/closest-match";
import type { ToolError } from "../../errors.ts";
import { allowedEnv } from "../env-values.ts";
import type { Expression, Path } from "../parse/ast.ts";
import { isRoot, operandsOf, PROPS_ROOTS } from "../parse/ast.ts";
import { formatStep } from "../position.ts";
import { errorAt } from "../unit.ts";
import { evaluate } from "./evaluate.ts";
import { print, typeName } from "./print.ts";
import { field, MISSING, type RenderContext } from "./scope.ts";

/** What helps where an optional property was not given. */
export type Remedy = (path: string) => string;

const fallback: Remedy = (path) => `add a fallback: {{${path} | ''}}`;

/**
 * The error for a placeholder or loop that came out missing: every path that was tried, the place, and what to do.
 * Names of variables may appear in it, values never.
 */
export function missingError(
  expression: Expression,
  context: RenderContext,
  remedy: Remedy = fallback,
): ToolError {
  const missing = pathsIn(expression).filter((path) => evaluate(path, context) === MISSING);
  const names = [...new Set(missing.map((path) => path.text))];
  const listed = names.length > MAX_NAMES ? [...names.slice(0, MAX_NAMES), "…"] : names;
  const advice = missing
    .slice(0, MAX_NAMES)
    .flatMap((path) => advise(path, expression, context, remedy) ?? []);
  const message = `Template variable not found: ${listed.join(", ")}`;
  return errorAt(
    "template_missing",
    context.unit,
    missing[0]?.offset,
    message,
    [...new Set(advice)].join(" "),
  );
}

/** Names in one message. */
const MAX_NAMES = 10;

/** Whether the expression is nothing but declared properties that were not given. */
export function isAbsent(expression: Expression, context: RenderContext): boolean {
  if (expression.type === "fallback")
    return expression.alternatives.every((alternative) => isAbsent(alternative, context));
  if (expression.type !== "path" || !PROPS_ROOTS.has(expression.root)) return false;
  const [name] = expression.steps;
  return typeof name === "string" && context.scope.absent.has(name);
}

function pathsIn(expression: Expression): Path[] {
  const inside = operandsOf(expression).flatMap(pathsIn);
  return expression.type === "path" ? [expression, ...inside] : inside;
}

function advise(
  path: Path,
  expression: Expression,
  context: RenderContext,
  remedy: Remedy,
): string | undefined {
  if (isAbsent(path, context)) return `${path.text} is optional and was not given; ${remedy(path.text)}.`;
  if (!isKnownRoot(path.root, context)) return adviseRoot(path, expression, context);
  if (path.root === "caller" && context.scope.caller === undefined)
    return "Only requests with a token of an issuer have a caller (mci run --oauth-issuer).";
  const { owner, ownerText, key } = lastOwner(path, context);
  if (ownerText === "env" && Object.hasOwn(context.scope.env, key))
    return `envAllowList does not name ${key}.`;
  if (typeof owner !== "object" || owner === null) return `${ownerText} is of type ${typeName(owner)}.`;
  // Every other name is near one of one or two letters.
  const similar = key.length > 2 ? closestMatch(key, namesOf(owner)) : undefined;
  return similar === undefined ? undefined : `Did you mean ${ownerText}${formatStep(similar)}?`;
}

/** Names worth suggesting; the caller may have sent very many, or very long ones. */
function namesOf(owner: object): string[] {
  return Object.keys(owner)
    .slice(0, 1000)
    .filter((name) => name.length <= 64);
}

function adviseRoot(path: Path, expression: Expression, context: RenderContext): string | undefined {
  const { root } = path;
  const step = formatStep(root);
  if (Object.hasOwn(context.scope.props, root)) return `Did you mean props${step}?`;
  if (Object.hasOwn(envOf(context), root)) return `Did you mean env${step}?`;
  if (path.steps.length === 0 && expression.type === "fallback")
    return `To print the word itself, quote it: '${root}'.`;
  const similar = closestMatch(root, ["props", "env", ...context.variables.map(({ name }) => name)]);
  if (similar !== undefined) return `Did you mean ${similar}${path.text.slice(root.length)}?`;
  const quoted = expression.type === "fallback" ? ` To print the text itself, quote it: '${path.text}'.` : "";
  return `Names begin with props, env or a loop variable.${quoted}`;
}

function isKnownRoot(root: string, context: RenderContext): boolean {
  return isRoot(root) || context.variables.some(({ name }) => name === root);
}

/** Not read through the run: looking around for an error message is not a use of env values. */
function rootValue(root: string, context: RenderContext): unknown {
  const variable = context.variables.findLast(({ name }) => name === root);
  if (variable) return variable.value;
  if (root === "caller") return context.scope.caller;
  return root === "env" ? envOf(context) : context.scope.props;
}

function envOf({ scope, unit }: RenderContext): Readonly<Record<string, unknown>> {
  return allowedEnv(scope.env, unit.envAllowList);
}

/** The last value the path reaches, how it is written, and the key that value does not have. */
function lastOwner(path: Path, context: RenderContext): { owner: unknown; ownerText: string; key: string } {
  let owner = rootValue(path.root, context);
  let ownerText = path.root;
  for (const step of path.steps) {
    const key = typeof step === "string" ? step : evaluate(step, context);
    const next = field(owner, key);
    const text = (key === MISSING ? undefined : print(key)) ?? "?";
    if (next === undefined) return { owner, ownerText, key: text };
    owner = next;
    ownerText += formatStep(text);
  }
  return { owner, ownerText, key: "" };
}
