import { isDeepStrictEqual } from "node:util";
import { isObject } from "@mci-ts/primitives/is-object";
import { applyEdits, findNodeAtLocation, modify, parseTree, visit } from "jsonc-parser";
import { formatting } from "../edit/edit-json.ts";
import { parseLooseDocument } from "../import/parse-loose.ts";
import type { ClientInput } from "./client.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * The text with the entry in its list, and the inputs that the list `inputs` has not yet. Comments and everything else
 * stay. Undefined where that is not possible with this text.
 */
export function setJsonEntry(
  source: string,
  list: string,
  name: string,
  entry: Json,
  inputs: readonly ClientInput[],
): { readonly text: string; readonly lostComments: boolean } | undefined {
  const mark = source.startsWith("\uFEFF") ? "\uFEFF" : "";
  const content = source.slice(mark.length).trim() === "" ? "{}\n" : source.slice(mark.length);
  const before = parseLooseDocument(content, "The configuration");
  if (!isObject(before) || !isObject(before[list] ?? {})) return undefined;
  const oldInputs = before.inputs ?? [];
  if (inputs.length > 0 && !Array.isArray(oldInputs)) return undefined;
  const known = new Set(Array.isArray(oldInputs) ? oldInputs.map((each) => isObject(each) && each.id) : []);
  const newInputs = inputs.filter(({ id }) => !known.has(id));

  const formattingOptions = formatting(content) ?? { insertSpaces: true, tabSize: 2, eol: "\n" };
  let text = content;
  const set = (path: (string | number)[], value: unknown, isArrayInsertion = false) => {
    text = applyEdits(text, modify(text, path, value, { formattingOptions, isArrayInsertion }));
  };
  if (newInputs.length > 0 && before.inputs === undefined) set(["inputs"], newInputs);
  else
    for (const [index, input] of newInputs.entries())
      set(["inputs", (oldInputs as unknown[]).length + index], input, true);
  set([list, name], entry);

  const expected = {
    ...before,
    ...(newInputs.length > 0 ? { inputs: [...(oldInputs as unknown[]), ...newInputs] } : {}),
    [list]: { ...(before[list] as object | undefined), [name]: entry },
  };
  if (!isDeepStrictEqual(parseLooseDocument(text, "The result"), expected)) return undefined;
  return { text: mark + text, lostComments: hasComments(content, [list, name]) };
}

/** The text with another value at this place. */
export function setJsonValue(source: string, path: (string | number)[], value: unknown): string {
  const formattingOptions = formatting(source) ?? { insertSpaces: true, tabSize: 2, eol: "\n" };
  return applyEdits(source, modify(source, path, value, { formattingOptions }));
}

/** What the list has under this name. */
export function jsonEntry(source: string, list: string, name: string, file: string): unknown {
  if (source.trim() === "") return undefined;
  const document = parseLooseDocument(source, file);
  const servers = isObject(document) ? document[list] : undefined;
  return isObject(servers) && Object.hasOwn(servers, name) ? servers[name] : undefined;
}

/** Whether there are comments in what is at this place. */
function hasComments(source: string, path: readonly string[]): boolean {
  const tree = parseTree(source);
  const node = tree && findNodeAtLocation(tree, [...path]);
  if (node === undefined) return false;
  let isFound = false;
  visit(source, {
    onComment: (offset) => {
      isFound ||= offset > node.offset && offset < node.offset + node.length;
    },
  });
  return isFound;
}
