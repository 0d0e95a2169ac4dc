import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LIMITS, render } from "./world.ts";

/*
 * Any nesting of valid blocks renders as a naive evaluator says. The tree here is the test's own; it is written out as
 * source text for the engine, and evaluated directly for the expectation.
 */
type Tree =
  | { kind: "text"; text: string }
  | { kind: "output"; name: string; other: string | undefined }
  | { kind: "if"; branches: { condition: Condition; body: Tree[] }[]; otherwise: Tree[] | undefined }
  | { kind: "for"; from: number; to: number; body: Tree[] }
  | { kind: "foreach"; list: "list" | "empty"; body: Tree[] };
type Condition =
  | { kind: "truth"; name: string }
  | { kind: "compare"; name: string; operator: "==" | "!=" | ">" | "<="; number: number }
  | { kind: "and" | "or"; left: Condition; right: Condition }
  | { kind: "not"; of: Condition };

const VALUES: Record<string, unknown> = { n: 2, zero: 0, t: true, f: false, s: "word", nothing: null };
const LISTS = { list: [1, 2, 3], empty: [] };
const name = fc.constantFrom(...Object.keys(VALUES), "missing", "loop");
const numeric = fc.constantFrom("n", "zero", "missing", "nothing");

const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { depthSize: "small" },
    fc.record({ kind: fc.constant("truth" as const), name }),
    fc.record({
      kind: fc.constant("compare" as const),
      name: numeric,
      operator: fc.constantFrom("==", "!=", ">", "<="),
      number: fc.integer({ min: -1, max: 3 }),
    }),
    fc.record({
      kind: fc.constantFrom("and" as const, "or" as const),
      left: tie("condition"),
      right: tie("condition"),
    }),
    fc.record({ kind: fc.constant("not" as const), of: tie("condition") }),
  ),
}));

const { body } = fc.letrec<{ body: Tree[]; tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small" },
    fc.record({
      kind: fc.constant("text" as const),
      text: fc.string({ unit: fc.constantFrom("x", "y", " ", "-", "é"), maxLength: 4 }),
    }),
    fc.record({
      kind: fc.constant("output" as const),
      name,
      other: fc.constantFrom(undefined, "", "other", "it's", "}}"),
    }),
    fc.record({
      kind: fc.constant("if" as const),
      branches: fc.array(fc.record({ condition, body: tie("body") }), { minLength: 1, maxLength: 3 }),
      otherwise: fc.option(tie("body"), { nil: undefined }),
    }),
    fc.record({
      kind: fc.constant("for" as const),
      from: fc.integer({ min: 0, max: 2 }),
      to: fc.integer({ min: 0, max: 3 }),
      body: tie("body"),
    }),
    fc.record({
      kind: fc.constant("foreach" as const),
      list: fc.constantFrom("list" as const, "empty" as const),
      body: tie("body"),
    }),
  ),
  body: fc.array(tie("tree"), { maxLength: 4, depthIdentifier: "body" }),
}));

const pathOf = (variable: string) => (variable === "loop" ? "loop" : `props.${variable}`);

function sourceOf(trees: Tree[]): string {
  return trees.map(oneSource).join("");
}

function oneSource(tree: Tree): string {
  switch (tree.kind) {
    case "text":
      return tree.text;
    case "output":
      return `{{ ${pathOf(tree.name)} | '${tree.other ?? "none"}' }}`;
    case "if": {
      const branches = tree.branches.map(
        (branch, index) =>
          `@${index ? "elseif" : "if"}(${conditionSource(branch.condition)})${sourceOf(branch.body)}`,
      );
      return `${branches.join("")}${tree.otherwise ? `@else${sourceOf(tree.otherwise)}` : ""}@endif`;
    }
    case "for":
      return `@for(loop in range(${tree.from}, ${tree.to}))${sourceOf(tree.body)}@endfor`;
    case "foreach":
      return `@foreach(loop in props.${tree.list})${sourceOf(tree.body)}@endforeach`;
  }
}

function conditionSource(condition: Condition): string {
  switch (condition.kind) {
    case "truth":
      return pathOf(condition.name);
    case "compare":
      return `${pathOf(condition.name)} ${condition.operator} ${condition.number}`;
    case "not":
      return `not (${conditionSource(condition.of)})`;
    default:
      return `(${conditionSource(condition.left)}) ${condition.kind} (${conditionSource(condition.right)})`;
  }
}

/** `loop` is the value of the innermost loop's variable. */
function expectedOf(trees: Tree[], loop?: number): string {
  return trees.map((tree) => oneExpected(tree, loop)).join("");
}

function oneExpected(tree: Tree, loop: number | undefined): string {
  switch (tree.kind) {
    case "text":
      return tree.text;
    case "output":
      return String(read(tree.name, loop) ?? tree.other ?? "none");
    case "if": {
      const branch = tree.branches.find(({ condition }) => holds(condition, loop));
      return expectedOf(branch?.body ?? tree.otherwise ?? [], loop);
    }
    case "for": {
      const numbers = Array.from(
        { length: Math.max(0, tree.to - tree.from) },
        (_, index) => tree.from + index,
      );
      return numbers.map((number) => expectedOf(tree.body, number)).join("");
    }
    case "foreach":
      return LISTS[tree.list].map((item) => expectedOf(tree.body, item)).join("");
  }
}

function holds(condition: Condition, loop: number | undefined): boolean {
  switch (condition.kind) {
    case "truth":
      return Boolean(read(condition.name, loop));
    case "compare": {
      const value = (read(condition.name, loop) ?? null) as number | null;
      if (condition.operator === "==") return value === condition.number;
      if (condition.operator === "!=") return value !== condition.number;
      if (value === null) return false;
      return condition.operator === ">" ? value > condition.number : value <= condition.number;
    }
    case "not":
      return !holds(condition.of, loop);
    case "and":
      return holds(condition.left, loop) && holds(condition.right, loop);
    case "or":
      return holds(condition.left, loop) || holds(condition.right, loop);
  }
}

function read(variable: string, loop: number | undefined): unknown {
  return variable === "loop" ? loop : VALUES[variable];
}

describe("[T-if] any nesting of blocks", () => {
  test("renders as a naive evaluator says", () => {
    fc.assert(
      fc.property(body, (trees) => {
        const limits = { ...LIMITS, maxTemplateOutput: 10_000_000 };
        expect(render(sourceOf(trees), { props: { ...VALUES, ...LISTS }, limits })).toBe(expectedOf(trees));
      }),
      { numRuns: 250 },
    );
  });
});
