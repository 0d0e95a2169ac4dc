import type { TemplateLimits } from "../template-api.ts";
import { parseBarePath } from "./compiled/path.ts";
import { declaredNames } from "./declared-names.ts";
import type { Expression, Node, Path } from "./parse/ast.ts";
import { isRoot, operandsOf } from "./parse/ast.ts";
import type { Mode } from "./parse/lexer.ts";
import { parse } from "./parse/parser.ts";
import { TemplateSyntaxError } from "./parse/syntax-error.ts";

export interface Reference {
  readonly root: "env" | "props" | "caller";
  /** The names after the root, up to one that is computed while rendering. */
  readonly path: readonly string[];
  /** Rendering goes on without it: another alternative follows, or it only decides a condition. */
  readonly hasFallback: boolean;
  readonly offset: number;
}

/** A name that cannot resolve: it begins with neither a root nor a variable of an enclosing loop. */
export interface UnknownName {
  /** The reference as it is written. */
  readonly text: string;
  readonly root: string;
  readonly offset: number;
  /** The loop variables it could have meant. */
  readonly variables: readonly string[];
}

export interface References {
  readonly references: readonly Reference[];
  readonly unknown: readonly UnknownName[];
  /** Included files as written, each with the loop variables it sees. */
  readonly includes: ReadonlyMap<string, readonly string[]>;
}

/**
 * What a text in the built-in language reads, in order, without rendering it: `text` for a setting, `template` for a
 * large text, `path` for a bare path. `variables` are those of the loops around, where it is an included file; the
 * schema says which odd names are declared. A text that cannot be parsed reads nothing; compiling it tells why.
 */
export function references(
  source: string,
  mode: Mode | "path",
  variables: readonly string[] = [],
  inputSchema?: unknown,
): References {
  const found = { references: [], unknown: [], includes: new Map() };
  try {
    const names = declaredNames(inputSchema);
    const walk = new ReferenceCollector(found);
    if (mode === "path") walk.expression(parseBarePath(source, LIMITS, names), true, variables);
    else walk.nodes(parse(source, mode, LIMITS, names).nodes, variables);
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
  }
  return found;
}

/** What a parsed text reads. */
export function nodeReferences(nodes: readonly Node[]): readonly Reference[] {
  const found = { references: [], unknown: [], includes: new Map() };
  new ReferenceCollector(found).nodes(nodes, []);
  return found.references;
}

/** Only the depth matters to parsing. */
const LIMITS: TemplateLimits = { maxTemplateDepth: 100, maxTemplateLoops: 0, maxTemplateOutput: 0 };

interface Found {
  readonly references: Reference[];
  readonly unknown: UnknownName[];
  readonly includes: Map<string, readonly string[]>;
}

/** `variables` are the names of the loops around, which hide the roots. */
class ReferenceCollector {
  readonly #found: Found;

  constructor(found: Found) {
    this.#found = found;
  }

  nodes(nodes: readonly Node[], variables: readonly string[]): void {
    for (const node of nodes) if (typeof node !== "string") this.#node(node, variables);
  }

  #node(node: Exclude<Node, string>, variables: readonly string[]): void {
    switch (node.type) {
      case "output":
        this.expression(node.expression, false, variables);
        break;
      case "if":
        for (const { condition, body } of node.branches) {
          this.expression(condition, true, variables);
          this.nodes(body, variables);
        }
        this.nodes(node.otherwise ?? [], variables);
        break;
      case "for":
        for (const bound of [node.start, node.end, node.step])
          if (bound) this.expression(bound, false, variables);
        this.nodes(node.body, [...variables, node.variable]);
        break;
      case "foreach":
        this.expression(node.collection, false, variables);
        this.nodes(node.body, [...variables, node.value, ...(node.key === undefined ? [] : [node.key])]);
        break;
      case "include": {
        const { includes } = this.#found;
        includes.set(node.path, [...new Set([...(includes.get(node.path) ?? []), ...variables])]);
      }
    }
  }

  expression(expression: Expression, hasFallback: boolean, variables: readonly string[]): void {
    if (expression.type === "path" && !variables.includes(expression.root))
      this.#path(expression, hasFallback, variables);
    const operands = operandsOf(expression);
    for (const [index, operand] of operands.entries()) {
      const hasAlternatives = expression.type === "fallback" || expression.type === "or";
      const isFollowed = hasAlternatives && index < operands.length - 1;
      this.expression(operand, hasFallback || isFollowed, variables);
    }
  }

  #path({ root, steps, offset, text, bare }: Path, hasFallback: boolean, variables: readonly string[]): void {
    if (isRoot(root)) {
      const computed = steps.findIndex((step) => typeof step !== "string");
      const path = (computed < 0 ? steps : steps.slice(0, computed)) as readonly string[];
      this.#found.references.push({
        root: root === "env" || root === "caller" ? root : "props",
        path,
        hasFallback,
        offset,
      });
    } else if (!bare) this.#found.unknown.push({ text, root, offset, variables });
  }
}
