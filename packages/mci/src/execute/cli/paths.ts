import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import nodePath from "node:path";
import { decodeUri } from "@mci-ts/primitives/decode-uri";
import { folderOf, isProtectedFile, type RuledCall } from "../caller-paths.ts";
import type { PathRules } from "../executor.ts";
import { isAllowed, isInside, joinRaw, MAX_PATH, pathRefused, realPath } from "../paths.ts";
import { type Argument, argumentText } from "./args.ts";

/**
 * Refuses arguments in which a value from the caller leads to a file or folder outside the allowed directories, out of
 * the folder that the author wrote before it, or to a protected file. Only a value that names something there counts, or
 * a new name in a folder that is there: a search for `/api/v1` is not a path.
 */
export function rejectOutsidePaths(items: readonly Argument[], cwd: string, call: RuledCall): void {
  if (call.paths.enableAnyPaths) return;
  const check = new PathCheck(cwd, call);
  for (const item of items) {
    if (!item.some((part) => part.origin === "props" && part.text !== "")) continue;
    for (const path of pathsIn(item)) if (check.isRefused(path)) throw pathRefused(path.path);
  }
}

interface PathInArgument {
  readonly path: string;
  /** The folder the author wrote before the value (`/opt/reports/{{props.name}}`): what stays in it is allowed. */
  readonly authorDir: string;
}

/** What separates a path from the rest of an argument. A colon on Windows belongs to a drive; that of `://host` ends a path, but begins none. */
const SEPARATOR = process.platform === "win32" ? /[=@,;<]/g : /[=@,;<]|:(?!\/\/[^/])/g;

/** Everything in an argument that a program may take for a path and that the caller has a hand in. */
function* pathsIn(item: Argument): Generator<PathInArgument> {
  const text = argumentText(item);
  const values = valueSpans(item);
  const seen = new Set<string>();
  for (const [start, end] of candidateSpans(text, values)) {
    const value = firstOverlap(values, start, end);
    const path = text.slice(start, end);
    if (value === undefined || path === "" || seen.has(path)) continue;
    seen.add(path);
    yield { path, authorDir: folderOf(text.slice(start, Math.max(start, value[0]))) };
  }
  for (const [, path] of text.matchAll(FILE_URL)) yield { path: decodeUri(path!), authorDir: "" };
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

/** The first value that overlaps the span. Values are in order, so the search is by halves. */
function firstOverlap(values: readonly Span[], start: number, end: number): Span | undefined {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]![1] > start) high = middle;
    else low = middle + 1;
  }
  const found = values[low];
  return found !== undefined && found[0] < end ? found : undefined;
}

/** The whole, each value, what follows each separator up to the next one, and the same up to the end. */
function* candidateSpans(text: string, values: readonly Span[]): Generator<Span> {
  const starts = [0, ...Array.from(text.matchAll(SEPARATOR), ({ index }) => index + 1)];
  yield [0, text.length];
  if (text.startsWith("-")) yield [2, text.length]; // -o/etc/x
  for (const [start, end] of values) {
    const word = starts.findLast((position) => position <= start)!;
    for (const from of [word, start, text[start] === "-" ? start + 2 : start]) {
      yield [from, end];
      yield [from, text.length];
    }
  }
  for (const [index, start] of starts.entries()) {
    const end = (starts[index + 1] ?? text.length + 1) - 1;
    yield [start, end];
    const colon = text.slice(start, end).indexOf("://");
    if (colon !== -1) yield [start, start + colon];
    // A name may hold a separator itself.
    if (text.length - start < MAX_PATH) yield [start, text.length];
  }
}

const FILE_URL = process.platform === "win32" ? /file:\/*([^?#,;]+)/gi : /file:(?:\/\/[^/]*)?(\/[^?#,;]*)/gi;

/** Looks at the file system that one call may cost. */
const MAX_LOOKUPS = 20_000;

/** One call's look at the file system. */
class PathCheck {
  readonly #cwd: string;
  readonly #rules: PathRules;
  readonly #protectedFiles: ReadonlySet<string> | undefined;
  #names: ReadonlySet<string> | undefined;
  #homes: ReadonlyMap<string, string> | undefined;
  #lookups = 0;

