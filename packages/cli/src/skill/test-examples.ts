import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SkillExample } from "mci-ts/authoring";

/** A call that a test says succeeds. */
export interface TestExample extends SkillExample {
  /** Of the test, relative to the folder of the MCI file. */
  readonly file: string;
}

/** Beside the MCI file, and in these folders there. */
const FOLDERS = [".", "test", "tests"];
const TEST = /\.test\.[cm]?[jt]s$/;
const MAX_FILES = 500;
/** A recorded result may be long. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Calls in the tests beside a file, such as those that the console saves: `client.call("TOOL", INPUT)` with a name and an input in the
 * form of JSON, unless the test expects an error. Tests are read, not run.
 */
export function examplesOfTests(file: string): TestExample[] {
  return testsBeside(dirname(file)).flatMap(({ path, name }) =>
    callsIn(readFileSync(path, "utf8")).map((call) => ({ ...call, file: name })),
  );
}

function testsBeside(folder: string): { path: string; name: string }[] {
  const names = FOLDERS.flatMap((sub) => {
    try {
      return readdirSync(join(folder, sub))
        .filter((name) => TEST.test(name))
        .sort()
        .map((name) => join(sub, name));
    } catch {
      return [];
    }
  });
  return names
    .slice(0, MAX_FILES)
    .map((name) => ({ name, path: join(folder, name) }))
    .filter(({ path }) => {
      const { size, isFile } = statOf(path);
      return isFile && size <= MAX_BYTES;
    });
}

function statOf(path: string): { readonly size: number; readonly isFile: boolean } {
  const stat = statSync(path, { throwIfNoEntry: false });
  return { size: stat?.size ?? 0, isFile: stat?.isFile() === true };
}

export function callsIn(source: string): SkillExample[] {
  const calls = [...source.matchAll(/\.call\(\s*(?=")/g)];
  return calls.flatMap(({ index, 0: start }, at): SkillExample[] => {
    const expected = source.slice(index, calls[at + 1]?.index);
    if (/"isError":\s*true/.test(expected)) return [];
    const tool = readJson(source, index + start.length);
    const comma = /\s*,\s*/y;
    comma.lastIndex = tool?.end ?? source.length;
    const input = comma.test(source) ? readJson(source, comma.lastIndex) : undefined;
    if (typeof tool?.value !== "string" || typeof input?.value !== "object" || input.value === null)
      return [];
    return Array.isArray(input.value)
      ? []
      : [{ tool: tool.value, input: input.value as SkillExample["input"] }];
  });
}

/** The JSON value that begins here, and where it ends. Undefined if what is here is not JSON. */
function readJson(
  text: string,
  start: number,
): { readonly value: unknown; readonly end: number } | undefined {
  const token = /"(?:[^"\\\n]|\\.)*"|[[\]{}]|[^"[\]{}]+/y;
  token.lastIndex = start;
  let depth = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    if (/^[[{]$/.test(match[0])) depth++;
    else if (/^[\]}]$/.test(match[0])) depth--;
    if (depth <= 0) break;
  }
  const end = token.lastIndex;
  try {
    return { value: JSON.parse(text.slice(start, end)), end };
  } catch {
    return undefined;
  }
}
