import { CouncilError, type RequestProblem } from "../errors.ts";
import { problemsOf } from "../problems.ts";
import type { TaskLanguage } from "./language.ts";
import { planTaskSchema, type StepsTaskSpec, stepsTaskSchema, type TaskSpec } from "./task-spec.ts";

const KINDS = { steps: stepsTaskSchema, plan: planTaskSchema };

/** The task, or `CouncilError` `invalid_request` with every problem: a field, a template, an expression or a schema that cannot be used. */
export function checkTask(value: unknown, language: TaskLanguage): TaskSpec {
  const kind = (value as { kind?: unknown } | null)?.kind;
  if (typeof kind !== "string" || !Object.hasOwn(KINDS, kind))
    throw invalid([{ path: "kind", message: 'kind must be "steps" or "plan"' }]);
  const schema = KINDS[kind as keyof typeof KINDS];
  const checked = schema.safeParse(value);
  if (!checked.success) throw invalid(problemsOf(checked.error, schema, value));
  const problems = checked.data.kind === "steps" ? languageProblems(checked.data, language) : [];
  if (problems.length > 0) throw invalid(problems);
  return checked.data;
}

function languageProblems(spec: StepsTaskSpec, language: TaskLanguage): RequestProblem[] {
  const { state, step, until, checks = [] } = spec;
  const expressions: [path: string, source: string | undefined][] = [
    ["step.next", step.next],
    ["until", until],
    ...checks.flatMap((check, i): [string, string | undefined][] =>
      typeof check === "string"
        ? [[`checks[${i}]`, check]]
        : [
            [`checks[${i}].input`, check.input],
            [`checks[${i}].holds`, check.holds],
          ],
    ),
  ];
  return [
    // Rendered once with the first state: a misspelt name is found before anything is spent.
    ...problemAt("step.prompt", "an MCI template", () =>
      language.template(step.prompt).render({ state, step: 1 }),
    ),
    ...expressions.flatMap(([path, source]) =>
      source === undefined ? [] : problemAt(path, "a JMESPath expression", () => language.jmespath(source)),
    ),
  ];
}

function problemAt(path: string, what: string, use: () => unknown): RequestProblem[] {
  try {
    use();
    return [];
  } catch (error) {
    return [{ path, message: `${path} must be ${what} that can be used here: ${(error as Error).message}` }];
  }
}

function invalid(problems: readonly RequestProblem[]): CouncilError {
  const [first, ...more] = problems.map(({ message }) => message);
  const others = more.length > 0 ? ` (and ${more.length} more)` : "";
  return new CouncilError("invalid_request", `${first}${others}`, { problems });
}
