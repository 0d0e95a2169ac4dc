import { dirname } from "node:path";
import { type Problem, ToolError } from "../errors.ts";
import { DEFAULT_LIMITS } from "../execute/executor.ts";
import { type ReadRules, readAllowed } from "../execute/file-read.ts";
import { decodeText } from "../execute/include.ts";
import { positionsOf } from "../load/locate.ts";
import { createCompile } from "../template/compile.ts";
import { loadJinja } from "../template/load-jinja.ts";
import { references } from "../template/references.ts";
import type { TemplateEngine } from "../text.ts";
import type { Spot } from "./inspection.ts";
import type { Reading } from "./reading.ts";

export interface TemplateFile extends Pick<Reading, "user" | "declared"> {
  /** The path, rendered. */
  readonly path: string;
  readonly engine: TemplateEngine;
  readonly rules: ReadRules;
  /** Where the path is written. */
  readonly writtenAt: Spot;
}

/** Reads a file that a tool renders, and those it includes, and theirs; says what is wrong with them. */
export async function readTemplateFile(
  template: TemplateFile,
): Promise<{ readings: Reading[]; problems: Problem[] }> {
  const { rules, engine, user, declared } = template;
  const readings = new Map<string, Reading>();
  const problems: Problem[] = [];
  const waiting = [{ given: template.path, from: rules.paths.baseDir, writtenAt: template.writtenAt }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { given, from, writtenAt } = next;
    try {
      const { file, bytes } = await readAllowed(given, rules, from);
      const text = decodeText(bytes);
      if (readings.has(file) || text === undefined || bytes.includes(0)) continue;
      const position = positionsOf(text);
      const spot = (offset: number) => ({ file, ...position(offset) });
      readings.set(file, {
        source: text,
        language: engine === "jinja2" ? "jinja2" : "template",
        user,
        declared,
        spot,
      });
      problems.push(...(await syntaxProblems(text, file, engine)));
      if (engine === "jinja2") continue;
      for (const include of references(text, "template").includes) {
        waiting.push({ given: include, from: dirname(file), writtenAt: { file } });
      }
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      problems.push({ message: error.message, severity: "warning", ...writtenAt });
    }
  }
  return { readings: [...readings.values()], problems };
}

async function syntaxProblems(text: string, file: string, engine: TemplateEngine): Promise<Problem[]> {
  const problems: Problem[] = [];
  const compile = createCompile({
    limits: DEFAULT_LIMITS,
    engine,
    jinja: engine === "jinja2" ? await loadJinja() : undefined,
    report: ({ message, hint, line, column }) =>
      problems.push({ message, hint, file, line, column, severity: "error" }),
  });
  compile.template(text, []);
  return problems;
}
