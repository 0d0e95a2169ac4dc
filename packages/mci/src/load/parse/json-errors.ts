import { type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { MCIClientError, Problem } from "../../errors.ts";
import { loadError } from "../problems.ts";
import { positionsOf } from "./positions.ts";

/** Every syntax error in a text that JSON.parse rejected, in plain English. */
export function jsonSyntaxError(file: string, text: string, cause: unknown): MCIClientError {
  if (text.trim() === "") {
    const message = "The file is empty";
    const hint = 'begin with { "schemaVersion": "1.0", "tools": [] }';
    return loadError(
      "schema_syntax",
      file,
      [{ message, hint, file, line: 1, column: 1, severity: "error" }],
      cause,
    );
  }
  const position = positionsOf(text);
  const problems = explainErrors(text).map(({ offset, ...words }): Problem => {
    return {
      ...words,
      message: `Invalid JSON: ${words.message}`,
      file,
      ...position(offset),
      severity: "error",
    };
  });
  // The two parsers may disagree on a detail: then the error of JSON.parse is reported.
  if (problems.length === 0) {
    const offset = Number(/at position (\d+)/.exec(String(cause))?.[1] ?? 0);
    problems.push({
      message: `Invalid JSON: ${plainReason(cause)}`,
      file,
      ...position(offset),
      severity: "error",
    });
  }
  return loadError("schema_syntax", file, problems, cause);
}

interface JsonSyntaxError {
  readonly offset: number;
  readonly message: string;
  readonly hint?: string;
}

function explainErrors(text: string): JsonSyntaxError[] {
  const errors: ParseError[] = [];
  try {
    parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch {
    return [];
  }
  return dropCascadingErrors(errors, text).map((error) => explain(error, text));
}

const CLOSING = ["PropertyNameExpected", "ValueExpected", "CloseBraceExpected", "CloseBracketExpected"];

/** One mistake causes several parser errors; those that follow on the same line are dropped. */
function dropCascadingErrors(errors: readonly ParseError[], text: string): ParseError[] {
  const remaining: ParseError[] = [];
  for (const error of errors) {
    const before = remaining.at(-1);
    const isSameLine = before !== undefined && !/[\r\n]/.test(text.slice(before.offset, error.offset));
    const code = printParseErrorCode(error.error);
    const beforeCode = before && printParseErrorCode(before.error);
    const isCascading =
      isSameLine &&
      (CLOSING.includes(code) ||
        beforeCode === "InvalidSymbol" ||
        beforeCode === "UnexpectedEndOfString" ||
        before.offset === error.offset);
    if (!isCascading) remaining.push(error);
  }
  return remaining;
}

function explain({ error, offset, length }: ParseError, text: string): JsonSyntaxError {
  const token = text.slice(offset, offset + Math.min(length, 30));
  const before = text.slice(0, offset).trimEnd();
  const code = printParseErrorCode(error);
  if (CLOSING.includes(code) && before.endsWith(",") && /[}\]]/.test(token)) {
    return { offset: before.length - 1, message: "a comma with nothing after it", hint: "remove it" };
  }
  switch (code) {
    case "InvalidSymbol":
      return { offset, message: `unexpected ${JSON.stringify(token)}`, hint: symbolHint(token, before) };
    case "PropertyNameExpected":
      return { offset, message: "a name in double quotes is expected here" };
    case "ValueExpected":
      return { offset, message: "a value is expected here" };
    case "ColonExpected":
      return { offset, message: "a colon is missing before this" };
    case "CommaExpected":
      return { offset, message: "a comma is missing before this" };
    case "CloseBraceExpected":
      return { offset, message: "a closing } is missing" };
    case "CloseBracketExpected":
      return { offset, message: "a closing ] is missing" };
    case "EndOfFileExpected":
      return { offset, message: "there is more text after the end of the document" };
    case "InvalidCommentToken":
    case "UnexpectedEndOfComment":
      return { offset, message: "comments are not allowed", hint: "remove it, or write the file as YAML" };
    case "UnexpectedEndOfString":
      return { offset, message: "this string is not closed on its line", hint: "write a line break as \\n" };
    case "InvalidEscapeCharacter":
    case "InvalidUnicode":
      return { offset, message: "this string has an unknown escape", hint: "write a backslash as \\\\" };
    case "InvalidCharacter":
      return {
        offset,
        message: "this string holds a control character",
        hint: "write a tab as \\t, a line break as \\n",
      };
    default:
      return { offset, message: "a number is malformed" };
  }
}

function symbolHint(token: string, before: string): string {
  if (token.startsWith("'")) return "use double quotes";
  if (/[{,]$/.test(before)) return "put names in double quotes";
  return "text needs double quotes; the only bare words are true, false and null";
}

const plainReason = (cause: unknown) =>
  cause instanceof Error ? cause.message.replace(/ in JSON at position.*$/s, "") : "it cannot be parsed";
