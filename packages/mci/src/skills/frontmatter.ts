import { isObject } from "@mci-ts/primitives/is-object";
import { isNode, parseDocument, visit } from "yaml";
import type { McpSkill } from "../mcp/protocol.ts";

const MAX_CHARS = 64 * 1024;
const MAX_DEPTH = 32;
const MAX_NAME = 64;
const MAX_DESCRIPTION = 1024;

/** The frontmatter of a SKILL.md, checked. Throws an error that says what is wrong with it. */
export function readFrontmatter(markdown: string): McpSkill["frontmatter"] {
  const text = markdown
    .slice(0, MAX_CHARS + 8)
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n");
  const rest = text.startsWith("---\n") ? text.slice(4) : "";
  const end = /^---[ \t]*$/m.exec(rest);
  if (end === null)
    throw new Error(
      `SKILL.md must begin with frontmatter between two lines of "---", of at most ${MAX_CHARS} characters`,
    );
  const fields = parseFrontmatter(rest.slice(0, end.index));
  const { name, description } = fields;
  if (typeof name !== "string" || name.length > MAX_NAME || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))
    throw new Error(
      `the name must be at most ${MAX_NAME} lower-case letters, digits and single hyphens between them`,
    );
  if (typeof description !== "string" || description.trim() === "" || description.length > MAX_DESCRIPTION)
    throw new Error(`the description must have 1 to ${MAX_DESCRIPTION} characters`);
  return { ...fields, name, description };
}

/** YAML as plain JSON data: no tags, aliases or keys that are not texts, and nothing that JSON cannot say. */
export function parseFrontmatter(yaml: string): Record<string, unknown> {
  if (yaml.length > MAX_CHARS) throw new Error(`it has more than ${MAX_CHARS} characters`);
  const document = parseDocument(yaml, {
    schema: "core",
    uniqueKeys: true,
    merge: false,
    stringKeys: true,
    prettyErrors: true,
  });
  const [error] = [...document.errors, ...document.warnings];
  if (error !== undefined) throw new Error(error.message.split("\n", 1)[0]!.replace(/:$/, ""));
  visit(document, (_, node) => {
    if (isNode(node) && isMarked(node)) throw new Error("it has a tag or an anchor");
  });
  const data: unknown = document.toJS({ maxAliasCount: 0 });
  if (!isObject(data)) throw new Error("it must be a mapping of keys to values");
  check(data, 0);
  return data;
}

function isMarked(node: { tag?: string; anchor?: string }): boolean {
  return node.tag !== undefined || node.anchor !== undefined;
}

function check(value: unknown, depth: number): void {
  if (depth > MAX_DEPTH) throw new Error(`it is nested more than ${MAX_DEPTH} levels deep`);
  if (value === null || typeof value === "string" || typeof value === "boolean") return;
  if (typeof value === "number" && Number.isFinite(value)) return;
  if (Array.isArray(value)) for (const item of value) check(item, depth + 1);
  else if (isObject(value))
    for (const [key, item] of Object.entries(value)) {
      if (key === "__proto__") throw new Error("the key __proto__ is not allowed");
      check(item, depth + 1);
    }
  else throw new Error("it has a value that JSON cannot express");
}
