import { isDeepStrictEqual } from "node:util";
import { isObject } from "@mci-ts/primitives/is-object";
import { type Document, parseDocument } from "yaml";
import { CliError } from "../cli-error.ts";
import { indexOfReference, mergeReference, type ToolsetReference } from "./reference.ts";
import { editYamlText } from "./yaml-text.ts";

/**
 * The YAML text with the toolset in its list. Only the lines that change are written, so that comments, order, quotes
 * and alignment stay; where a file is written in a way that does not allow it, the whole document is printed again,
 * which still keeps comments and order.
 */
export function addToYaml(source: string, reference: ToolsetReference): string {
  const document = parse(source);
  const before: unknown = document.toJS();
  if (!isObject(before))
    throw new CliError("The file is not a YAML mapping.", { hint: "Run 'mci validate' to see why." });
  const list = before.toolsets ?? [];
  if (!Array.isArray(list)) throw new CliError("'toolsets' is not a list.", { hint: "Run 'mci validate'." });

  const index = indexOfReference(list, reference.name);
  const entry = mergeReference(list[index], reference);
  if (isDeepStrictEqual(list[index], entry)) return source;
  const toolsets = index < 0 ? [...list, entry] : list.with(index, entry);
  const expected = { ...before, toolsets };

  const edited = editYamlText(source, document, index, entry);
  if (edited !== undefined && parsesTo(edited, expected)) return edited;
  if (list.length === 0) document.set("toolsets", document.createNode(toolsets));
  else document.setIn(["toolsets", index < 0 ? list.length : index], document.createNode(entry));
  return document.toString({ lineWidth: 0 });
}

function parse(source: string): Document {
  const document = parseDocument(source);
  if (document.errors.length > 0) {
    throw new CliError("The file is not well-formed YAML.", { hint: "Run 'mci validate' to see where." });
  }
  return document as Document;
}

/** Whether the edited text says what it should: the edit is made on characters, so it is checked on meaning. */
function parsesTo(text: string, expected: unknown): boolean {
  const document = parseDocument(text);
  return document.errors.length === 0 && isDeepStrictEqual(document.toJS(), expected);
}
