import type { YAMLError } from "yaml";
import type { MCIClientError, Problem } from "../errors.ts";
import type { Position } from "./locate.ts";
import { loadError } from "./problems.ts";

export interface YamlMistake {
  readonly offset: number;
  readonly message: string;
  readonly hint?: string;
}

/** All mistakes of a file as one error. */
export function yamlError(
  file: string,
  mistakes: readonly YamlMistake[],
  position: (offset: number) => Position,
  cause?: unknown,
): MCIClientError {
  const problems = mistakes.map((mistake) => yamlProblem(file, mistake, position, "error"));
  return loadError("schema_syntax", file, problems, cause);
}

export function yamlProblem(
  file: string,
  { offset, message, hint }: YamlMistake,
  position: (offset: number) => Position,
  severity: Problem["severity"],
): Problem {
  const words = severity === "error" ? `Invalid YAML: ${message}` : message;
  return { message: words, ...(hint === undefined ? {} : { hint }), file, ...position(offset), severity };
}

/** What the parser found, in plain words, with a hint for the traps templates lead into. */
export function yamlMistake({ code, message, pos: [offset] }: YAMLError, text: string): YamlMistake {
  if (isBareTemplate(text, offset)) {
    return {
      offset,
      message: "a value that begins with { is read as a map",
      hint: "put a value that begins with {{ or {!! in quotes",
    };
  }
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
    case "BLOCK_AS_IMPLICIT_KEY":
      return { offset, message: lowerFirst(message), hint: "put a value that holds ': ' in quotes" };
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

/** Near an error: an unquoted `{{` or `{!!` where a value begins. */
function isBareTemplate(text: string, offset: number): boolean {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /(^|[:\-,[]\s)\s*\{(\{|!!)/.test(text.slice(start, offset + 2));
}

const wordAt = (text: string, offset: number) =>
  /^["']?([^"':\n]*)/.exec(text.slice(offset, offset + 60))?.[1]?.trim();

const lowerFirst = (message: string) => message.charAt(0).toLowerCase() + message.slice(1);
