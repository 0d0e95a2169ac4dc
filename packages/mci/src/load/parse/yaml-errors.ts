import type { YAMLError } from "yaml";
import type { MCIClientError, Problem } from "../../errors.ts";
import { loadError } from "../problems.ts";
import type { Position } from "./positions.ts";
import { indentationError, type YamlSyntaxError } from "./yaml-indentation.ts";

/** The errors of the parser, without those that are only caused by the one before. */
export function explainYamlErrors(errors: readonly YAMLError[], text: string): YamlSyntaxError[] {
  const remaining: YamlSyntaxError[] = [];
  let noticedAt = 0;
  for (const error of errors) {
    const explained = explainYamlError(error, text);
    const [offset] = error.pos;
    const last = remaining.at(-1);
    const lines = text.slice(noticedAt, offset).split("\n", 3).length - 1;
    const isCascading = explained.isIndentation
      ? lines <= 1 && last?.isIndentation
      : CASCADING.test(error.message);
    if (last && (isCascading || (lines === 0 && (last.isIndentation || explained.isIndentation)))) continue;
    remaining.push(explained);
    noticedAt = offset;
  }
  return remaining;
}

/** Errors that follow from an earlier one. */
const CASCADING = /in YAML stream|^Implicit keys/;

/** All errors of a file as one exception. */
export function yamlError(
  file: string,
  errors: readonly YamlSyntaxError[],
  position: (offset: number) => Position,
  cause?: unknown,
): MCIClientError {
  const problems = errors.map((error) => yamlProblem(file, error, position, "error"));
  return loadError("schema_syntax", file, problems, cause);
}

export function yamlProblem(
  file: string,
  { offset, message, hint }: YamlSyntaxError,
  position: (offset: number) => Position,
  severity: Problem["severity"],
): Problem {
  const words = severity === "error" ? `Invalid YAML: ${message}` : message;
  return { message: words, ...(hint === undefined ? {} : { hint }), file, ...position(offset), severity };
}

/** In plain English, with hints for common mistakes with templates. */
export function explainYamlError(error: YAMLError, text: string): YamlSyntaxError {
  const {
    code,
    message,
    pos: [offset],
  } = error;
  if (isBareTemplate(text, offset)) {
    return {
      offset,
      message: "a value that begins with { is read as a map",
      hint: "put a value that begins with {{ or {!! in quotes",
    };
  }
  const layout = indentationError(error, text) ?? unclosed(error, text);
  if (layout) return layout;
  switch (code) {
    case "TAB_AS_INDENT":
      return { offset, message: "a tab is used as indentation", hint: "indent with spaces" };
    case "DUPLICATE_KEY":
      return {
        offset,
        message: `the key '${wordAt(text, offset)}' is given twice`,
        hint: "remove one of them",
      };
    case "BAD_SCALAR_START":
      return {
        offset,
        message: `a plain value cannot begin with ${text[offset]}`,
        hint: "put it in quotes, or under a | block",
      };
    case "UNEXPECTED_TOKEN":
      return message.endsWith("at node end")
        ? { offset, message: "the value has ended before this", hint: "put the whole value in quotes" }
        : { offset, message: lowerFirst(message) };
    case "MULTIPLE_DOCS":
      return {
        offset,
        message: "the file holds more than one document",
        hint: "keep one document in each file",
      };
    case "RESOURCE_EXHAUSTION":
      return { offset, message: "the file is nested too deeply" };
    case "NON_STRING_KEY":
      return { offset, message: "a key must be a string" };
    default:
      return { offset, message: lowerFirst(message) };
  }
}

/** A quote or bracket without its partner: the place to look at is where it opens. */
function unclosed({ message, pos: [offset] }: YAMLError, text: string): YamlSyntaxError | undefined {
  const [, quote] = /^Missing closing (["'])quote/.exec(message) ?? [];
  if (quote !== undefined) {
    const hint = `put a ${quote} at the end of the value`;
    return { offset: openingQuote(text, offset, quote), message: "this quote is never closed", hint };
  }
  const [, closer] = /^Flow .* end with an? ([\]}])$/.exec(message) ?? [];
  if (closer === undefined) return undefined;
  const [opener, kind] = closer === "]" ? ["[", "list"] : ["{", "map"];
  return {
    offset,
    message: `the ${kind} that begins with ${opener} is not closed before this`,
    hint: `put the ${closer} where it ends, and keep its lines further right than its key`,
  };
}

/** Backwards over the text of the string, in which only escaped quotes can be. */
function openingQuote(text: string, end: number, quote: string): number {
  for (let at = text.lastIndexOf(quote, end - 1); at >= 0; at = text.lastIndexOf(quote, at - 1)) {
    if (quote === "'" && text[at - 1] === "'") at--;
    else if (quote === "'" || /(?:^|[^\\])(?:\\\\)*$/.test(text.slice(Math.max(0, at - 64), at))) return at;
  }
  return end;
}

/** Near an error, on its line: an unquoted `{{` or `{!!` where a value begins. */
function isBareTemplate(text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - NEAR), offset);
  const line = before.slice(before.lastIndexOf("\n") + 1) + text.slice(offset, offset + 2);
  return /(^|[:\-,[]\s)\s*\{(\{|!!)/.test(line);
}

/** A long line may have thousands of errors, and each looks back only so far. */
const NEAR = 1000;

const wordAt = (text: string, offset: number) =>
  /^["']?([^"':\n]*)/.exec(text.slice(offset, offset + 60))?.[1]?.trim();

const lowerFirst = (message: string) => message.charAt(0).toLowerCase() + message.slice(1);