  constructor(cwd: string, { paths, protectedFiles }: RuledCall) {
    this.#cwd = cwd;
    this.#rules = resolvedRules(paths);
    this.#protectedFiles = protectedFiles;
  }

  isRefused({ path, authorDir }: PathInArgument): boolean {
    const expanded = expandHome(path, () => (this.#homes ??= homesOfUsers()));
    if (!this.#mayLead(expanded)) return false;
    this.#lookups += 1;
    return this.#lookups > MAX_LOOKUPS || this.#leadsOutside(expanded, authorDir);
  }

  /** A relative path whose first segment does not exist can only name something new in the working directory. */
  #mayLead(path: string): boolean {
    if (nodePath.isAbsolute(path) || path.includes("..")) return true;
    const first = path.split(SLASHES, 1)[0]!.toLowerCase();
    this.#names ??= namesIn(this.#cwd);
    return first === "." || this.#names.has(first);
  }

  #leadsOutside(path: string, authorDir: string): boolean {
    // The system follows links before it climbs, some programs climb first: neither way may lead outside.
    const candidates = [nodePath.resolve(this.#cwd, path)];
    if (path.includes("..")) candidates.push(joinRaw(this.#cwd, collapseDots(path)));
    return candidates.some((candidate) => {
      if (candidate.length >= MAX_PATH) return false;
      const { real, existing } = realPath(candidate);
      if (real === existing && isProtectedFile(real, this.#protectedFiles)) return true;
      if (real !== existing && isRoot(existing)) return false;
      const folder = this.#authorFolder(authorDir);
      return folder === undefined ? !isAllowed(real, this.#rules) : !isInside(folder, real);
    });
  }

  /** Only a folder that exists: the text before a value may be something else, such as the start of a pattern. */
  #authorFolder(authorDir: string): string | undefined {
    if (authorDir === "") return undefined;
    const { real, existing } = realPath(nodePath.resolve(this.#cwd, authorDir));
    return real === existing && !isRoot(real) ? real : undefined;
  }
}

const SLASHES = nodePath.sep === "\\" ? /[\\/]/ : /\//;

/** In lower case: some file systems do not tell `A` from `a`. */
function namesIn(folder: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(folder).map((name) => name.toLowerCase()));
  } catch {
    return new Set();
  }
}

/** Without `.` segments and doubled slashes, which change nothing but the length. */
function collapseDots(path: string): string {
  return path
    .split("/")
    .filter((segment, index) => index === 0 || (segment !== "." && segment !== ""))
    .join("/");
}

/** There is no shell, but many programs expand a home directory themselves, some also that of another user. */
function expandHome(path: string, homes: () => ReadonlyMap<string, string>): string {
  const home = /^(?:~([A-Za-z_][\w.-]*)?|\$HOME|\$\{HOME\}|%USERPROFILE%)(?=$|[/\\])/.exec(path);
  if (home === null) return path;
  const [start, user] = home;
  const folder = user === undefined ? homedir() : homes().get(user);
  return folder === undefined ? path : folder + path.slice(start.length);
}

/** Home directories by user, where the system has them in a file. */
function homesOfUsers(): ReadonlyMap<string, string> {
  try {
    const users = readFileSync("/etc/passwd", "utf8").split("\n");
    return new Map(
      users.map((user) => user.split(":")).map(([name = "", , , , , home = ""]) => [name, home]),
    );
  } catch {
    return new Map();
  }
}

function resolvedRules(rules: PathRules): PathRules {
  const baseDir = realPath(rules.baseDir).real;
  return {
    ...rules,
    baseDir,
    directoryAllowList: rules.directoryAllowList.map(
      (entry) => realPath(nodePath.resolve(baseDir, entry)).real,
    ),
    within: rules.within && resolvedRules(rules.within),
  };
}

function isRoot(path: string): boolean {
  return path === nodePath.parse(path).root;
}
