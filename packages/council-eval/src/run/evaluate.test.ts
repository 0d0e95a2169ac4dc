import { chanceRight, createCalibration, expectedVotes, type Model } from "@mci-ts/council";
import { expect, it, vi } from "vitest";
import { randomFor } from "../../../fake-provider/src/choose-reply.ts";
import { isAccepted } from "../judging/accepted.ts";
import { methodOf } from "../methods/methods.ts";
import { variantOf } from "../methods/variant.ts";
import { withHash } from "../questions/questions.ts";
import { SAMPLE_QUESTIONS } from "../questions/sample-questions.ts";
import { textReport } from "../report/table.ts";
import { summarise } from "../statistics/summary.ts";
import { theoryOf } from "../statistics/theory.ts";
import { describeEstimate, estimate } from "./estimate.ts";
import { evaluate } from "./evaluate.ts";
import { describeUse, outcomesOf } from "./outcomes.ts";
import { createProgress } from "./progress.ts";
import type { Result } from "./results-file.ts";

const P = 0.8;

const methods = (...names: readonly string[]) => new Map(names.map((name) => [name, methodOf(name)!]));

/** Right with the chance P, by a seeded generator. */
function knownModel(seed: number): Model {
  const random = randomFor(seed, 1);
  return {
    async complete() {
      const object = { rationale: "", answer: random() < P ? "yes" : "no", other: null };
      const usage = { inputTokens: 100, outputTokens: 10 };
      return { text: JSON.stringify(object), object, finishReason: "stop", usage, latencyMs: 1 };
    },
  };
}

const asked = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    withHash({ id: `q${i}`, prompt: `Is statement ${i} true, yes or no?`, answer: "yes" }),
  );

it("[E-theory] recovers p, the error rates and the calls that theory gives for k = 1, 3 and 5", async () => {
  const N = 120;
  const model = knownModel(7);
  const results = await evaluate({
    questions: asked(N),
    methods: methods("vote-1", "vote-3", "vote-5"),
    models: ["known"],
    concurrency: 1,
    results: { read: () => [], append: () => {} },
    options: { model: () => model, models: { voter: "known" } },
  });
  const [theory] = theoryOf(results, methods("vote-1", "vote-3", "vote-5"));
  expect(Math.abs(theory!.p - P)).toBeLessThan(4 * Math.sqrt((P * (1 - P)) / theory!.votes));
  const summaries = summarise(results);
  for (const k of [1, 3, 5]) {
    const right = chanceRight(P, k);
    // Four standard deviations, or one question.
    const tolerance = 4 * Math.sqrt((right * (1 - right)) / N) + 1 / N;
    const { measured, theory: expected } = theory!.errors.find((one) => one.k === k)!;
    expect(Math.abs(measured - (1 - right)), `errors for k = ${k}`).toBeLessThan(tolerance);
    expect(Math.abs(expected - (1 - right)), `theory for k = ${k}`).toBeLessThan(tolerance);
    const { calls } = summaries.find(({ method }) => method === `vote-${k}`)!;
    expect(Math.abs(calls - expectedVotes(P, k)) / expectedVotes(P, k), `calls for k = ${k}`).toBeLessThan(
      0.15,
    );
  }
});

it("[E-cost] says before it starts what it will take, by theory and prices", () => {
  const questions = [...asked(10), withHash({ id: "r", prompt: "Why?", rubric: "Says why." })];
  const price = () => 0.01;
  const { minCalls, calls, usd } = estimate(
    questions,
    methods("single", "vote-3", "council"),
    ["a", "b"],
    price,
  );
  // 1 + 3 + 4 calls for each question and model, and one to grade each answer to the last one.
  expect(minCalls).toBe(2 * (11 * 8 + 3));
  expect(calls).toBe(Math.round(2 * (11 * (1 + expectedVotes(0.8, 3) + 4) + 3)));
  expect(usd!.min).toBeCloseTo(1.82);
  expect(describeEstimate({ minCalls, calls, usd })).toMatch(
    /^182 to about 223 model calls, about \$1\.82 to \$2\.\d\d/,
  );
  expect(describeEstimate(estimate(questions, methods("single"), ["a"], () => undefined))).toContain(
    "cost unknown",
  );
});

it("[E-cost] shows a bar on a terminal and some lines elsewhere, with what is spent and what it comes to", () => {
  const result = { cost_usd: 0.02 } as Result;
  const output = (isTerminal: boolean) => {
    let text = "";
    let clock = 0;
    const show = createProgress({ write: (more) => (text += more), isTerminal }, () => clock);
    for (let done = 0; done <= 100; done++) {
      show(done, 100, Array(done).fill(result));
      clock += 1000;
    }
    return text;
  };
  const lines = output(false).trimEnd().split("\n");
  expect(lines.length).toBe(11);
  expect(lines[5]).toBe("50/100, $1.00 of about $2.00, 50 s left");
  expect(lines[10]).toBe("100/100, $2.00 spent");
  const bar = output(true).split("\r\u001b[K");
  expect(bar.length).toBe(102);
  expect(bar[51]).toBe("[##########----------] 50/100, $1.00 of about $2.00, 50 s left");
});

