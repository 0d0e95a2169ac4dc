import { beforeAll, describe, expect, test } from "vitest";
import { loadExpressions } from "../../../mci/src/json/expressions.ts";
import { hanoiModel, hanoiMove, hanoiTask } from "../../test/hanoi.ts";
import type { Model } from "../model.ts";
import { expectedVotes } from "../voting/statistics.ts";
import { checkTask } from "./check-task.ts";
import { EXAMPLE_TASK } from "./example-task.ts";
import type { TaskLanguage } from "./language.ts";
import type { StepEnd, StepRecord } from "./step-record.ts";
import { compileStepsTask, type StepOptions } from "./steps-task.ts";
import type { StepsTaskSpec } from "./task-spec.ts";

let language: TaskLanguage;
beforeAll(async () => {
  language = await loadExpressions();
});

const options = (model: Model): StepOptions => ({ model, models: { voter: "m" } });

/** A model that answers with what `next` makes of the number in the prompt. */
function counter(answer: (n: number, call: number) => unknown): Model {
  let calls = 0;
  return {
    async complete({ messages }) {
      const n = Number(/number is (\d+)/.exec(messages.at(-1)!.content)![1]);
      return {
        text: "",
        object: { rationale: "", answer: answer(n, ++calls) },
        finishReason: "stop",
        usage: { inputTokens: 10, outputTokens: 5, costUsd: 0.01 },
        latencyMs: 0,
      };
    },
  };
}

const count = (spec: object = {}) =>
  compileStepsTask(checkTask({ ...EXAMPLE_TASK, ...spec }, language) as StepsTaskSpec, language);

