import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Model, ModelRequest } from "../src/model.ts";
import { openRun } from "../src/run.ts";
import { createClusters } from "../src/voting/clusters.ts";
import { sameMeaning } from "../src/voting/equivalence.ts";
import { passesSelfTest, SELF_TEST_CALLS } from "../src/voting/self-test.ts";
import { ask } from "./ask.ts";
import { inOrder, vote } from "./scripted-model.ts";
import { seededRandom } from "./seeded-random.ts";

interface Pair {
  readonly question: string;
  readonly a: string;
  readonly b: string;
  readonly same: boolean;
}

/** 830 pairs of answers with a known truth, 571 of them different. */
const PAIRS: readonly Pair[] = readFileSync(
  new URL("../../../live/corpus/answer-pairs.jsonl", import.meta.url),
  "utf8",
)
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

type Verdict = (a: string, b: string) => boolean;

/** A model that answers the equivalence question, and counts its calls. */
function comparing(verdict: Verdict): Model & { calls: number } {
  const model = {
    calls: 0,
    async complete({ messages }: ModelRequest) {
      model.calls++;
      const [a, b] = ["first answer", "second answer"].map(
        (label) => new RegExp(`<<< ${label} (\\S+)\\n([\\s\\S]*?)\\n\\1 >>>`).exec(messages[1]!.content)![2]!,
      );
      const object = { rationale: "compared", same: verdict(a!, b!) };
      return {
        text: JSON.stringify(object),
        finishReason: "stop" as const,
        usage: { inputTokens: 9, outputTokens: 9 },
        latencyMs: 1,
      };
    },
  };
  return model;
}

/** Whether two answers become one cluster, the model of the helper deciding what the canonical form leaves open. */
async function merges(model: Model, pair: Pair, selfTests: Map<string, boolean>): Promise<boolean> {
  const run = openRun({ prompt: pair.question }, { model, models: { voter: "helper" }, selfTests });
  const clusters = createClusters(sameMeaning(run, run.question), pair.question);
  const keys = [await clusters.place(pair.a), await clusters.place(pair.b)];
  run.budget.close();
  return keys[0] === keys[1];
}

const random = seededRandom(11);
const truth = new Map(
  PAIRS.flatMap(
    ({ a, b, same }) =>
      [
        [`${a}|${b}`, same],
        [`${b}|${a}`, same],
      ] as [string, boolean][],
  ),
);
const FAKES: Readonly<Record<string, Verdict>> = {
  "that always says yes": () => true,
  "that always says no": () => false,
  "that guesses": () => random() < 0.5,
  "that is right in 85 of 100": (a, b) => (truth.get(`${a}|${b}`) ?? false) === random() < 0.85,
  "that prefers the longer first": (a, b) => a.length >= b.length,
  "that looks at the first letter": (a, b) => a[0]?.toLowerCase() === b[0]?.toLowerCase(),
};

describe("[V-equivalence] no false merge in 830 pairs", () => {
  test.each(Object.entries(FAKES))("with a model %s", async (_, verdict) => {
    const model = comparing(verdict);
    const selfTests = new Map<string, boolean>();
    const wrong: Pair[] = [];
    for (const pair of PAIRS) if ((await merges(model, pair, selfTests)) && !pair.same) wrong.push(pair);
    expect(wrong).toEqual([]);
    expect([...selfTests.values()]).toEqual([false]);
    expect(model.calls).toBeLessThanOrEqual(SELF_TEST_CALLS);
  });

  test("and a model that knows passes, and merges what the canonical form cannot", async () => {
    const known = new Set(["Shakespeare", "air scatters", "photosynthes", "back", "summer"]);
    const verdict: Verdict = (a, b) =>
      truth.get(`${a}|${b}`) ??
      [...known].some((word) => a.includes(word) && b.includes(word) && !b.includes("Marlowe"));
    const ask = async (_: string, a: string, b: string) =>
      /Marlowe/.test(a + b) ? false : verdict(a, b) || (/scatter/.test(a) && /scatter/.test(b));
    expect(await passesSelfTest(ask)).toBe(true);
    const selfTests = new Map([["helper 2", true]]);
    const model = comparing(verdict);
    const same = PAIRS.filter((pair) => pair.same);
    let merged = 0;
    for (const pair of PAIRS) {
      const isMerged = await merges(model, pair, selfTests);
      if (isMerged) merged++;
      if (!pair.same) expect(isMerged, JSON.stringify(pair)).toBe(false);
    }
    expect(merged).toBeGreaterThan(same.length * 0.75);
  });
});

test("[V-equivalence] a yes in one order alone merges nothing", async () => {
  const selfTests = new Map([["helper 2", true]]);
  const pair = { question: "Where?", a: "in the old town", b: "downtown", same: false };
  expect(
    await merges(
      comparing((a) => a === "downtown"),
      pair,
      selfTests,
    ),
  ).toBe(false);
  expect(
    await merges(
      comparing(() => true),
      pair,
      selfTests,
    ),
  ).toBe(true);
});

test("[V-equivalence] a model that failed its self-test is not asked again, and the run says so", async () => {
  const selfTests = new Map([["helper-model 2", false]]);
  const { result, model } = ask(
    { prompt: "What is the capital of Australia?", config: { max_samples: 5 } },
    {
      vote: inOrder(vote("Canberra"), vote("the town of Canberra"), vote("Canberra")),
      equivalence: inOrder({ object: { same: true } }),
    },
    { selfTests },
  );
  const { metadata } = await result;
  expect(model.of("equivalence")).toEqual([]);
  expect(metadata.voting!.clusters).toHaveLength(2);
  expect(metadata.warnings.join()).toContain("helper-model failed the self-test");
});

test("[V-equivalence] a test that max_calls leaves no room for is not made", async () => {
  const { result, model } = ask(
    { prompt: "What is the capital of Australia?", config: { max_calls: 20 } },
    { vote: inOrder(vote("Canberra"), vote("the town of Canberra"), vote("Canberra")) },
    { selfTests: new Map() },
  );
  expect((await result).metadata.warnings.join()).toContain("max_calls leaves no room to test helper-model");
  expect(model.of("equivalence")).toEqual([]);
});

test("[V-equivalence] the self-test of a model that always says yes or no is short, and ends where time does", async () => {
  let calls = 0;
  const say = (same: boolean) => async () => {
    calls++;
    return same;
  };
  expect(await passesSelfTest(say(true))).toBe(false);
  expect(calls).toBe(4);
  calls = 0;
  expect(await passesSelfTest(say(false))).toBe(false);
  expect(calls).toBeLessThan(SELF_TEST_CALLS / 2 + 2);
  calls = 0;
  expect(await passesSelfTest(say(false), () => calls >= 4)).toBeUndefined();
  expect(calls).toBe(4);
});

test("[V-equivalence] a model that gives no valid answer has proved nothing, and is tested again", async () => {
  expect(await passesSelfTest(async () => undefined)).toBeUndefined();
});