it("an object is right by the part that is voted on; texts by their canonical form", () => {
  const schema = {
    type: "object",
    properties: { n: { type: "integer" }, why: { type: "string", "x-vote": false } },
  };
  const question = withHash({ id: "o", prompt: "?", schema, answer: { n: 1, why: "" } });
  expect(isAccepted(question, { why: "Because.", n: 1 })).toBe(true);
  expect(isAccepted(question, { why: "", n: 2 })).toBe(false);
  const text = withHash({ id: "t", prompt: "?", answer: 3, accept: ["three"] });
  expect(["3", "3.0", "**Three**", "4"].map((answer) => isAccepted(text, answer))).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(isAccepted(withHash({ id: "s", prompt: "?", schema }), { n: 1 })).toBeUndefined();
});

it("what an answer repeats of the question does not make it wrong, as in votes", () => {
  const sum = withHash({ id: "s", prompt: "What is 3 + 4? Answer with the number only.", answer: "7" });
  expect(["3 + 4 = 7", "7", "3 + 4 = 8"].map((answer) => isAccepted(sum, answer))).toEqual([
    true,
    true,
    false,
  ]);
});

it("without outcomes no confidence is stated; with them it is about the leader, decided or not [E-calibrated]", async () => {
  // Two of three votes are right, and none is ever three ahead.
  const model: Model = {
    async complete() {
      const object = { rationale: "", answer: ++calls % 3 === 0 ? "no" : "yes", other: null };
      const usage = { inputTokens: 100, outputTokens: 10 };
      return { text: JSON.stringify(object), object, finishReason: "stop", usage, latencyMs: 1 };
    },
  };
  let calls = 0;
  const questions = asked(30);
  const evaluation = {
    questions,
    methods: new Map([["few", variantOf('few=vote-3 {"max_samples": 3, "speculation": 0}').method]]),
    models: ["m"],
    concurrency: 1,
    results: { read: () => [], append: () => {} },
    options: { model: () => model, models: { voter: "m" } },
  };
  const before = await evaluate(evaluation);
  expect(before[0]).toMatchObject({
    verdict: "degraded",
    answer: null,
    correct: false,
    confidence: null,
    leader_right: true,
  });
  expect(before[0]!.agreement).toBeCloseTo(2 / 3);
  expect(summarise(before)[0]!.calibration_error).toMatchObject({ of: "agreement", count: 30 });
  const outcomes = outcomesOf(before);
  expect(outcomes).toHaveLength(30);
  expect(outcomes[0]).toMatchObject({ leader_votes: 2, votes: 3, right_votes: 2, right: true });

  const calibration = createCalibration(outcomes);
  const after = await evaluate({ ...evaluation, options: { ...evaluation.options, calibration } });
  expect(after[0]!.confidence).toBeGreaterThan(0.8);
  expect(after[0]!.confidence_interval![0]).toBeLessThan(after[0]!.confidence!);
  const [summary] = summarise(after);
  expect(summary!.calibration_error).toMatchObject({ of: "confidence", count: 30 });
  expect(summary!.calibration_error!.value).toBeLessThan(0.2);
});

it("a question is one outcome, however many runs and methods asked it; bare and simulated calls are none", () => {
  const basis = { model: "m", strategy: "vote", kind: "text", outcomes: 0 };
  const base = { hash: "h", model: "m", run: 1, verdict: "decided", answer: "a", correct: true } as const;
  const figures = { confidence: null, agreement: 1, leader_right: true, calls: 1, grading_calls: 0 } as const;
  const result = (more: Partial<Result>): Result => ({
    ...{ ...base, ...figures, question: "q", method: "vote-3", cost_usd: null, seconds: 1 },
    ...{ basis, votes: { a: 3 }, right_votes: 3, ...more },
  });
  const { basis: _, ...simulated } = result({ question: "r" });
  const outcomes = outcomesOf([
    result({ method: "single", votes: { a: 1 }, right_votes: 1 }),
    result({}),
    result({ run: 2, votes: { b: 2, a: 1 }, right_votes: 1, leader_right: false }),
    result({ method: "vote-5", votes: { a: 5, b: 1 }, right_votes: 5 }),
    result({ question: "s", error: "not graded" }),
    simulated,
  ]);
  expect(outcomes).toEqual([
    { model: "m", strategy: "vote", kind: "text", leader_votes: 5, votes: 6, right_votes: 5, right: true },
  ]);
  expect(describeUse(outcomes, "out/outcomes.jsonl")).toContain("1 of m, vote, too few for a confidence (20");
  expect(describeUse(Array(20).fill(outcomes[0]), "o")).toContain("20 of m, vote\n");
  expect(describeUse([], "o")).toBe("");
});

