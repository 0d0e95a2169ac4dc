import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import type { SyntaxNode } from "@lezer/common";
import type { Path } from "./schema-at.ts";

/** Where the cursor is in the document: at a key of the object at `path`, or at the value at `path`. */
export interface CursorContext {
  readonly kind: "key" | "value";
  readonly path: Path;
  /** Keys that the object has besides. */
  readonly siblings: readonly string[];
  /** Whether a value follows the key already. */
  readonly hasValue: boolean;
  /** What a completion replaces. */
  readonly from: number;
  readonly to: number;
  /** What was typed so far, without quotes. */
  readonly typed: string;
}

const PARSE_MS = 100;

export function cursorContext(
  state: EditorState,
  position: number,
  language: "json" | "yaml",
): CursorContext | undefined {
  ensureSyntaxTree(state, position, PARSE_MS);
  return language === "json" ? jsonContext(state, position) : yamlContext(state, position);
}

function jsonContext(state: EditorState, position: number): CursorContext | undefined {
  const node = syntaxTree(state).resolveInner(position, -1);
  const word = currentWord(state, position, node);
  const inKey = node.name === "PropertyName";
  const pair = closest(node, "Property");
  const isValue =
    !inKey &&
    pair !== undefined &&
    state.sliceDoc(pair.from, word.from).includes(":") &&
    closest(node, "Object")?.from !== undefined &&
    closest(node, "Object")!.from <= pair.from;
  if (isValue) return { kind: "value", path: pathOf(state, pair), siblings: [], hasValue: true, ...word };
  const object = closest(inKey ? node.parent?.parent : node, "Object");
  if (object === undefined) return undefined;
  const hasValue = inKey && /^\s*:/.test(state.sliceDoc(node.to, node.to + 50));
  const own = inKey ? pair : undefined;
  const siblings = object
    .getChildren("Property")
    .filter((each) => each.from !== own?.from)
    .map((each) => keyOf(state, each));
  return { kind: "key", path: pathOf(state, object), siblings, hasValue, ...word };
}

/** YAML that is being typed is seldom a whole tree; its indentation says as much. */
function yamlContext(state: EditorState, position: number): CursorContext | undefined {
  const line = state.doc.lineAt(position);
  const before = state.sliceDoc(line.from, position);
  const [, lead = "", rest = ""] = /^([\s-]*)(.*)$/.exec(before) ?? [];
  const [, key, value] = /^([\w$.-]+):\s+(\S*)$/.exec(rest) ?? [];
  const parents = yamlParents(state, line.number, lead);
  if (key !== undefined) {
    const typed = value ?? "";
    return {
      kind: "value",
      path: [...parents, key],
      siblings: [],
      hasValue: true,
      from: position - typed.length,
      to: position,
      typed,
    };
  }
  if (!/^[\w$.-]*$/.test(rest)) return undefined;
  return {
    kind: "key",
    path: parents,
    siblings: [],
    hasValue: false,
    from: position - rest.length,
    to: position,
    typed: rest,
  };
}

/** Keys and list positions above a line, by indentation. A dash counts as part of the indentation of what follows it. */
function yamlParents(state: EditorState, number: number, lead: string): Path {
  const path: (string | number)[] = [];
  let indent = lead.length;
  if (lead.includes("-")) {
    path.unshift(0);
    indent = lead.indexOf("-");
  }
  for (let at = number - 1; at >= 1 && indent >= 0; at--) {
    const text = state.doc.line(at).text;
    const [, space = "", dash = "", key] = /^(\s*)(-\s+)?(?:([\w$.-]+):\s*)?/.exec(text) ?? [];
    if (text.trim() === "" || text.trim().startsWith("#")) continue;
    const column = space.length + dash.length;
    if (key !== undefined && column < indent) {
      path.unshift(key);
      indent = column;
    }
    if (dash !== "" && (space.length < indent || column === indent) && path[0] !== 0) {
      path.unshift(0);
      indent = space.length;
      continue;
    }
    // A list may stand at the column of its key.
    if (key !== undefined && path[0] === 0 && column === indent && dash === "") {
      path.unshift(key);
    }
    if (indent === 0 && path[0] !== 0) break;
  }
  return path;
}

/** Lists have one schema for all items, so any index does. */
function pathOf(state: EditorState, start: SyntaxNode): Path {
  const path: (string | number)[] = [];
  for (let node: SyntaxNode | null = start; node; node = node.parent) {
    if (node.name === "Property") path.unshift(keyOf(state, node));
    if (node.parent?.name === "Array") path.unshift(0);
  }
  return path;
}

function keyOf(state: EditorState, property: SyntaxNode): string {
  const key = property.getChild("PropertyName");
  return key ? state.sliceDoc(key.from, key.to).replaceAll('"', "") : "";
}

function closest(node: SyntaxNode | null | undefined, name: string): SyntaxNode | undefined {
  for (let each = node; each; each = each.parent) if (each.name === name) return each;
  return undefined;
}

/** The string or word around the cursor, with its quotes. */
function currentWord(
  state: EditorState,
  position: number,
  node: SyntaxNode,
): Pick<CursorContext, "from" | "to" | "typed"> {
  if ((node.name === "PropertyName" || node.name === "String") && node.from < position) {
    return {
      from: node.from,
      to: node.to,
      typed: state.sliceDoc(node.from, position).replaceAll('"', ""),
    };
  }
  const [typed] = /(?<!\w)\w*$/.exec(state.sliceDoc(Math.max(0, position - 50), position)) ?? [""];
  return { from: position - typed.length, to: position, typed };
}
