import { readFileSync } from "node:fs";
import { MIN_OUTCOMES, type ModelNames, type Outcome, outcomeSchema, problemsOf } from "@mci-ts/council";
import { isObject } from "@mci-ts/primitives/is-object";

/** A file of something else has as many problems as lines. */
const MAX_PROBLEMS = 5;

const Consistent = outcomeSchema
  .refine(({ leader_votes, votes }) => leader_votes <= votes, {
    path: ["leader_votes"],
    error: "must not be above votes",
  })
  .refine(({ right_votes, votes }) => (right_votes ?? 0) <= votes, {
    path: ["right_votes"],
    error: "must not be above votes",
  });

/** Outcomes that were measured elsewhere, one JSON object per line, as `mci-council eval` writes them. Read once, at startup. */
export function readOutcomes(
  file: string | undefined,
  problems: string[],
  warnings: string[],
): readonly Outcome[] {
  if (file === undefined) return [];
  let text: string;
  try {
    // Some programs begin a file with a byte order mark.
    text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    problems.push(`MCI_OUTCOMES: ${file} cannot be read: ${(error as Error).message}`);
    return [];
  }
  const found: string[] = [];
  const outcomes = text.split("\n").flatMap((line, i) => {
    if (line.trim() === "") return [];
    const { outcome, wrong = [] } = readLine(line);
    found.push(...wrong.map((problem) => `MCI_OUTCOMES: ${file}, line ${i + 1}: ${problem}`));
    return outcome ?? [];
  });
  problems.push(...found.slice(0, MAX_PROBLEMS));
  if (found.length > MAX_PROBLEMS)
    problems.push(
      `MCI_OUTCOMES: ${file}: ${found.length - MAX_PROBLEMS} more; it must be the outcomes.jsonl of mci-council eval`,
    );
  if (found.length === 0 && outcomes.length === 0)
    warnings.push(`MCI_OUTCOMES: ${file} has no outcomes, so no vote states a confidence from it`);
  return outcomes;
}

/** The outcome of a line, or what is wrong with it. */
function readLine(line: string): { readonly outcome?: Outcome; readonly wrong?: readonly string[] } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return { wrong: [`not JSON: ${(error as Error).message}`] };
  }
  if (!isObject(value)) return { wrong: ["must be an object"] };
  const { success, data, error } = Consistent.safeParse(value);
  if (success) return { outcome: data };
  return { wrong: problemsOf(error, Consistent, value).map(({ message }) => message) };
}

/** How many there are of which model. */
export function describeOutcomes(outcomes: readonly Outcome[]): string {
  const byModel = [...Map.groupBy(outcomes, ({ model }) => model)].toSorted(
    ([, a], [, b]) => b.length - a.length,
  );
  const shown = byModel.slice(0, MAX_MODELS).map(([model, all]) => `${all.length} of ${model}`);
  return [
    ...shown,
    ...(byModel.length > MAX_MODELS ? [`${byModel.length - MAX_MODELS} more models`] : []),
  ].join(", ");
}
const MAX_MODELS = 5;

/** Where outcomes were measured, but not of the model that votes: their names must be equal, and 20 are needed. */
export function warnOfOutcomes(
  outcomes: readonly Outcome[],
  { names: { voter }, simulated }: { readonly names: ModelNames; readonly simulated: boolean },
): readonly string[] {
  if (outcomes.length === 0) return [];
  if (simulated) return ["MCI_OUTCOMES changes nothing: votes of the simulated model state no confidence"];
  const count = outcomes.filter(({ model }) => model === voter).length;
  if (count >= MIN_OUTCOMES) return [];
  return [
    `MCI_OUTCOMES has ${describeOutcomes(outcomes)}: votes of ${voter} state a confidence from ${MIN_OUTCOMES} outcomes of a model of that name on`,
  ];
}