it("the questions that ship have an id each, and something to be graded by", () => {
  expect(new Set(SAMPLE_QUESTIONS.map(({ id }) => id)).size).toBe(SAMPLE_QUESTIONS.length);
  for (const { answer, rubric } of SAMPLE_QUESTIONS) expect(answer ?? rubric).toBeDefined();
});

it("asks repeatedly with --runs, and gives the chance that all runs are right [E-runs]", async () => {
  const model = knownModel(3);
  const results = await evaluate({
    questions: asked(60),
    methods: methods("single"),
    models: ["known"],
    runs: 4,
    concurrency: 1,
    results: { read: () => [], append: () => {} },
    options: { model: () => model, models: { voter: "known" } },
  });
  expect(results.length).toBe(240);
  const [summary] = summarise(results);
  expect(summary).toMatchObject({ questions: 60, runs: 4 });
  summary!.pass_all.forEach((share, i) => {
    const expected = P ** (i + 1);
    expect(Math.abs(share - expected), `pass^${i + 1}`).toBeLessThan(
      4 * Math.sqrt((expected * (1 - expected)) / 60),
    );
  });
  expect(summary!.pass_all[0]).toBeCloseTo(summary!.accuracy);
});

it("the built-in self-consistency loop takes the most frequent last line, without the engine [E-baseline]", async () => {
  const replies = ["I think so.\nAnswer: no", "Answer: Yes.", "Surely.\n**Answer:** yes", "yes"];
  const temperatures: number[] = [];
  const model: Model = {
    async complete({ temperature, schema }) {
      expect(schema).toBeUndefined();
      temperatures.push(temperature);
      const text = replies[(temperatures.length - 1) % replies.length]!;
      return { text, finishReason: "stop", usage: { inputTokens: 1, outputTokens: 1 }, latencyMs: 1 };
    },
  };
  const [result] = await evaluate({
    questions: asked(1),
    methods: methods("self-consistency-4"),
    models: ["m"],
    concurrency: 1,
    results: { read: () => [], append: () => {} },
    options: { model: () => model, models: { voter: "m" }, price: () => 0.5 },
  });
  expect(result).toMatchObject({
    correct: true,
    calls: 4,
    cost_usd: 2,
    confidence: null,
    verdict: "decided",
  });
  expect(Object.values(result!.votes)).toEqual([3, 1]);
  expect(temperatures).toEqual([0.7, 0.7, 0.7, 0.7]);
});

it("a variant is a method with more settings under a name of its own", () => {
  expect(variantOf('wide=vote-3 {"max_samples": 9}')).toMatchObject({
    name: "wide",
    method: { k: 3, request: { intent: "validation", config: { k: 3, max_samples: 9 } } },
  });
  expect(variantOf('small=vote-3 {"k": 2}').method).toMatchObject({ k: 2, minCalls: 2 });
  expect(variantOf('auto=vote-3 {"k": "auto"}').method.k).toBeUndefined();
  expect(variantOf('five=council {"num_voters": 5}').method.minCalls).toBe(6);
});

it.each([
  ["wide=vote-3", 'must be NAME=METHOD {"setting": value}'],
  ["=vote-3 {}", 'must be NAME=METHOD {"setting": value}'],
  ['wide=vote-3 {"k"', 'must be NAME=METHOD {"setting": value}'],
  ["wide=none {}", "none is not a method with settings"],
  ["wide=plain {}", "plain is not a method with settings"],
  ['wide=vote-3 {"maxsamples": 9}', "did you mean max_samples?"],
  ['wide=vote-3 {"k": 99}', "config.k must be a whole number from 1 to 25"],
  ['wide=vote-3 {"model": "other"}', "config.model is not a field"],
])("a variant that no request would take is refused before a call: %s", (text, message) => {
  expect(() => variantOf(text)).toThrow(message);
});

it("the report says why runs failed, the most frequent reason first", async () => {
  let calls = 0;
  const model: Model = {
    async complete() {
      throw new Error(calls++ === 0 ? "the key\nis wrong" : "no such model");
    },
  };
  const results = await evaluate({
    questions: asked(3),
    methods: methods("plain"),
    models: ["m"],
    concurrency: 1,
    results: { read: () => [], append: () => {} },
    options: { model: () => model, models: { voter: "m" } },
  });
  const report = textReport({
    summaries: summarise(results),
    comparisons: [],
    theory: [],
    dependence: [],
    judges: [],
  });
  expect(report).toMatch(/Why runs failed[\s\S]*plain +m +2 +no such model\nplain +m +1 +the key is wrong/);
});

it("a bare call has the time of the other methods' calls: the limit of the model, none of its own", async () => {
  const timeout = vi.spyOn(AbortSignal, "timeout");
  const [result] = await evaluate({
    questions: asked(1),
    methods: methods("plain"),
    models: ["m"],
    concurrency: 1,
    results: { read: () => [], append: () => {} },
    options: { model: () => knownModel(1), models: { voter: "m" } },
  });
  expect(result?.error).toBeUndefined();
  expect(timeout).not.toHaveBeenCalled();
  timeout.mockRestore();
});
