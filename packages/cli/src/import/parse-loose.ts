import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { CliError } from "../cli-error.ts";

/** JSON as editors write it: with comments and trailing commas. undefined: it is not JSON, not even so. */
export function parseLoose(text: string): unknown {
  const errors: ParseError[] = [];
  const value = parse(withoutMark(text), errors, { allowTrailingComma: true });
  return errors.length === 0 ? value : undefined;
}

/** The same for a whole document. The part before a mistake is not the document, so a mistake is an error. */
export function parseLooseDocument(text: string, name: string): unknown {
  const errors: ParseError[] = [];
  const content = withoutMark(text);
  const value = parse(content, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first === undefined) return value;
  const before = content.slice(0, first.offset).split("\n");
  const place = `line ${before.length}, column ${before.at(-1)!.length + 1}`;
  const what = printParseErrorCode(first.error)
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase();
  throw new CliError(`${name} is not valid JSON: ${what} at ${place}.`, {
    hint: "Correct it there, or save it again where it came from.",
  });
}

function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "");
}
