import type { ToolErrorCode } from "../errors.ts";
import { ToolError } from "../errors.ts";
import type { JsonPath, TemplateLimits } from "../template-api.ts";
import type { DeclaredNames } from "./declared-names.ts";
import type { Mode } from "./parse/lexer.ts";
import { parse, type Tree } from "./parse/parser.ts";
import type { TemplateSyntaxError } from "./parse/syntax-error.ts";
import { formatPlace, positionAt } from "./position.ts";

/** One parsed text and where it comes from. Never changes while rendering. */
export interface Unit extends Tree {
  readonly source: string;
  readonly origin: UnitOrigin;
  readonly limits: TemplateLimits;
  /** The variables it may read; undefined: all. */
  readonly envAllowList?: ReadonlySet<string>;
  /** The files it includes are parsed with them. */
  readonly names?: DeclaredNames;
  /** Included files by the path written; undefined until they are linked. */
  readonly linked?: ReadonlyMap<string, Unit>;
}

/** A setting of the document, or an included file. */
export type UnitOrigin = SettingOrigin | { readonly file: string };

interface SettingOrigin {
  readonly place: JsonPath;
  /** The tool that the setting belongs to, for messages. */
  readonly label?: string | undefined;
}

/** Throws `TemplateSyntaxError`. */
export function parseUnit(
  source: string,
  mode: Mode,
  origin: UnitOrigin,
  limits: TemplateLimits,
  names?: DeclaredNames,
): Unit {
  return { ...unitAt(parse(source, mode, limits, names), source, origin, limits), names };
}

/** The same text may stand in many places: its tree is the same in all of them. */
export function unitAt(tree: Tree, source: string, origin: UnitOrigin, limits: TemplateLimits): Unit {
  const { nodes, sole, includes, warnings } = tree;
  return { nodes, sole, includes, warnings, source, origin, limits };
}

/** What rendering a text throws that could not be parsed. */
export function syntaxError(error: TemplateSyntaxError, unit: Pick<Unit, "source" | "origin">): ToolError {
  const { code, offset, message, hint } = error;
  const advice = hint && `${hint[0]!.toUpperCase()}${hint.slice(1)}.`;
  return errorAt(code, unit, offset, `Template syntax error: ${message}`, advice);
}

/** An error at an offset of a text, with its place in words after the message. */
export function errorAt(
  code: ToolErrorCode,
  unit: Pick<Unit, "source" | "origin">,
  offset: number | undefined,
  message: string,
  advice?: string,
): ToolError {
  const where = describeLocation(unit, offset);
  const place = where === "" ? "" : ` (${where})`;
  return new ToolError(code, advice ? `${message}${place}. ${advice}` : `${message}${place}`);
}

/** `tool 'get_user' in mci.json, execution.text, line 2, column 5`; the line only where it tells more than the place does. */
function describeLocation(
  { source, origin }: Pick<Unit, "source" | "origin">,
  offset: number | undefined,
): string {
  const name = "file" in origin ? origin.file : formatOrigin(origin);
  if (offset === undefined || !("file" in origin || source.includes("\n"))) return name;
  const { line, column } = positionAt(source, offset);
  const position = `line ${line}, column ${column}`;
  return name === "" ? position : `${name}, ${position}`;
}

/** A tool is named, because its index says nothing to a reader. */
function formatOrigin({ place, label }: SettingOrigin): string {
  if (label === undefined || place[0] !== "tools") return formatPlace(place);
  return [label, formatPlace(place.slice(2))].filter((part) => part !== "").join(", ");
}
