import { answerKey } from "@mci-ts/council/answer-key";
import { methodOf } from "@mci-ts/council-eval/console";
import { fillIn, variablesOf } from "./template.ts";
import type { Ask, Column, Evaluation, Row } from "./types.ts";

export interface Matrix {
  readonly asks: readonly Ask[];
  /** Why it cannot be started. */
  readonly problems: readonly string[];
}

const MAX_PROBLEMS = 20;
/** More cells than this are work for `mci-council eval`. */
export const MAX_CELLS = 20_000;

/** Every cell of an evaluation, row by row; what is missing is said. */
export function matrixOf(evaluation: Evaluation, rows: readonly Row[]): Matrix {
  const { columns, repeats, prompts } = evaluation;
  const problems = new Set<string>();
  if (columns.length === 0) problems.add("There is no configuration.");
  if (rows.length === 0) problems.add("There are no questions.");
  if (rows.length * columns.length * repeats > MAX_CELLS)
    problems.add(`These are more than ${MAX_CELLS} answers: mci-council eval has no limit.`);
  for (const column of columns)
    if (methodOf(column.method)?.request === undefined)
      problems.add(`${titleOf(column, evaluation)}: there is no method ${column.method}.`);
  if (problems.size > 0) return { asks: [], problems: [...problems] };
  const asks: Ask[] = [];
  for (const row of rows) {
    const schemaProblem = row.schema && problemOfSchema(row);
    if (schemaProblem !== undefined) problems.add(`${row.id}: ${schemaProblem}`);
    const filled = (prompts.length === 0 ? [PLAIN] : prompts).map((template) => fillPrompt(template, row));
    for (const column of columns) {
      const { text, missing } = filled[Math.min(column.prompt, filled.length - 1)]!;
      if (missing.length > 0)
        problems.add(`${row.id}: the prompt asks for ${missing.join(", ")}, which it lacks.`);
      for (let repeat = 1; repeat <= repeats; repeat++) asks.push(askOf(row, column, repeat, text));
    }
    if (problems.size >= MAX_PROBLEMS) break;
  }
  return { asks, problems: [...problems] };
}

/** Asks for the question itself. */
const PLAIN = "{{prompt}}";

function fillPrompt(template: string, { prompt, variables }: Row) {
  const all = prompt === undefined ? variables : new Map([...variables, ["prompt", prompt]]);
  const missing = variablesOf(template).filter((name) => !all.has(name));
  return { text: fillIn(template, all), missing: missing.map((name) => `{{${name}}}`) };
}

function askOf(row: Row, column: Column, repeat: number, prompt: string): Ask {
  const { intent, config } = methodOf(column.method)!.request!;
  const request = {
    prompt,
    ...(row.context === undefined ? {} : { context: row.context }),
    intent,
    config: {
      ...config,
      ...column.settings,
      ...(column.model.trim() === "" ? {} : { model: column.model.trim() }),
      ...(row.schema === undefined ? {} : { answer_schema: row.schema }),
    },
  };
  const key = fingerprint(JSON.stringify([row.id, column.id, repeat, request]));
  return { key, row, column, repeat, prompt, request };
}

function problemOfSchema({ schema, prompt = "" }: Row): string | undefined {
  try {
    answerKey({ prompt, schema })({});
    return undefined;
  } catch (error) {
    return `the schema cannot be used: ${(error as Error).message}`;
  }
}

/** The models that a configuration names: one, or those of a panel. None: the service's own. */
export function modelsOf({ model, settings }: Column): readonly string[] {
  const panel = settings["models"];
  if (Array.isArray(panel) && panel.length > 0) return panel.map(String).filter((name) => name.trim() !== "");
  return model.trim() === "" ? [] : [model.trim()];
}

/** What a configuration is called: as typed, or by what it is. Two of one name are told apart by their number. */
export function titleOf(column: Column, { columns }: Pick<Evaluation, "columns">): string {
  const own = nameOf(column);
  const same = columns.filter((each) => nameOf(each) === own);
  return same.length > 1 ? `${own} (${same.findIndex(({ id }) => id === column.id) + 1})` : own;
}

function nameOf({ name, method, model, prompt, settings }: Column): string {
  if (name.trim() !== "") return name.trim();
  const settled = Object.entries(settings).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  return [
    method,
    ...(model.trim() === "" ? [] : [model.trim()]),
    ...(prompt > 0 ? [`prompt ${prompt + 1}`] : []),
    ...settled,
  ]
    .join(", ")
    .slice(0, 80);
}

/** 106 bits of a text (cyrb53, twice): names, not a protection. */
export function fingerprint(text: string): string {
  return [0x9e3779b9, 0x85ebca6b].map((seed) => cyrb53(text, seed).toString(36).padStart(11, "0")).join("");
}

function cyrb53(text: string, seed: number): number {
  let [a, b] = [0xdeadbeef ^ seed, 0x41c6ce57 ^ seed];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}
