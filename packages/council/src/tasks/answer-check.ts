import { parseJson } from "@mci-ts/primitives/parse-json";
import type { AnswerObject } from "../answer-schema/compile.ts";
import { nextTurn } from "../clock.ts";
import type { Tools } from "../model.ts";
import type { TaskLanguage } from "./language.ts";
import type { StepsProgress } from "./step-record.ts";
import { isSmall, type StepsTaskSpec, type TaskCheck } from "./task-spec.ts";

export type CheckTools = Pick<Tools, "call">;

/** Why an answer must not be counted; undefined when it may. */
type Check = (answer: AnswerObject | string) => Promise<string | undefined>;

/** The checks of one task, made for each step. Equal answers are checked once: k voters must not call a tool k times. */
export interface AnswerCheck {
  (progress: StepsProgress, tools: CheckTools | undefined, signal: AbortSignal): Check;
  /** The state that follows an answer; throws where there is none. */
  next(progress: StepsProgress, answer: AnswerObject): StepsProgress["state"];
}

export function createAnswerCheck({ step, checks = [] }: StepsTaskSpec, language: TaskLanguage): AnswerCheck {
  const nextState = language.jmespath(step.next);
  const rules = checks.map((check) => compileCheck(check, language));
  const answerCheck = (
    progress: StepsProgress,
    tools: CheckTools | undefined,
    signal: AbortSignal,
  ): Check => {
    const results = new Map<string, Promise<string | undefined>>();
    return (answer) => {
      const key = JSON.stringify(answer);
      const found = results.get(key) ?? checkOnce(progress, answer as AnswerObject, tools, signal);
      results.set(key, found);
      return found;
    };
  };
  return Object.assign(answerCheck, { next });

  async function checkOnce(
    progress: StepsProgress,
    answer: AnswerObject,
    tools: CheckTools | undefined,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const scope = { state: progress.state, answer, step: progress.step + 1 };
    for (const [i, rule] of rules.entries()) {
      // An expression may take milliseconds.
      if (i > 0) await nextTurn();
      const reason = await rule(scope, tools, signal);
      if (reason !== undefined) return reason;
    }
    try {
      next(progress, answer);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }

  function next({ state, step: decided }: StepsProgress, answer: AnswerObject): StepsProgress["state"] {
    let following: unknown;
    try {
      following = nextState({ state, answer, step: decided + 1 });
    } catch (error) {
      throw new Error(`step.next cannot be applied to the answer: ${(error as Error).message}`);
    }
    if (typeof following !== "object" || following === null || Array.isArray(following))
      throw new Error(`step.next gives no state, but ${JSON.stringify(following)?.slice(0, 100)}`);
    if (!isSmall(following)) throw new Error("step.next gives a state that is too large");
    return following as StepsProgress["state"];
  }
}

interface CheckScope {
  readonly state: unknown;
  readonly answer: AnswerObject;
  readonly step: number;
}

type Rule = (
  scope: CheckScope,
  tools: CheckTools | undefined,
  signal: AbortSignal,
) => Promise<string | undefined>;

function compileCheck(check: TaskCheck, language: TaskLanguage): Rule {
  if (typeof check === "string") {
    const condition = language.jmespath(check);
    return async (scope) => failure(check, () => holds(condition(scope)));
  }
  const { tool } = check;
  const input = check.input === undefined ? undefined : language.jmespath(check.input);
  const condition = check.holds === undefined ? undefined : language.jmespath(check.holds);
  return async (scope, tools, signal) => {
    if (tools === undefined) return `the check by ${tool} cannot be made: no tools are configured`;
    try {
      const { text, isError } = await tools.call(tool, input ? input(scope) : scope.answer, signal);
      if (isError) return `${tool} reports: ${text.slice(0, 500)}`;
      return failure(`${tool}: ${check.holds}`, () =>
        condition ? holds(condition({ ...scope, result: parsed(text) })) : true,
      );
    } catch (error) {
      return `${tool} failed: ${(error as Error).message}`;
    }
  };
}

function failure(name: string, passes: () => boolean): string | undefined {
  try {
    return passes() ? undefined : `the check ${name} does not hold`;
  } catch (error) {
    return `the check ${name} cannot be applied: ${(error as Error).message}`;
  }
}

/** What JMESPath counts as true. */
export function holds(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

function parsed(text: string): unknown {
  const value = parseJson(text);
  return value === undefined ? text : value;
}
