import { parseArgs } from "node:util";
import { EvaluationError } from "./evaluation-error.ts";
import { hasLabels } from "./judging/judge.ts";
import { DEFAULT_METHODS, METHOD_NAMES, type Methods, methodOf } from "./methods/methods.ts";
import { variantOf } from "./methods/variant.ts";
import { type Question, readQuestions } from "./questions/questions.ts";
import { SAMPLE_QUESTIONS } from "./questions/sample-questions.ts";

/** What the command was asked for, checked. */
export interface Arguments {
  readonly questions: readonly Question[];
  readonly methods: Methods;
  /** Undefined: the service's voter. */
  readonly models: readonly string[] | undefined;
  readonly runs: number;
  readonly concurrency: number;
  readonly out: string;
  readonly dryRun: boolean;
  readonly failUnder: number;
  readonly attackJudge: boolean;
}

/** Throws one error with every problem: an option that is misspelt or empty must not be taken for none. */
export function readArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      out: { type: "string", default: "council-eval" },
      methods: { type: "string" },
      models: { type: "string" },
      concurrency: { type: "string", default: "4" },
      runs: { type: "string" },
      variant: { type: "string", multiple: true, default: [] },
      "attack-judge": { type: "boolean", default: false },
      "judge-only": { type: "boolean", default: false },
      limit: { type: "string" },
      sample: { type: "boolean", default: false },
      "fail-under": { type: "string" },
      "dry-run": { type: "boolean", default: false },
    },
  });
  const problems: string[] = [];
  if (positionals.length !== (values.sample ? 0 : 1))
    problems.push(
      "eval takes one file, mci-council eval questions.jsonl, or --sample for questions of ours instead of it",
    );
  const judgeOnly = values["judge-only"];
  if (judgeOnly)
    for (const name of ["methods", "variant", "runs", "fail-under"] as const)
      if (values[name] !== undefined && values[name].length > 0)
        problems.push(
          `--${name} says how questions are answered, and --judge-only answers none: leave one out`,
        );
  const methods = judgeOnly ? new Map() : readMethods(values.methods, values.variant, problems);
  const models =
    values.models === undefined
      ? undefined
      : readNames("--models", values.models, "such as gpt-4o-mini,gpt-4o", problems);
  const count = (name: "runs" | "concurrency" | "limit", most: number) => {
    const text = values[name];
    if (text === undefined) return undefined;
    const value = /^\d{1,10}$/.test(text) ? Number(text) : 0;
    if (value < 1 || value > most)
      problems.push(`--${name} must be a whole number from 1 to ${most}; it is ${JSON.stringify(text)}`);
    return value;
  };
  const runs = count("runs", 100) ?? 1;
  const concurrency = count("concurrency", 100)!;
  const limit = count("limit", 1_000_000_000);
  const share = values["fail-under"] ?? "0";
  const failUnder = share.trim() === "" ? Number.NaN : Number(share);
  if (!(failUnder >= 0 && failUnder <= 1))
    problems.push(`--fail-under must be a share from 0 to 1, such as 0.8; it is ${JSON.stringify(share)}`);
  if (values.out.trim() === "") problems.push("--out must name a folder for the results");
  if (problems.length > 0) throw new EvaluationError(problems);
  const questions = (values.sample ? SAMPLE_QUESTIONS : readQuestions(positionals[0]!)).slice(0, limit);
  for (const name of ["judge-only", "attack-judge"] as const)
    if (values[name] && !questions.some(hasLabels))
      problems.push(`--${name}: no question has labels, answers whose verdict is known`);
  if (problems.length > 0) throw new EvaluationError(problems);
  const { out, "dry-run": dryRun, "attack-judge": attackJudge } = values;
  return { questions, methods, models, runs, concurrency, out, dryRun, failUnder, attackJudge };
}

/** Of `--methods` and each `--variant`, in this order; the first one is what the others are compared with. */
function readMethods(list: string | undefined, variants: readonly string[], problems: string[]): Methods {
  // An empty list beside variants: the variants alone.
  const alone = list?.trim() === "" && variants.length > 0;
  const names = alone
    ? []
    : readNames("--methods", list ?? DEFAULT_METHODS.join(","), "such as single,vote-3", problems);
  const methods = new Map(
    names.flatMap((name) => {
      const method = methodOf(name);
      if (method === undefined && name !== "")
        problems.push(
          `--methods: ${JSON.stringify(name)} is not one of ${METHOD_NAMES}, with K and N from 1 to 25`,
        );
      return method ? [[name, method] as const] : [];
    }),
  );
  for (const text of variants) {
    try {
      const { name, method } = variantOf(text);
      if (methods.has(name) || methodOf(name) !== undefined)
        problems.push(
          `--variant: ${JSON.stringify(name)} is the name of another method: results are kept by name, so choose another one`,
        );
      methods.set(name, method);
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      problems.push(...error.problems);
    }
  }
  return methods;
}

/** Separated by commas. */
function readNames(option: string, list: string, example: string, problems: string[]): readonly string[] {
  const names = list.split(",").map((name) => name.trim());
  if (names.includes(""))
    problems.push(
      names.every((name) => name === "")
        ? `${option} names nothing: list names with commas between them, ${example}, or leave it out`
        : `${option} has an empty name, a comma too many: ${JSON.stringify(list)}`,
    );
  const twice = new Set(names.filter((name, i) => name !== "" && names.indexOf(name) !== i));
  for (const name of twice)
    problems.push(
      `${option} names ${JSON.stringify(name)} twice: what is compared has one row for each name`,
    );
  return names;
}
