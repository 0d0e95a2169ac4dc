import { dirname, resolve } from "node:path";
import { MCIClientError, type Problem } from "../errors.ts";
import type { PathRules } from "../execute/executor.ts";
import { loadFile } from "../load/load.ts";
import { cachedParser, type ParsedFile, type ParseFile } from "../load/parse/parse.ts";
import { resolveToolset } from "../load/toolsets/resolve.ts";
import { checkLoadOptions } from "../options.ts";
import { DEFAULT_LIBRARY_DIR } from "../schema/defaults.ts";
import { type DocumentLint, lintDocument } from "./document.ts";
import { mayRead, projectRules } from "./project-folders.ts";
import type { LintOptions, LintResult, Location, ToolLocation } from "./result.ts";
import { chooseTools, toolKey, toolLocations, withoutTools } from "./tool-locations.ts";

/*
 * Static analysis: no process is started, no connection opened, nothing written.
 *
 *   path -load-> Problem[]                            what the loader reports
 *        -parse-> Parsed -lintDocument-> DocumentLint for the file and each of its toolset files, parsed once for both
 */

/** Never throws for what the file says; it is all in `problems`. */
export async function lintFile(path: string | URL, options: LintOptions = {}): Promise<LintResult> {
  checkLoadOptions(options);
  const { source, folders } = options;
  const parse = cachedParser(source === undefined ? undefined : { path, text: source });
  const entry = await parsedOrUndefined(path, parse);
  const project = projectRules(dirname(entry?.path ?? resolve(String(path))), folders);
  const { parts, libraryDir, files, tools: all } = await lintDocuments(entry, options, parse, project);
  const { tools, isJudged, warnings } = chooseTools(all, options.filter);
  const problems = await judgedLoadProblems(path, options, parse, project, isJudged);
  const usesEnv = parts.some((part) => part.envs.length > 0);
  return {
    tools,
    problems: sortAndDeduplicate([
      ...warnings,
      ...problems,
      ...parts.flatMap((part) => [...part.problems, ...(usesEnv ? part.callerChosenFiles : [])]),
    ]).filter(isJudged),
    envs: parts.flatMap((part) => part.envs).filter(isJudged),
    commands: parts.flatMap((part) => part.commands).filter(isJudged),
    ...(libraryDir !== undefined && { libraryDir }),
    files,
  };
}

/** Errors of other tools end a load before it comes to the chosen ones: then it is repeated without their tools. */
async function judgedLoadProblems(
  path: string | URL,
  options: LintOptions,
  parse: ParseFile,
  project: PathRules,
  isJudged: (location: Location) => boolean,
): Promise<readonly Problem[]> {
  const without = new Set<string>();
  for (;;) {
    const problems = await loadProblems(path, options, withoutTools(parse, without), project);
    const found = problems.filter((problem) => problem.severity === "error" && !isJudged(problem));
    const more = found.map(toolKey).filter((key) => !without.has(key));
    if (more.length === 0) return problems;
    for (const key of more) without.add(key);
  }
}

async function loadProblems(
  path: string | URL,
  { env }: LintOptions,
  parse: ParseFile,
  project: PathRules,
): Promise<readonly Problem[]> {
  try {
    const options = { env, validating: true, unknownKeys: "warn" } as const;
    return (await loadFile(path, options, { parse, mayRead: mayRead(project) })).warnings;
  } catch (error) {
    if (!(error instanceof MCIClientError)) throw error;
    if (error.problems.length > 0) return error.problems;
    return [{ message: error.message, file: String(path), severity: "error" }];
  }
}

async function lintDocuments(
  entry: ParsedFile | undefined,
  { env = {} }: LintOptions,
  parse: ParseFile,
  project: PathRules,
): Promise<{ parts: DocumentLint[]; libraryDir?: string; files: string[]; tools: ToolLocation[] }> {
  if (entry === undefined) return { parts: [], files: [], tools: [] };
  const baseDir = dirname(entry.path);
  const site = { baseDir, env, project };
  const main = await lintDocument(entry, { usedBy: "main", ...site });
  const libraryDir = resolve(baseDir, main.libraryDir ?? DEFAULT_LIBRARY_DIR);
  const isReadable = mayRead(project);
  const toolsets = await Promise.all(
    main.toolsets.map(async (reference) => {
      const { name } = reference;
      // The loader has said that these toolsets are not checked.
      if (!isReadable(libraryDir)) return { parts: [], files: [], tools: [] };
      const resolved = await resolveToolset(libraryDir, name);
      if (!("files" in resolved)) return { parts: [], files: [], tools: [] };
      const { files, directory } = resolved;
      const documents = await Promise.all(files.map((file) => parsedOrUndefined(file, parse, isReadable)));
      const readable = documents.filter((file) => file !== undefined);
      const parts = readable.map((file) => lintDocument(file, { usedBy: name, ...site }));
      // Their files lie below libraryDir, which may be made of env.
      const masked = (await Promise.all(parts)).map((part) => ({
        ...part,
        problems: main.mask(part.problems),
        callerChosenFiles: main.mask(part.callerChosenFiles),
        envs: main.mask(part.envs),
      }));
      const tools = main.mask(readable.flatMap((file) => toolLocations(file, reference)));
      return { parts: masked, files: directory ? [directory, ...files] : files, tools };
    }),
  );
  return {
    parts: [main, ...toolsets.flatMap(({ parts }) => parts)],
    libraryDir,
    files: [entry.path, ...toolsets.flatMap(({ files }) => files)],
    tools: [...toolLocations(entry), ...toolsets.flatMap(({ tools }) => tools)],
  };
}

/** undefined for a file that cannot be read or parsed: the loader has reported why. */
async function parsedOrUndefined(
  path: string | URL,
  parse: ParseFile,
  isReadable?: (real: string) => boolean,
): Promise<ParsedFile | undefined> {
  try {
    return await parse(path, isReadable);
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
