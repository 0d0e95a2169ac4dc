import { closestMatch } from "@mci-ts/primitives/closest-match";
import type { Origin, Scope, TemplateLimits, TemplatePath } from "../../template-api.ts";
import type { DeclaredNames } from "../declared-names.ts";
import type { Path as PathNode } from "../parse/ast.ts";
import { isRoot } from "../parse/ast.ts";
import { parseExpression } from "../parse/expression.ts";
import { lexExpression } from "../parse/expression-lexer.ts";
import { parsePath } from "../parse/path.ts";
import { TemplateSyntaxError } from "../parse/syntax-error.ts";
import { TokenReader } from "../parse/token-reader.ts";
import { evaluate } from "../render/evaluate.ts";
import { MISSING, ORIGINS, RenderContext } from "../render/scope.ts";
import type { Unit, UnitOrigin } from "../unit.ts";

/** A path on its own, without braces. */
export class CompiledPath implements TemplatePath {
  readonly #path: PathNode;
  readonly #unit: Unit;

  /** Throws `TemplateSyntaxError`. */
  constructor(
    source: string,
    origin: UnitOrigin,
    limits: TemplateLimits,
    names?: DeclaredNames,
    envAllowList?: ReadonlySet<string>,
  ) {
    this.#path = parseBarePath(source, limits, names);
    this.#unit = {
      nodes: [],
      sole: undefined,
      includes: new Map(),
      warnings: [],
      source,
      origin,
      limits,
      envAllowList,
    };
  }

  resolve(scope: Scope): { value: unknown; origin: Origin } | undefined {
    const context = new RenderContext(scope, this.#unit);
    const value = evaluate(this.#path, context);
    return value === MISSING ? undefined : { value, origin: ORIGINS[context.origin]! };
  }
}

/** `props.name` to its node; the root has to be one that exists. */
export function parseBarePath(
  source: string,
  { maxTemplateDepth }: TemplateLimits,
  names?: DeclaredNames,
): PathNode {
  const braces = source.indexOf("{{");
  if (braces >= 0)
    throw new TemplateSyntaxError("a path stands here without braces", braces, "write it like props.name");
  const reader = new TokenReader(lexExpression(source, 0, 0, "", names).tokens, source, source.length);
  const isVariable = () => false;
  const index = () => parseExpression(reader, { maxDepth: maxTemplateDepth, isVariable });
  const path = parsePath(reader, isVariable, index);
  reader.expectEnd();
  if (isRoot(path.root)) return path;
  const suggestion = closestMatch(path.root, ["props", "env", "input", "properties"]);
  throw new TemplateSyntaxError(
    `a path begins with props or env, not ${path.root}`,
    path.offset,
    `write ${suggestion === undefined ? `props.${path.text}` : suggestion + path.text.slice(path.root.length)}`,
  );
}
