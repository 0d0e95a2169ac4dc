import { jsonLanguage } from "@codemirror/lang-json";
import { yamlLanguage } from "@codemirror/lang-yaml";
import type { SyntaxNode } from "@lezer/common";

/** Something that the file defines or includes, and where. */
export interface Definition {
  readonly kind: "tool" | "toolset" | "server";
  readonly name: string;
  /** Where its name stands. */
  readonly at: number;
  /** Where it begins. */
  readonly from: number;
}

/** The tools, toolsets and MCP servers of a text, in its order. A text that is being typed has those that can be read. */
export function outlineOf(text: string, language: "json" | "yaml"): Definition[] {
  const { topNode } = (language === "json" ? jsonLanguage : yamlLanguage).parser.parse(text);
  const root = firstOf(topNode, MAPPINGS);
  if (root === undefined) return [];
  const read = (node: SyntaxNode) => scalar(text.slice(node.from, node.to), language);
  const fields = new Map(entriesOf(root).map(({ key, value }) => [read(key), value]));
  const named = (kind: Definition["kind"], list: SyntaxNode | undefined) =>
    itemsOf(list).flatMap((item): Definition[] => {
      const name = entriesOf(item).find(({ key }) => read(key) === "name")?.value;
      return name === undefined ? [] : [{ kind, name: read(name), at: name.from, from: item.from }];
    });
  return [
    ...named("tool", fields.get("tools")),
    ...named("toolset", fields.get("toolsets")),
    ...entriesOf(fields.get("mcp_servers")).map(
      ({ key }): Definition => ({ kind: "server", name: read(key), at: key.from, from: key.from }),
    ),
  ].toSorted((a, b) => a.at - b.at);
}

const MAPPINGS: readonly string[] = ["Object", "BlockMapping", "FlowMapping"];
const LISTS: readonly string[] = ["Array", "BlockSequence", "FlowSequence"];
const PAIRS: readonly string[] = ["Property", "Pair"];
const KEYS: readonly string[] = ["PropertyName", "Key"];
/** Between the parts of a text, and no value themselves. */
const SIGNS = /^([:,{}[\]?-]|⚠|Comment|Anchor|Tag)$/;

function entriesOf(node: SyntaxNode | undefined) {
  if (node === undefined || !MAPPINGS.includes(node.name)) return [];
  return childrenOf(node).flatMap((pair) => {
    if (!PAIRS.includes(pair.name)) return [];
    const parts = childrenOf(pair);
    const key = parts.find(({ name }) => KEYS.includes(name));
    const value = parts.find((part) => part !== key && !SIGNS.test(part.name));
    return key && value ? [{ key, value }] : [];
  });
}

function itemsOf(node: SyntaxNode | undefined): SyntaxNode[] {
  if (node === undefined || !LISTS.includes(node.name)) return [];
  return childrenOf(node).flatMap((item) => {
    // An item of YAML is a dash and what follows it.
    const value = item.name === "Item" ? firstOf(item, MAPPINGS) : item;
    return value && MAPPINGS.includes(value.name) ? [value] : [];
  });
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}

/** Below documents, which YAML may have several of. */
function firstOf(node: SyntaxNode, names: readonly string[]): SyntaxNode | undefined {
  for (const child of childrenOf(node)) {
    if (names.includes(child.name)) return child;
    if (child.name === "Document") return firstOf(child, names);
  }
  return undefined;
}

function scalar(text: string, language: "json" | "yaml"): string {
  if (language === "yaml" && /^'.*'$/s.test(text)) return text.slice(1, -1).replaceAll("''", "'");
  try {
    return text.startsWith('"') ? String(JSON.parse(text)) : text;
  } catch {
    return text;
  }
}
