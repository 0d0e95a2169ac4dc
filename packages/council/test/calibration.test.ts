/**
 * Stated chances against the truth, for simulated models whose samples depend on each other by a chosen amount. Fitted on one half of
 * the questions, measured on the other.
 */
import { describe, expect, test } from "vitest";
import { runCouncil } from "../src/council.ts";
import type { Model } from "../src/model.ts";
import type { CouncilRequest } from "../src/request.ts";
import { type Calibration, createCalibration, type Outcome } from "../src/voting/calibration.ts";
import { measureDependence } from "../src/voting/dependence.ts";
import { chanceRight } from "../src/voting/statistics.ts";
import { type CorrelatedOptions, correlatedModel } from "./correlated-model.ts";

const FIT = 300;
const HELD_OUT = 500;

interface Asked extends Outcome {
  readonly confidence?: number;
  readonly interval?: readonly [number, number];
  readonly calls: number;
}

async function askAll(
  model: ReturnType<typeof correlatedModel>,
  numbers: readonly number[],
  {
    config,
    calibration,
    options = "",
  }: { config?: CouncilRequest["config"]; calibration?: Calibration; options?: string } = {},
): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const number of numbers) {
    const { metadata } = await runCouncil(
      {
        prompt: `Question ${number}?${options.replaceAll("N", String(number))}`,
        intent: "validation",
        config,
      },
      {
        model,
        models: { voter: "correlated", fallbacks: ["stronger"] },
        selfTests: { get: () => false, set: () => {} },
        ...(calibration ? { calibration } : {}),
      },
    );
    const { votes, basis, confidence, confidence_interval } = metadata.voting!;
    const counts = Object.values(votes);
    asked.push({
      ...basis!,
      leader_votes: Math.max(...counts),
      votes: counts.reduce((sum, count) => sum + count, 0),
      right_votes: votes[`right ${number}`] ?? 0,
      right: metadata.answer === `right ${number}`,
      calls: metadata.usage.calls,
      ...(confidence === undefined ? {} : { confidence, interval: confidence_interval! }),
    });
  }
  return asked;
}

const range = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const shareRight = (asked: readonly Asked[]) => mean(asked.map(({ right }) => Number(right)));

/** Expected calibration error over ten bins. */
function calibrationError(asked: readonly Asked[], stated: (one: Asked) => number): number {
  const bins = Map.groupBy(asked, (one) => Math.min(9, Math.floor(10 * stated(one))));
  return [...bins.values()].reduce(
    (sum, bin) => sum + (bin.length / asked.length) * Math.abs(mean(bin.map(stated)) - shareRight(bin)),
    0,
  );
}

describe("[V-calibrated] on held-out questions of simulated models", () => {
  test.each<[CorrelatedOptions]>([
    [{ p: 0.6, dependence: 0.8 }],
    [{ p: 0.75, dependence: 0.5 }],
    [{ p: 0.55, dependence: 0.95 }],
    [{ p: 0.8, dependence: 0.2 }],
  ])("the stated confidence holds where 1/(1+r^k) does not: %j", async (options) => {
    const model = correlatedModel(options);
    const config = { vary: [], k: 3 } as const satisfies CouncilRequest["config"];
    const fit = await askAll(model, range(0, FIT), { config: { ...config, vary: [] } });
    const calibration = createCalibration(fit);
    const held = await askAll(model, range(FIT, HELD_OUT), { config: { ...config, vary: [] }, calibration });
    const right = shareRight(held);
    const error = 3 * Math.sqrt((right * (1 - right)) / held.length);

    // The old formula, with the accuracy that was measured.
    const p = mean(fit.map(({ right_votes, votes }) => right_votes! / votes));
    const old = chanceRight(p, 3);
    expect(Math.abs(old - right)).toBeGreaterThan(error);

    const stated = mean(held.map(({ confidence }) => confidence!));
    expect(Math.abs(stated - right)).toBeLessThan(error);
    const low = mean(held.map(({ interval }) => interval![0]));
    const high = mean(held.map(({ interval }) => interval![1]));
    expect(right).toBeGreaterThan(low - error / 3);
    expect(right).toBeLessThan(high + error / 3);
    expect(calibrationError(held, ({ confidence }) => confidence!)).toBeLessThan(0.1);
  });

  test("dependence and accuracy are recovered", () => {
    return askAll(correlatedModel({ p: 0.7, dependence: 0.6 }), range(0, 600), {
      config: { vary: [], k: 3 },
    }).then((asked) => {
      const measured = createCalibration(asked).measured({
        model: "correlated",
        strategy: "vote, resampled",
      })!;
      expect(measured.p).toBeCloseTo(0.7, 1);
      expect(Math.abs(measured.dependence - 0.6)).toBeLessThan(0.1);
    });
  });
});

