import { dirname, resolve } from "node:path";
import { type Problem, ToolError } from "../errors.ts";
import { DEFAULT_LIMITS } from "../execute/executor.ts";
import { decodeText } from "../execute/file/include.ts";
import { type ReadRules, readAllowed } from "../execute/file/read.ts";
import { isAllowed, realPath } from "../execute/paths.ts";
import { positionsOf } from "../load/parse/positions.ts";
import { TemplateCompiler } from "../template/compile.ts";
import { loadJinja } from "../template/jinja/load.ts";
import { references } from "../template/references.ts";
import type { TemplateEngine } from "../template-api.ts";
import type { Location } from "./result.ts";
import type { TemplateUse } from "./template-use.ts";

export interface TemplateFile extends Pick<TemplateUse, "consumer" | "declared" | "inputSchema"> {
  /** The path, rendered. */
  readonly path: string;
  readonly engine: TemplateEngine;
  readonly rules: ReadRules;
  /** Where the path is written. */
  readonly writtenAt: Location;
}

/** Reads a file that a tool renders, and the files it includes, recursively; reports their problems. */
export async function readTemplateFile(
  template: TemplateFile,
): Promise<{ templateUses: TemplateUse[]; problems: Problem[] }> {
  const { rules, engine, consumer, declared, inputSchema } = template;
  const templateUses = new Map<string, TemplateUse & { readonly variables: Set<string> }>();
  const problems: Problem[] = [];
  const waiting: Waiting[] = [
    { path: template.path, from: rules.paths.baseDir, writtenAt: template.writtenAt, variables: [] },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, from, writtenAt, variables } = next;
    try {
      const { file, bytes } = await readAllowed(path, rules, from);
      const earlier = templateUses.get(file);
      // Included once more: only what it sees there may be new.
      if (earlier && variables.every((name) => earlier.variables.has(name))) continue;
      const text = earlier?.source ?? decodeText(bytes);
      if (text === undefined || bytes.includes(0)) continue;
      const position = positionsOf(text);
      const templateUse = earlier ?? {
        source: text,
        language: engine === "jinja2" ? "jinja2" : "template",
        consumer,
        declared,
        inputSchema,
        variables: new Set(),
        locationOf: (offset: number) => ({ file, ...position(offset) }),
      };
      for (const name of variables) templateUse.variables.add(name);
      templateUses.set(file, templateUse);
      if (!earlier) problems.push(...(await syntaxProblems(text, file, engine, inputSchema)));
      if (engine === "jinja2") continue;
      for (const [path, around] of references(text, "template", [...templateUse.variables], inputSchema)
        .includes)
        waiting.push({ path, from: dirname(file), writtenAt: { file }, variables: around });
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      const { message, hint } = leavesProject(error, path, rules, from) ? NOT_CHECKED : error;
      problems.push({ message, ...(hint !== undefined && { hint }), severity: "warning", ...writtenAt });
    }
  }
  return { templateUses: [...templateUses.values()], problems };
}

const NOT_CHECKED = {
  message: "The file was not checked, because its path leads out of the project",
  hint: undefined,
};

/** Whether the tool may read the file, and only lint may not. */
function leavesProject(error: ToolError, path: string, { paths }: ReadRules, from: string): boolean {
  if (error.code !== "path_refused" || path.includes("\0")) return false;
  return isAllowed(realPath(resolve(from, path)).real, { ...paths, within: undefined });
}

interface Waiting {
  readonly path: string;
  readonly from: string;
  /** Where that is written. */
  readonly writtenAt: Location;
  /** The variables of the loops around the place. */
  readonly variables: readonly string[];
}

async function syntaxProblems(
  text: string,
  file: string,
  engine: TemplateEngine,
  inputSchema: unknown,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  const compile = new TemplateCompiler({
    limits: DEFAULT_LIMITS,
    engine,
    jinja: engine === "jinja2" ? await loadJinja() : undefined,
    report: ({ message, hint, line, column }) =>
      problems.push({ message, hint, file, line, column, severity: "error" }),
  });
  compile.declaring(inputSchema).template(text, []);
  return problems;
}
