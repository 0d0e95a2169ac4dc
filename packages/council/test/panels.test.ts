import { describe, expect, test } from "vitest";
import { bordaScores } from "../src/strategies/ranking.ts";
import { ask } from "./ask.ts";
import { decision, inOrder, type Scripted, seat, vote } from "./scripted-model.ts";

const prompt = "How should we store sessions?";

describe("[P-panel] the models of a panel", () => {
  test("take one seat each, with a judge of their own", async () => {
    const { result, model } = ask(
      { prompt, intent: "decision", config: { models: ["a", "b", "c", "d"], judge_model: "j", model: "m" } },
      { seat: inOrder(seat("Redis")), judge: inOrder(decision("Redis.", { answer: "Redis" })) },
    );
    const { metadata } = await result;
    expect(model.of("seat").map(({ model }) => model)).toEqual(["a", "b", "c", "d"]);
    expect(model.of("judge")[0]!.model).toBe("j");
    expect(metadata).toMatchObject({ model: "a, b, c, d", judge_model: "j" });
  });
  test("vote in turn", async () => {
    const { result, model } = ask(
      {
        prompt: "What is the capital of France?",
        intent: "validation",
        config: { k: 3, models: ["a", "b"] },
      },
      { vote: inOrder(vote("Paris")) },
    );
    expect((await result).metadata).toMatchObject({ answer: "Paris", model: "a, b" });
    expect(model.of("vote").map(({ model }) => model)).toEqual(["a", "b", "a"]);
  });
});

test("[P-criteria] the prompts of seats, judge and voters have the criteria, in order and outside all delimiters", async () => {
  const config = { criteria: ["cost", "safety"], num_voters: 2 };
  const { result, model } = ask(
    { prompt, intent: "decision", config },
    { seat: inOrder(seat("Redis")), judge: inOrder(decision("Redis.", { answer: "Redis" })) },
  );
  await result;
  for (const { messages } of model.requests)
    expect(messages.at(-1)!.content).toContain(
      "\n\nDecide by these criteria, the most important first:\n1. cost\n2. safety\n\nThe request:\n".slice(
        messages.at(-1)!.content.startsWith("Decide") ? 2 : 0,
      ),
    );
});

describe("[P-preset] a preset", () => {
  test("sets what the request leaves open; the request's own fields take precedence", async () => {
    const script = { vote: inOrder(vote("Paris")) };
    const question = { prompt: "What is the capital of France?", intent: "validation" } as const;
    const quick = ask({ ...question, config: { preset: "quick" } }, script);
    expect((await quick.result).metadata.voting?.k).toBe(2);
    expect(quick.model.requests[0]!.reasoningEffort).toBe("low");
    const own = ask({ ...question, config: { preset: "quick", k: 4 } }, script);
    expect((await own.result).metadata.voting?.k).toBe(4);
    const added = ask({ ...question, config: { preset: "audit" } }, script, { presets: { audit: { k: 6 } } });
    expect((await added.result).metadata.voting?.k).toBe(6);
  });
  test("that is not known is refused before any call, with those that are", async () => {
    const { result, model } = ask(
      { prompt, config: { preset: "hasty" } },
      {},
      { presets: { audit: { k: 6 } } },
    );
    await expect(result).rejects.toMatchObject({
      code: "invalid_request",
      problems: [
        { path: "config.preset", message: expect.stringContaining('"thorough", "audit"; it is "hasty"') },
      ],
    });
    expect(model.requests).toEqual([]);
  });
});

