import type { YAMLError } from "yaml";

export interface YamlSyntaxError {
  readonly offset: number;
  readonly message: string;
  readonly hint?: string;
  /** A line in the wrong column: further errors on that line and the next follow from it. */
  readonly isIndentation?: boolean;
}

/**
 * A line in the wrong column, or not valid YAML at all. The parser reports its interpretation ("a nested mapping") at the
 * position where it noticed; authors need the line to move, and its new column.
 */
export function indentationError(
  { code, message, pos: [offset] }: YAMLError,
  text: string,
): YamlSyntaxError | undefined {
  const line = lineAt(text, offset);
  if (message.startsWith("A block sequence may not") || message.startsWith("All sequence items"))
    return at(
      line,
      "this list item does not line up with its list",
      "begin every '-' of a list in the same column",
    );
  if (message.startsWith("Sequence item without"))
    return at(
      line,
      "this line does not line up with the list item above",
      "begin all keys of an item in one column, right of its dash",
    );
  if (message.startsWith("All mapping items"))
    return underBlock(text, line) ?? at(line, "this line does not line up with the keys above", SAME_COLUMN);
  if (code === "BLOCK_AS_IMPLICIT_KEY") return nestedKey(text, line, offset);
  if (code === "MULTILINE_IMPLICIT_KEY" || message.startsWith("Implicit map keys")) return noKey(text, line);
  if (code === "UNEXPECTED_TOKEN" && message.endsWith("at node end") && offset === line.start + line.indent)
    return at(line, "this line does not belong to what is above it", SAME_COLUMN);
  return undefined;
}

const SAME_COLUMN = "begin the keys of one map in the same column";

interface Line {
  readonly start: number;
  /** Spaces before its text. */
  readonly indent: number;
  readonly text: string;
}

const at = ({ start, indent }: Line, message: string, hint: string): YamlSyntaxError => ({
  offset: start + indent,
  message,
  hint,
  isIndentation: true,
});

/** The parser found a key where a value has begun. */
function nestedKey(text: string, line: Line, offset: number): YamlSyntaxError | undefined {
  if (/^-[^\s-]/.test(line.text)) return gluedDash(line);
  const value = line.text.slice(offset - line.start - line.indent);
  if (/:(\s|$)/.test(value)) {
    return {
      offset,
      message: "a value that holds ': ' is read as one more key",
      hint: "put the value in quotes",
    };
  }
  const next = neighbour(text, line, 1);
  if (next === undefined || next.indent <= line.indent) return undefined;
  const [, key] = /^(?:- +)*([^\s:]+)\s*:/.exec(line.text) ?? [];
  if (key === undefined) return undefined;
  const message = `this line is indented further than '${key}', which has its value already`;
  return at(next, message, `begin it in the same column as '${key}'`);
}

/** The parser wanted a key with its colon. */
function noKey(text: string, line: Line): YamlSyntaxError | undefined {
  const block = underBlock(text, line);
  if (block) return block;
  if (/^-[^\s-]/.test(line.text)) return gluedDash(line);
  const words = line.text.replace(/^(- +)+/, "");
  if (/:(\s|$)/.test(words)) return undefined;
  const [, key] = /^([\w.-]+):\S/.exec(words) ?? [];
  if (key !== undefined) return at(line, "a colon needs a space after it", `write '${key}: …'`);
  const message = "this line is not 'key: value'";
  return at(line, message, "put a colon after the key, or indent the line further if it goes on from above");
}

const gluedDash = (line: Line) =>
  at(line, "a dash needs a space after it", "write '- …' for an item of a list");

/** Whether the line should have been part of a `|` or `>` text above it. */
function underBlock(text: string, line: Line): YamlSyntaxError | undefined {
  let above = neighbour(text, line, -1);
  const isFirst = above !== undefined && above.indent <= line.indent;
  for (let left = FAR; left > 0 && above !== undefined && above.indent > line.indent; left--)
    above = neighbour(text, above, -1);
  const [, mark] = /(?:^|[:-] +)([|>])[-+\d]*\s*(?:#.*)?$/.exec(above?.text ?? "") ?? [];
  if (mark === undefined) return undefined;
  return isFirst
    ? at(line, `the text under ${mark} is not indented`, "indent it further than the key above")
    : at(line, `the text under ${mark} is indented less here than where it begins`, "indent its lines alike");
}

/** Lines that are looked at around a mistake, and characters of one: files may be huge, and full of mistakes. */
const FAR = 200;
const LONG = 1000;

function lineAt(text: string, offset: number): Line {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const [, spaces = "", words = ""] = /^( *)(.*)/.exec(text.slice(start, start + LONG)) ?? [];
  return { start, indent: spaces.length, text: words.trimEnd() };
}

/** The next line with something on it, downwards or upwards. */
function neighbour(text: string, { start }: Line, direction: 1 | -1): Line | undefined {
  for (let from = start, left = FAR; left > 0; left--) {
    const offset = direction === 1 ? text.indexOf("\n", from) + 1 : from - 1;
    if (offset < 0 || (direction === 1 && offset === 0)) return undefined;
    const line = lineAt(text, offset);
    if (line.text !== "") return line;
    from = line.start;
  }
  return undefined;
}
