import { declaredNames } from "../template/declared-names.ts";
import {
  type Comparison,
  type Expression,
  type Node,
  operandsOf,
  type Path,
  PROPS_ROOTS,
} from "../template/parse/ast.ts";
import { parse } from "../template/parse/parser.ts";
import { TemplateSyntaxError } from "../template/parse/syntax-error.ts";
import { toNumber } from "../template/render/number.ts";
import { type PropertyLookup, propertyLookup } from "./input-properties.ts";

/** Something in a text that has an effect, but probably not the one that is meant. */
export interface TemplateWarning {
  readonly offset: number;
  readonly message: string;
  readonly hint: string;
}

/** Warnings about a text of the built-in language, "text" being a setting and "template" a large text. */
export function templateWarnings(
  source: string,
  mode: "text" | "template",
  inputSchema: unknown,
): TemplateWarning[] {
  const walk = new WarningCollector(propertyLookup(inputSchema));
  try {
    const { nodes, sole } = parse(source, mode, { maxTemplateDepth: 100 }, declaredNames(inputSchema));
    // Alone in a setting it takes its key or item with it.
    if (mode === "template" || sole === undefined) walk.nodes(nodes, new Set());
    else walk.comparisons(sole.expression);
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error; // The loader reports it.
  }
  return [...escapedPlaceholders(source), ...walk.warnings].sort((a, b) => a.offset - b.offset);
}

/** The lexer's rule: glued to what is before it the `@` is itself, as in mail addresses. */
const ESCAPED = /(?<![\p{L}\p{N}_.+%)\]}-])@(\{\{|\{!!)\s*((?:props|env|input|properties)[.[][^}\s!|]*)/gu;

/** In other adapters `@{{props.x}}` is an @ and a value. */
function escapedPlaceholders(source: string): TemplateWarning[] {
  if (source.includes("@verbatim")) return [];
  return [...source.matchAll(ESCAPED)].map(({ index, 2: path }) => ({
    offset: index,
    message: `The @ is an escape: this prints {{${path}}}, not its value`,
    hint: `for an @ and the value write {{'@'}}{{${path}}}; to print braces, ignore this`,
  }));
}

class WarningCollector {
  readonly warnings: TemplateWarning[] = [];
  readonly #property: PropertyLookup;

  constructor(property: PropertyLookup) {
    this.#property = property;
  }

  /** `checked`: properties that a condition around has looked at. */
  nodes(nodes: readonly Node[], checked: ReadonlySet<string>): void {
    for (const node of nodes) {
      if (typeof node === "string") continue;
      if (node.type === "output") this.#printed(node.expression, checked);
      else if (node.type === "if") {
        let checkedHere = checked;
        for (const { condition, body } of node.branches) {
          this.comparisons(condition);
          checkedHere = new Set([...checkedHere, ...namesIn(condition)]);
          this.nodes(body, checkedHere);
        }
        this.nodes(node.otherwise ?? [], checkedHere);
      } else if (node.type === "for" || node.type === "foreach") this.nodes(node.body, checked);
    }
  }

  /** A property that is printed, and fails the call if it is not given. */
  #printed(expression: Expression, checked: ReadonlySet<string>): void {
    this.comparisons(expression);
    if (expression.type !== "path") return;
    const name = nameOf(expression);
    if (name === undefined || checked.has(name) || !this.#property(name)?.isOptional) return;
    const { offset, text } = expression;
    this.warnings.push({
      offset,
      message: `'${text}' is optional, and a call without it fails here`,
      hint: `write a fallback: {{${text} | ''}}`,
    });
  }

  /** Comparisons of a boolean with 0 or 1, which never hold, and of texts with numbers, which other adapters decide otherwise. */
  comparisons(expression: Expression): void {
    if (expression.type === "comparison" && (expression.operator === "==" || expression.operator === "!="))
      this.#equality(expression);
    for (const operand of operandsOf(expression)) this.comparisons(operand);
  }

  #equality({ left, right, operator, offset }: Comparison): void {
    const [path, other] = left.type === "path" ? [left, right] : [right, left];
    if (path.type !== "path") return;
    const [type, otherType] = [this.#typeOf(path), this.#typeOf(other)];
    const addWarning = (message: string, hint: string) => this.warnings.push({ offset, message, hint });
    if (other.type !== "literal") {
      if (isTextAndNumber(type, otherType))
        addWarning(
          'A text and a number are compared: here "1" equals 1, in mci-py it never does',
          "give both the same type in inputSchema",
        );
      return;
    }
    const { value } = other;
    if (type === "boolean" && (value === 0 || value === 1))
      addWarning(
        `'${path.text}' is a boolean, and never equal to ${value}`,
        `write ${path.text} ${operator} ${value === 1}`,
      );
    if (!isTextAndNumber(type, otherType)) return;
    const [kind, same] = type === "string" ? ["text", `'${value}'`] : ["a number", `${toNumber(value)}`];
    addWarning(
      `'${path.text}' is ${kind}: here "1" equals 1, in mci-py it never does`,
      `compare ${kind} with ${kind}: write ${path.text} ${operator} ${same}`,
    );
  }

  /** The only type that a value can have, where that is known. Variables of env are texts. */
  #typeOf(expression: Expression): string | undefined {
    if (expression.type === "literal") {
      const { value } = expression;
      // Only a text that spells a number can equal one.
      return typeof value === "string" && toNumber(value) === undefined ? undefined : typeof value;
    }
    if (expression.type !== "path") return undefined;
    if (expression.root === "env") return "string";
    const name = nameOf(expression);
    return name === undefined ? undefined : this.#property(name)?.type;
  }
}

function isTextAndNumber(a: string | undefined, b: string | undefined): boolean {
  return (a === "string" && b === "number") || (a === "number" && b === "string");
}

/** The property that a path is, if it is one: `props.name`. */
function nameOf({ root, steps: [name, ...rest] }: Path): string | undefined {
  return PROPS_ROOTS.has(root) && typeof name === "string" && rest.length === 0 ? name : undefined;
}

function namesIn(expression: Expression): string[] {
  const own =
    expression.type === "path" && PROPS_ROOTS.has(expression.root) ? expression.steps.slice(0, 1) : [];
  return [...own.filter((step) => typeof step === "string"), ...operandsOf(expression).flatMap(namesIn)];
}