describe("a task of steps", () => {
  test("every step is voted on, and its answer gives the state of the next", async () => {
    const task = count();
    const model = counter((n) => ({ n: n + 1 }));
    let progress = task.start();
    while (!task.isDone(progress))
      progress = task.apply(progress, (await task.solve(progress, options(model))) as StepRecord);
    expect(progress).toMatchObject({
      step: 20,
      state: { n: 20 },
      contested: 0,
      spent: { calls: 60, input_tokens: 600, output_tokens: 300 },
    });
    expect(progress.spent.cost_usd).toBeCloseTo(0.6);
  });

  test("[TK-learn] Towers of Hanoi with eight disks: no error at an error rate of 5 %, and as many calls as theory says", async () => {
    const errorRate = 0.05;
    const task = compileStepsTask(hanoiTask(8, { k: 5 }), language);
    const model = hanoiModel({ errorRate, flagRate: 0.01, seed: 7 });
    let progress = task.start();
    let flagged = 0;
    while (!task.isDone(progress)) {
      const record = (await task.solve(progress, options(model))) as StepRecord;
      expect(record.answer).toMatchObject(hanoiMove(progress.step + 1));
      flagged += record.flagged ?? 0;
      progress = task.apply(progress, record);
    }
    expect(progress.step).toBe(255);
    const theory = expectedVotes(1 - errorRate, 5);
    expect(Math.abs((model.calls - flagged) / 255 / theory - 1)).toBeLessThan(0.03);
    expect(progress.learnt.agreed / progress.learnt.total).toBeCloseTo(1 - errorRate, 1);
    expect(progress.learnt.lengths.count).toBe(255);
  });

  test('[TK-learn] k: "auto" falls as the votes of earlier steps agree, and goes on from a stored progress', async () => {
    const task = count({ config: { k: "auto", target: 0.95 }, max_steps: 1000 });
    const model = counter((n) => ({ n: n + 1 }));
    const first = (await task.solve(task.start(), options(model))) as StepRecord;
    let progress = task.start();
    for (let i = 0; i < 15; i++)
      progress = task.apply(progress, (await task.solve(progress, options(model))) as StepRecord);
    const stored = JSON.parse(JSON.stringify(progress));
    const later = (await task.solve(stored, options(model))) as StepRecord;
    expect(first.k).toBe(8);
    expect(later.k).toBe(3);
  });

  test("[TK-checks] answers that fail a check, or give no state, are red-flagged", async () => {
    const task = count({ checks: ["answer.n > state.n"] });
    const model = counter((n, call) => ({ n: call === 1 ? n - 5 : n + 1 }));
    const record = (await task.solve(task.start(), options(model))) as StepRecord;
    expect(record).toMatchObject({ answer: { n: 1 }, votes: 3, calls: 4, flagged: 1 });
    expect(record.samples).toContain("-5");
    const never = count({ step: { ...EXAMPLE_TASK.step, next: "answer.missing" } });
    const end = (await never.solve(never.start(), options(model))) as StepEnd;
    expect(end).toMatchObject({ end: "paused", reason: "undecided" });
    expect(end.message).toContain("step.next gives no state, but null");
  });

  test("[TK-checks] a tool checks equal answers once", async () => {
    const task = count({
      checks: [{ tool: "is_next", input: "{ a: state.n, b: answer.n }", holds: "result.ok" }],
    });
    const inputs: unknown[] = [];
    const checkTools = {
      async call(_: string, input: unknown) {
        inputs.push(input);
        return { text: '{"ok":true}', isError: false };
      },
    };
    const model = counter((n) => ({ n: n + 1 }));
    const record = await task.solve(task.start(), { ...options(model), checkTools });
    expect(record).toMatchObject({ votes: 3 });
    expect(inputs).toEqual([{ a: 0, b: 1 }]);
    const without = await task.solve(task.start(), options(model));
    expect(without).toMatchObject({ end: "paused", reason: "undecided" });
  });

  test("[TK-pause] a vote without a winner pauses the task and says why", async () => {
    const model = counter((_, call) => ({ n: call }));
    expect(await count().solve(count().start(), options(model))).toMatchObject({
      end: "paused",
      reason: "undecided",
      message: expect.stringContaining("no_agreement"),
      spent: { calls: 5 },
    });
  });

  test("[TK-budget] limits hold across steps", async () => {
    const task = count({ config: { k: 3, max_calls: 7 } });
    const model = counter((n) => ({ n: n + 1 }));
    let progress = task.start();
    for (let i = 0; i < 2; i++)
      progress = task.apply(progress, (await task.solve(progress, options(model))) as StepRecord);
    expect(await task.solve(progress, options(model))).toMatchObject({ end: "paused", reason: "budget" });
    const money = count({ config: { k: 3, max_usd: 0.03 } });
    const after = money.apply(
      money.start(),
      (await money.solve(money.start(), options(model))) as StepRecord,
    );
    expect(await money.solve(after, options(model))).toMatchObject({
      reason: "budget",
      message: expect.stringContaining("max_usd"),
    });
  });

  test("a person's answer must fit the schema and give a state", () => {
    const task = count();
    expect(task.answerOf(task.start(), { n: 4 })).toMatchObject({ answer: { n: 4 }, by: "person", calls: 0 });
    expect(() => task.answerOf(task.start(), { n: "four" })).toThrow("answer must fit");
  });
});

describe("what a task may say", () => {
  test.each([
    ["kind", { kind: "other" }, "kind"],
    ["a template", { step: { ...EXAMPLE_TASK.step, prompt: "{{state.n" } }, "step.prompt"],
    ["a name in a template", { step: { ...EXAMPLE_TASK.step, prompt: "{{stat.n}}" } }, "step.prompt"],
    ["JMESPath", { step: { ...EXAMPLE_TASK.step, next: "{ n: " } }, "step.next"],
    ["the end", { until: "state.[" }, "until"],
    ["a check", { checks: ["a ||"] }, "checks[0]"],
    ["a check's condition", { checks: [{ tool: "t", holds: "(" }] }, "checks[0].holds"],
    ["a schema", { step: { ...EXAMPLE_TASK.step, answer: { type: "string" } } }, "step.answer"],
    ["a limit", { config: { k: 0 } }, "config.k"],
    ["a field", { max_step: 3 }, "max_step"],
  ])("[TK-spec] a mistake in %s is named with its field", (_, change, path) => {
    let problems: readonly { path: string }[] = [];
    try {
      checkTask({ ...EXAMPLE_TASK, ...change }, language);
    } catch (error) {
      problems = (error as { problems: typeof problems }).problems;
    }
    expect(problems.map((problem) => problem.path)).toContain(path);
  });
});
