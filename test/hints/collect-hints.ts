import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAst } from "rolldown/parseAst";

/**
 * Every piece of advice in the source of a package, with … where a value is put in: what is given as a property, variable
 * or argument called `hint` (or the like), and what functions and constants of such a name give.
 */
export function collectHints(packageName: string): ReadonlySet<string> {
  const root = fileURLToPath(new URL(`../../packages/${packageName}/src/`, import.meta.url));
  const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/\.(test|fuzz|d)\.ts$/.test(file))
    .map((file) => readFileSync(join(root, file), "utf8"));
  const { yes: named = [], no: others = [] } = Object.groupBy(sources, (text) =>
    NAMED.test(text) ? "yes" : "no",
  );
  const declaring = named.map(nodesOf);
  const parameters = new Map(declaring.flatMap((nodes) => [...advisedFunctions(nodes)]));
  // A call may give a hint without saying so; what calls none of these functions need not be parsed.
  const call = new RegExp(`\\b(?:${[...parameters.keys()].join("|")})\\s*[(<]`);
  const calling = others.filter((text) => call.test(text)).map(nodesOf);
  return new Set(
    [...declaring, ...calling].flatMap((nodes) => [...hintsIn(nodes, parameters)]).filter(isSentence),
  );
}

const nodesOf = (text: string) => descendants(parseAst(text, { lang: "ts" }) as unknown as Node);

/** Whether a text shows a collected hint, with any value in place of each …. */
export function showsHint(text: string, hint: string): boolean {
  let end = 0;
  return hint.split("…").every((part) => {
    const at = text.indexOf(part, end);
    end = at + part.length;
    return at >= 0;
  });
}

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

const NAMED = /hint|advice|advise|remedy|didYouMean/i;

/** Functions and classes that take a hint, and as which argument. */
function* advisedFunctions(nodes: readonly Node[]): Generator<[string, number]> {
  for (const node of nodes) {
    const { name, callable } = callableOf(node);
    const parameters = (callable?.params ?? []) as Node[];
    const at = parameters.findIndex((parameter) => NAMED.test(nameOf(parameter)));
    if (name !== "" && at >= 0) yield [name, at];
  }
}

function callableOf(node: Node): { name: string; callable?: Node } {
  if (node.type === "FunctionDeclaration") return { name: nameOf(node.id as Node), callable: node };
  if (node.type === "VariableDeclarator" && (node.init as Node | null)?.type === "ArrowFunctionExpression")
    return { name: nameOf(node.id as Node), callable: node.init as Node };
  if (node.type === "ClassDeclaration") {
    const members = (node.body as { body: Node[] }).body;
    const made = members.find(({ kind }) => kind === "constructor");
    return { name: nameOf(node.id as Node), callable: made?.value as Node | undefined };
  }
  return { name: "" };
}

function* hintsIn(nodes: readonly Node[], parameters: ReadonlyMap<string, number>): Generator<string> {
  for (const node of nodes) {
    if (node.type === "Property" && NAMED.test(nameOf(node.key as Node))) yield* texts(node.value as Node);
    if (node.type === "VariableDeclarator" && NAMED.test(nameOf(node.id as Node)))
      yield* texts(node.init as Node | null);
    if (node.type === "AssignmentPattern" && NAMED.test(nameOf(node.left as Node)))
      yield* texts(node.right as Node);
    if (node.type === "CallExpression" || node.type === "NewExpression") {
      const at = parameters.get(nameOf(node.callee as Node));
      if (at !== undefined) yield* texts((node.arguments as Node[])[at] ?? null);
    }
    const { name, callable } = callableOf(node);
    if (callable !== undefined && NAMED.test(name)) {
      yield* texts(callable.body as Node);
      for (const inner of descendants(callable))
        if (inner.type === "ReturnStatement") yield* texts(inner.argument as Node | null);
    }
  }
}

/** The texts that an expression may give. */
function* texts(node: Node | null): Generator<string> {
  if (node === null) return;
  switch (node.type) {
    case "Literal":
      if (typeof node.value === "string") yield node.value;
      break;
    case "TemplateLiteral":
      yield (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join("…");
      break;
    case "ConditionalExpression":
      yield* texts(node.consequent as Node);
      yield* texts(node.alternate as Node);
      break;
    case "LogicalExpression":
      yield* texts(node.left as Node);
      yield* texts(node.right as Node);
      break;
    case "BinaryExpression": {
      const [left = "…"] = texts(node.left as Node);
      const [right = "…"] = texts(node.right as Node);
      yield left + right;
      break;
    }
    case "ObjectExpression":
      for (const { value } of node.properties as { value?: Node }[]) yield* texts(value ?? null);
      break;
    case "ArrowFunctionExpression":
      yield* texts(node.body as Node);
      break;
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "ParenthesizedExpression":
      yield* texts(node.expression as Node);
  }
}

function nameOf(node: Node | null): string {
  if (node?.type === "AssignmentPattern") return nameOf(node.left as Node);
  const name = node?.name ?? (node?.key as Node | undefined)?.name;
  return typeof name === "string" ? name : "";
}

/** The node and all below it. One list: generators inside each other would pass on every node at every level. */
function descendants(root: Node): readonly Node[] {
  const nodes = [root];
  for (const node of nodes)
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value])
        if (typeof child === "object" && child !== null && "type" in child) nodes.push(child as Node);
  return nodes;
}

/** Not the names of fields and options that stand beside them. */
function isSentence(text: string): boolean {
  return /\S\s+\S/.test(text);
}
