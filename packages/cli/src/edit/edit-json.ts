import { isObject } from "@mci-ts/primitives/is-object";
import { applyEdits, type FormattingOptions, modify, type ParseError, parse } from "jsonc-parser";
import { CliError } from "../cli-error.ts";
import { indexOfReference, mergeReference, type ToolsetReference } from "./reference.ts";

/** The JSON text with the toolset in its list. Every other character stays where it was. */
export function addToJson(source: string, reference: ToolsetReference): string {
  const errors: ParseError[] = [];
  const document: unknown = parse(source, errors, { allowTrailingComma: true });
  if (errors.length > 0 || !isObject(document)) throw notEditable();

  const formattingOptions = formatting(source);
  const list = document.toolsets;
  if (!Array.isArray(list)) {
    if (list !== undefined && list !== null)
      throw new CliError("'toolsets' is not a list.", { hint: "Run 'mci validate'." });
    return applyEdits(
      source,
      modify(source, ["toolsets"], [mergeReference(undefined, reference)], { formattingOptions }),
    );
  }
  const index = indexOfReference(list, reference.name);
  const entry = mergeReference(list[index], reference);
  return index < 0
    ? applyEdits(
        source,
        modify(source, ["toolsets", list.length], entry, { formattingOptions, isArrayInsertion: true }),
      )
    : replaceEntry(source, index, list[index], entry, formattingOptions);
}

/** Key by key where it can be, so that the rest of an entry keeps its formatting. */
function replaceEntry(
  source: string,
  index: number,
  before: unknown,
  after: unknown,
  formattingOptions: FormattingOptions | undefined,
): string {
  if (!isObject(before) || !isObject(after)) {
    return before === after
      ? source
      : applyEdits(source, modify(source, ["toolsets", index], after, { formattingOptions }));
  }
  return Object.entries(after).reduce(
    (text, [key, value]) =>
      before[key] === value
        ? text
        : applyEdits(text, modify(text, ["toolsets", index, key], value, { formattingOptions })),
    source,
  );
}

/** Indentation and line ends as the file has them; undefined: none. */
export function formatting(source: string): FormattingOptions | undefined {
  // A file on one line stays on one line.
  if (!source.trim().includes("\n")) return undefined;
  const indentation = /^([ \t]+)\S/m.exec(source)?.[1] ?? "  ";
  return {
    insertSpaces: !indentation.startsWith("\t"),
    tabSize: indentation.startsWith("\t") ? 1 : indentation.length,
    eol: source.includes("\r\n") ? "\r\n" : "\n",
  };
}

function notEditable(): CliError {
  return new CliError("The file is not well-formed JSON.", { hint: "Run 'mci validate' to see where." });
}
