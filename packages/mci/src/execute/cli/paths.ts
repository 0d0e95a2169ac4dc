import nodePath from "node:path";
import type { PathRules } from "../executor.ts";
import { isAllowed, isInside, joinRaw, MAX_PATH, pathRefused, realPath } from "../paths.ts";
import { type Argument, argumentText } from "./args.ts";

/**
 * Refuses arguments in which a value from the caller leads to a file or folder outside the allowed directories. Only a
 * value that names something there counts, or a new name in a folder that is there: a search for `/api/v1` is no path.
 */
export function rejectOutsidePaths(items: readonly Argument[], cwd: string, rules: PathRules): void {
  if (rules.enableAnyPaths) return;
  for (const item of items) {
    if (!item.some((part) => part.origin === "props" && part.text !== "")) continue;
    for (const { path, authorDir } of pathsIn(item)) {
      if (leadsOutside(path, authorDir, cwd, rules)) throw pathRefused(path);
    }
  }
}

export interface PathInArgument {
  readonly path: string;
  /** The folder the author wrote before the value (`/opt/reports/{{props.name}}`): what stays in it is as meant. */
  readonly authorDir: string;
}

/** Everything in an argument that a program may take for a path and that the caller has a hand in. */
export function* pathsIn(item: Argument): Generator<PathInArgument> {
  const text = argumentText(item);
  const values = valueSpans(item);
  const seen = new Set<string>();
  for (const [start, end] of spans(text, values)) {
    const value = values.find((span) => span[0] < end && span[1] > start);
    const path = text.slice(start, end);
    if (value === undefined || path === "" || seen.has(path)) continue;
    seen.add(path);
    const before = text.slice(start, Math.max(start, value[0]));
    const slash = Math.max(before.lastIndexOf("/"), before.lastIndexOf(nodePath.sep));
    yield { path, authorDir: before.slice(0, slash + 1) };
  }
  for (const [, path] of text.matchAll(FILE_URL)) yield { path: decode(path!), authorDir: "" };
}

type Span = readonly [start: number, end: number];

function valueSpans(item: Argument): Span[] {
  const spans: Span[] = [];
  let start = 0;
  for (const { text, origin } of item) {
    if (origin === "props" && text !== "") spans.push([start, start + text.length]);
    start += text.length;
  }
  return spans;
}

/** What separates a path from the rest inside an argument. A colon on Windows belongs to a drive, `://host` to a URL. */
const SEPARATOR = process.platform === "win32" ? /[=@,;<]/g : /[=@,;<]|:(?!\/\/[^/])/g;

function* spans(text: string, values: readonly Span[]): Generator<Span> {
  const starts = [0, ...Array.from(text.matchAll(SEPARATOR), ({ index }) => index + 1)];
  yield [0, text.length];
  if (text.startsWith("-")) yield [2, text.length]; // -o/etc/x
  for (const [start, end] of values) {
    const word = starts.findLast((position) => position <= start)!;
    const inside = starts.find((position) => position > start && position < end);
    for (const from of [word, start, inside ?? start, text[start] === "-" ? start + 2 : start]) {
      for (const to of [end, text.length]) {
        yield [from, to];
        if (text[from] === "@" || text[from] === "<") yield [from + 1, to]; // @file, as curl writes it
      }
    }
  }
  // Lists such as a=1,b=/etc or /etc:/mnt. Only what can leave the working directory, or a long list would cost much.
  for (const [index, start] of starts.entries()) {
    const end = (starts[index + 1] ?? text.length + 1) - 1;
    const token = text.slice(start, end);
    if (!nodePath.isAbsolute(token) && !token.includes("..")) continue;
    yield [start, end];
    if (text.length - start < MAX_PATH) yield [start, text.length];
  }
}

const FILE_URL = process.platform === "win32" ? /file:\/*([^?#,;]+)/gi : /file:(?:\/\/[^/]*)?(\/[^?#,;]*)/gi;

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function leadsOutside(path: string, authorDir: string, cwd: string, rules: PathRules): boolean {
  // The system follows links before it climbs, some programs climb first: neither way may lead outside.
  const candidates = [nodePath.resolve(cwd, path)];
  if (path.includes("..")) candidates.push(joinRaw(cwd, path));
  return candidates.some((candidate) => {
    if (candidate.length >= MAX_PATH) return false;
    const { real, existing } = realPath(candidate);
    const leadsNowhere = real !== existing && isRoot(existing);
    return !leadsNowhere && !isAllowed(real, rules) && !isInAuthorDir(real, authorDir, cwd);
  });
}

function isInAuthorDir(real: string, authorDir: string, cwd: string): boolean {
  if (authorDir === "") return false;
  const root = realPath(nodePath.resolve(cwd, authorDir)).real;
  return !isRoot(root) && isInside(root, real);
}

function isRoot(path: string): boolean {
  return path === nodePath.parse(path).root;
}
