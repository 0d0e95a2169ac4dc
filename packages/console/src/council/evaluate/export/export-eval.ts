import type { Result } from "@mci-ts/council-eval/console";
import { shellWord } from "@mci-ts/primitives/shell-word";
import { gradeOf, resultOf } from "../results/grade.ts";
import type { Ask, Cell, Column, Evaluation } from "../types.ts";

/** What `mci-council eval` repeats or goes on with. */
export interface EvalFiles {
  /** The questions, as it reads them. */
  readonly questions: string;
  /** What was answered, as it writes it: put into the folder of `--out`, nothing of it is asked again. */
  readonly results: string;
  /** One command for each set of models that share their methods. */
  readonly commands: readonly string[];
  /** Questions that it cannot read: nothing says what is right. */
  readonly leftOut: number;
}

export async function toEvalFiles(
  evaluation: Evaluation,
  asks: readonly Ask[],
  cells: ReadonlyMap<string, Cell>,
  defaultModel: string,
): Promise<EvalFiles> {
  const prompts = Math.max(1, evaluation.prompts.length);
  const used = new Set(evaluation.columns.map(({ prompt }) => Math.min(prompt, prompts - 1)));
  const idOf = ({ row, column }: Ask) =>
    used.size > 1 ? `${row.id}, prompt ${Math.min(column.prompt, prompts - 1) + 1}` : row.id;
  const lines = new Map<string, { line: string; hash: string }>();
  const skipped = new Set<string>();
  for (const ask of asks) {
    const id = idOf(ask);
    if (lines.has(id) || skipped.has(id)) continue;
    const line = questionLine(ask, id);
    if (line === undefined) skipped.add(id);
    else lines.set(id, { line, hash: await hashOf(line) });
  }
  const results = asks.flatMap((ask): string[] => {
    const cell = cells.get(ask.key);
    const question = lines.get(idOf(ask));
    // An answer that a person judged against the expected one, and a failure: it is asked again there.
    if (!cell || !question || cell.error || gradeOf(ask, cell).by === "person") return [];
    const names = {
      method: methodName(ask.column, evaluation),
      model: ask.column.model.trim() || defaultModel,
    };
    const result = resultOf(ask, cell, names);
    if (!result) return [];
    const whole: Result = { ...result, question: idOf(ask), hash: question.hash };
    return [`${JSON.stringify(whole)}\n`];
  });
  return {
    questions: [...lines.values()].map(({ line }) => `${line}\n`).join(""),
    results: results.join(""),
    commands: commandsOf(evaluation, defaultModel),
    leftOut: skipped.size,
  };
}

/** A line as `mci-council eval` writes a question it has read: the same fields in the same order, so the same hash. */
function questionLine({ row, prompt }: Ask, id: string): string | undefined {
  const { kind, context, answer, accept, schema, rubric, labels } = row;
  if (answer === undefined && !accept && !schema && rubric === undefined) return undefined;
  return JSON.stringify({ id, kind, prompt, context, answer, accept, schema, rubric, labels });
}

/** As `mci-council eval` names a question. Only where the page is served securely; elsewhere its results are asked again. */
async function hashOf(line: string): Promise<string> {
  const bytes = await crypto.subtle?.digest("SHA-256", new TextEncoder().encode(line));
  if (!bytes) return "";
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .slice(0, 16);
}

const hasSettings = ({ settings }: Column) => Object.keys(settings).length > 0;

/** The method itself, or the name of a variant of it: letters, digits, dots and dashes, the same for all models. */
export function methodName(column: Column, { columns }: Pick<Evaluation, "columns">): string {
  if (!hasSettings(column)) return column.method;
  const all = [...new Map(columns.filter(hasSettings).map((each) => [definitionOf(each), each])).values()];
  const same = all.filter((each) => slugOf(each) === slugOf(column));
  const index = same.findIndex((each) => definitionOf(each) === definitionOf(column));
  return same.length > 1 ? `${slugOf(column)}-${index + 1}` : slugOf(column);
}

const definitionOf = ({ method, settings }: Column) => JSON.stringify([method, settings]);

function slugOf({ method, settings }: Column): string {
  const text = Object.entries(settings).map(([name, value]) => `${name}-${JSON.stringify(value)}`);
  const slug = [method, ...text].join("-").replaceAll(/[^\w.]+/g, "-");
  return slug.slice(0, 36).replace(/-$/, "");
}

/** `--methods` of `--models` are all combined, so models that are asked in other ways have a command of their own. */
function commandsOf(evaluation: Evaluation, defaultModel: string): readonly string[] {
  const { columns, repeats, concurrency } = evaluation;
  const byModel = Map.groupBy(columns, ({ model }) => model.trim() || defaultModel);
  const byMethods = Map.groupBy([...byModel], ([, own]) =>
    JSON.stringify(
      own.map((column) => [methodName(column, evaluation), column.method, column.settings]).sort(),
    ),
  );
  const out = (index: number) => (byMethods.size > 1 ? `council-eval-${index + 1}` : "council-eval");
  return [...byMethods.values()].map((models, index) => {
    const own = models[0]![1];
    const plain = [...new Set(own.filter((column) => !hasSettings(column)).map(({ method }) => method))];
    const variants = new Map(
      own
        .filter(hasSettings)
        .map((column) => [
          methodName(column, evaluation),
          `--variant ${shellWord(`${methodName(column, evaluation)}=${column.method} ${JSON.stringify(column.settings)}`)}`,
        ]),
    );
    return [
      "npx mci-council eval questions.jsonl",
      `--methods ${shellWord(plain.join(","))}`,
      ...variants.values(),
      `--models ${shellWord(models.map(([model]) => model).join(","))}`,
      ...(repeats > 1 ? [`--runs ${repeats}`] : []),
      `--concurrency ${concurrency}`,
      `--out ${out(index)}`,
    ].join(" ");
  });
}