describe("[C-ranking] peer ranking", () => {
  /** Puts the proposal for one answer first, whatever its label. */
  const preferring =
    (favourite: string) =>
    ({ messages }: { messages: readonly { content: string }[] }): Scripted => {
      const found = [...messages.at(-1)!.content.matchAll(/<<< proposal ([A-Y]) \w+\nProposal for (\w+)/g)];
      const labels = found.toSorted((a, b) => Number(b[2] === favourite) - Number(a[2] === favourite));
      return { object: { rationale: "r", ranking: labels.map((match) => `Proposal ${match[1]}`) } };
    };
  const seats = { seat: inOrder(seat("Redis"), seat("Postgres"), seat("Memory")) };
  const equivalence = inOrder({ object: { rationale: "", same: false } });

  test("orders the others' proposals, never one's own, beside the judge", async () => {
    const { result, model } = ask(
      { prompt, intent: "decision", config: { peer_ranking: true } },
      {
        ...seats,
        equivalence,
        judge: inOrder(decision("Postgres.", { answer: "Postgres" })),
        rank: preferring("Postgres"),
      },
    );
    const { metadata, result: report } = await result;
    const { ranking } = metadata.council!;
    expect(ranking!.scores[0]).toEqual({ seat: 2, points: 2, share: 1 });
    expect(ranking!.rankings.every(({ seat, order }) => !order.includes(seat) && order.length === 2)).toBe(
      true,
    );
    expect(ranking!.agrees_with_judge).toBe(true);
    expect(report).toContain(
      "## Peer Ranking\n\n| Seat | Answer | Points |\n| ---: | --- | ---: |\n| 2 | Postgres | 2 (100 %) |",
    );
    const seen = model.of("rank").map(({ messages }) => messages.at(-1)!.content);
    expect(
      seen.map((text) => ["Redis", "Postgres", "Memory"].filter((one) => text.includes(one)).length),
    ).toEqual([2, 2, 2]);
  });

  test("says where it disagrees with the judge", async () => {
    const { result } = ask(
      { prompt, intent: "decision", config: { peer_ranking: true } },
      {
        ...seats,
        equivalence,
        judge: inOrder(decision("Redis.", { answer: "Redis" })),
        rank: preferring("Postgres"),
      },
    );
    const { metadata, result: report } = await result;
    expect(metadata.council!.ranking!.agrees_with_judge).toBe(false);
    expect(metadata.warnings.join()).toContain("rank another answer first");
    expect(report).toContain("The judge decided against the answer that the seats rank first.");
    expect(metadata.status).toBe("complete");
  });

  test("a ranking that misses a proposal is a red flag, asked for once more, then left out with a warning", async () => {
    const { result, model } = ask(
      { prompt, intent: "decision", config: { peer_ranking: true } },
      {
        ...seats,
        equivalence,
        judge: inOrder(decision("Redis.", { answer: "Redis" })),
        rank: (request, nth) =>
          nth % 3 === 0 ? { object: { rationale: "", ranking: ["A", "A"] } } : preferring("Redis")(request),
      },
    );
    const { metadata } = await result;
    expect(metadata.council!.ranking!.rankings.length).toBe(2);
    expect(metadata.warnings.join()).toContain("ranked nothing");
    expect(model.of("rank").length).toBe(4);
  });

  test("needs three proposals", async () => {
    const { result, model } = ask(
      { prompt, intent: "decision", config: { peer_ranking: true, num_voters: 2 } },
      { ...seats, equivalence, judge: inOrder(decision("Redis.", { answer: "Redis" })) },
    );
    const { metadata } = await result;
    expect(metadata.warnings.join()).toContain("at least 3 proposals");
    expect(model.of("rank")).toEqual([]);
  });

  test("adds up by Borda's count", () => {
    const scores = bordaScores(
      [1, 2, 3, 4],
      [
        { seat: 1, order: [2, 3, 4] },
        { seat: 2, order: [3, 1, 4] },
        { seat: 3, order: [2, 4, 1] },
      ],
    );
    expect(scores).toEqual([
      { seat: 2, points: 4, share: 1 },
      { seat: 3, points: 3, share: 0.75 },
      { seat: 1, points: 1, share: 0.25 },
      { seat: 4, points: 1, share: 1 / 6 },
    ]);
  });
});