describe("[V-vary] what samples differ in", () => {
  const model = () => correlatedModel({ p: 0.6, dependence: 0.9, wordingShare: 0.7 });

  test("votes over wordings are right more often than resamples, and their agreement means more", async () => {
    const [resampled, worded] = await Promise.all([
      askAll(model(), range(0, 400), { config: { vary: [] } }),
      askAll(model(), range(0, 400)),
    ]);
    expect(shareRight(worded)).toBeGreaterThan(shareRight(resampled) + 0.03);
    const unanimous = (asked: readonly Asked[]) =>
      asked.filter(({ leader_votes, votes }) => leader_votes === votes);
    expect(shareRight(unanimous(worded))).toBeGreaterThan(shareRight(unanimous(resampled)) + 0.05);
  });

  /** Two models whose mistakes do not depend on each other. */
  const twoModels = (): Model => {
    const [one, other] = [model(), correlatedModel({ p: 0.6, dependence: 0.9, seed: 2 })];
    return {
      complete: (request, signal) => (request.model === "other" ? other : one).complete(request, signal),
    };
  };

  test.each<[string, CouncilRequest["config"], { create?: () => Model; options?: string }]>([
    ["the order of the options", { vary: ["options"] }, { options: " Is it right N, wrong N or open N?" }],
    ["roles", { vary: ["role"] }, {}],
    ["the model", { vary: [], models: ["correlated", "other"] }, { create: twoModels }],
  ])(
    "votes that differ in %s depend less on each other than resamples",
    async (_, config, { create = model, ...questions }) => {
      const [resampled, varied] = await Promise.all([
        askAll(model(), range(0, 400), { config: { vary: [] }, ...questions }),
        askAll(create(), range(0, 400), { config, ...questions }),
      ]);
      const dependence = (asked: readonly Asked[]) =>
        measureDependence(asked.map(({ votes, right_votes }) => ({ votes, right: right_votes! }))).dependence;
      expect(dependence(varied)).toBeLessThan(dependence(resampled) - 0.1);
    },
  );
});

describe("[V-cheap] cheap first", () => {
  test("two wordings that agree end a vote; quality stays within three points of always voting, with fewer calls", async () => {
    const model = () => correlatedModel({ p: 0.7, dependence: 0.8, wordingShare: 0.3 });
    const always = await askAll(model(), range(0, 500));
    const cheap = await askAll(model(), range(0, 500), { config: { cheap_first: true, escalate: [] } });
    const calls = (asked: readonly Asked[]) => mean(asked.map(({ calls }) => calls));
    expect(shareRight(cheap)).toBeGreaterThan(shareRight(always) - 0.03);
    expect(calls(cheap)).toBeLessThan(0.85 * calls(always));
  });

  test("goes on to k where they differ, and to the second model where no answer is far enough ahead", async () => {
    const asked: string[] = [];
    const { metadata } = await runCouncil(
      { prompt: "What is it?", intent: "validation", config: { cheap_first: true, max_samples: 6 } },
      {
        model: {
          async complete({ model }) {
            asked.push(model);
            const answer = model === "stronger" ? "yes" : asked.length % 2 ? "yes" : "no";
            return {
              text: JSON.stringify({ rationale: "because", answer }),
              finishReason: "stop",
              usage: { inputTokens: 9, outputTokens: 9 },
              latencyMs: 1,
            };
          },
        },
        models: { voter: "weak", fallbacks: ["stronger"] },
      },
    );
    expect(asked.filter((name) => name === "weak").length).toBeGreaterThan(2);
    expect(metadata).toMatchObject({ answer: "yes", escalation: [{ to: "second_model", converged: true }] });
    expect(asked.filter((name) => name === "stronger")).toHaveLength(2);
  });
});

describe("[V-auto] k: auto uses the measured dependence", () => {
  const settings = async (options: CorrelatedOptions, target: number) => {
    const model = correlatedModel(options);
    const calibration = createCalibration(await askAll(model, range(0, 300), { config: { vary: [], k: 5 } }));
    const { metadata } = await runCouncil(
      { prompt: "Question 1000?", intent: "validation", config: { vary: [], k: "auto", target } },
      { model, models: { voter: "correlated" }, calibration },
    );
    return { k: metadata.voting!.k, warnings: metadata.warnings.join() };
  };

  test("nearly independent samples reach a target; those that repeat each other do not, and that is said", async () => {
    const independent = await settings({ p: 0.85, dependence: 0.02 }, 0.9);
    expect(independent.k).toBeGreaterThan(1);
    expect(independent.k).toBeLessThan(10);
    const repeating = await settings({ p: 0.7, dependence: 1 }, 0.99);
    expect(repeating.k).toBeLessThan(10);
    expect(repeating.warnings).toContain("more votes hardly change that");
    expect(repeating.warnings).toMatch(/dependence (?:0\.9|1\.00)/);
    expect(repeating.warnings).toContain("can hardly help here");
  });
});
