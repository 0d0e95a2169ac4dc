import { dirname, resolve } from "node:path";
import { MCIClientError, type Problem } from "../errors.ts";
import { loadFile } from "../load/load.ts";
import { cachedParser, type ParsedFile, type ParseFile } from "../load/parse/parse.ts";
import { resolveToolset } from "../load/toolsets/resolve.ts";
import { checkLoadOptions } from "../options.ts";
import { DEFAULT_LIBRARY_DIR } from "../schema/defaults.ts";
import { type DocumentLint, lintDocument } from "./document.ts";
import type { LintOptions, LintResult } from "./result.ts";

/*
 * Static analysis: no process is started, no connection opened, nothing written.
 *
 *   path -load-> Problem[]                            what the loader reports
 *        -parse-> Parsed -lintDocument-> DocumentLint for the file and each of its toolset files, parsed once for both
 */

/** Never throws for what the file says; it is all in `problems`. */
export async function lintFile(path: string | URL, options: LintOptions = {}): Promise<LintResult> {
  checkLoadOptions(options);
  const { source } = options;
  const parse = cachedParser(source === undefined ? undefined : { path, text: source });
  const problems = await loadProblems(path, options, parse);
  const { parts, libraryDir, files } = await lintDocuments(path, options, parse);
  const usesEnv = parts.some((part) => part.envs.length > 0);
  return {
    problems: sortAndDeduplicate([
      ...problems,
      ...parts.flatMap((part) => [...part.problems, ...(usesEnv ? part.callerChosenFiles : [])]),
    ]),
    envs: parts.flatMap((part) => part.envs),
    commands: parts.flatMap((part) => part.commands),
    ...(libraryDir !== undefined && { libraryDir }),
    files,
  };
}

async function loadProblems(
  path: string | URL,
  { env }: LintOptions,
  parse: ParseFile,
): Promise<readonly Problem[]> {
  try {
    return (await loadFile(path, { env, validating: true, unknownKeys: "warn" }, parse)).warnings;
  } catch (error) {
    if (!(error instanceof MCIClientError)) throw error;
    if (error.problems.length > 0) return error.problems;
    return [{ message: error.message, file: String(path), severity: "error" }];
  }
}

async function lintDocuments(
  path: string | URL,
  { env = {} }: LintOptions,
  parse: ParseFile,
): Promise<{ parts: DocumentLint[]; libraryDir?: string; files: string[] }> {
  const entry = await parsedOrUndefined(path, parse);
  if (entry === undefined) return { parts: [], files: [] };
  const baseDir = dirname(entry.path);
  const site = { baseDir, env };
  const main = await lintDocument(entry, { usedBy: "main", ...site });
  const libraryDir = resolve(baseDir, main.libraryDir ?? DEFAULT_LIBRARY_DIR);
  const toolsets = await Promise.all(
    main.toolsets.map(async (name) => {
      const resolved = await resolveToolset(libraryDir, name);
      if (!("files" in resolved)) return { parts: [], files: [] };
      const { files, directory } = resolved;
      const documents = await Promise.all(files.map((file) => parsedOrUndefined(file, parse)));
      const parts = documents
        .filter((file) => file !== undefined)
        .map((file) => lintDocument(file, { usedBy: name, ...site }));
      return { parts: await Promise.all(parts), files: directory ? [directory, ...files] : files };
    }),
  );
  return {
    parts: [main, ...toolsets.flatMap(({ parts }) => parts)],
    libraryDir,
    files: [entry.path, ...toolsets.flatMap(({ files }) => files)],
  };
}

/** undefined for a file that cannot be read or parsed: the loader has reported why. */
async function parsedOrUndefined(path: string | URL, parse: ParseFile): Promise<ParsedFile | undefined> {
  try {
    return await parse(path);
  } catch (error) {
    if (error instanceof MCIClientError) return undefined;
    throw error;
  }
}

/** By file in the order of their appearance, then by line; the same problem found by two checks is listed once. */
function sortAndDeduplicate(problems: readonly Problem[]): Problem[] {
  const distinct = new Map<string, Problem>();
  for (const problem of problems) {
    const { file, line, column, message } = problem;
    const key = JSON.stringify([file, line, column, message]);
    if (!distinct.has(key)) distinct.set(key, problem);
  }
  const files = [...new Set([...distinct.values()].map(({ file }) => file))];
  return [...distinct.values()].sort(
    (a, b) =>
      files.indexOf(a.file) - files.indexOf(b.file) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0),
  );
}
