import { expect, test } from "vitest";
import { ask, typesOf } from "./ask.ts";
import { decision, inOrder, pick, type Scripted, seat, vote } from "./scripted-model.ts";

const CAPITAL = "What is the capital of Australia?";
const OPEN = "What is the meaning of life?";

test("[V-refusal] refusals inside valid answers never win, whatever their number", async () => {
  const refusal = vote("I'm sorry, but I can't help with that.");
  const { result, events } = ask(
    { prompt: CAPITAL },
    { vote: inOrder(refusal, refusal, refusal, vote("Canberra")) },
  );
  expect((await result).metadata).toMatchObject({ answer: "Canberra", voting: { red_flagged: 3 } });
  expect(events.filter(({ type }) => type === "sample.flagged")).toMatchObject(
    Array(3).fill({ rule: "refusal" }),
  );
});

test("[V-refusal] a refusing seat and a refusing judge are asked again", async () => {
  const { result } = ask(
    { prompt: OPEN, intent: "decision" },
    {
      seat: (_, nth) => (nth === 0 ? seat("Lo siento, no puedo ayudar con eso.") : seat("42")),
      judge: inOrder(decision("As an AI language model, I cannot judge."), decision("42")),
    },
  );
  expect((await result).metadata).toMatchObject({ status: "complete", voting: { red_flagged: 1 } });
});

test("[V-early-stop] a model without one valid vote ends the run after k + 3 replies, with the rule that fired", async () => {
  const { result, model } = ask({ prompt: CAPITAL }, { vote: inOrder({ text: "Canberra, obviously" }) });
  await expect(result).rejects.toMatchObject({
    code: "no_valid_answer",
    message: expect.stringContaining("schema_invalid: the reply holds no JSON object (6 times)"),
  });
  expect(model.requests).toHaveLength(6);
});

test("[V-open] where no two answers agree and the prompt chose the vote, the council is asked", async () => {
  const { result, model } = ask(
    { prompt: OPEN },
    {
      vote: (_, nth) => vote(["love", "duty", "joy", "work", "art", "rest"][nth]!),
      equivalence: inOrder({ object: { same: false } }),
      seat: inOrder(seat("to live it")),
      judge: inOrder(decision("Live it.", { answer: "to live it" })),
    },
  );
  const { metadata } = await result;
  expect(metadata).toMatchObject({
    tool_used: "consult_council",
    answer: "to live it",
    escalation: [{ to: "council" }],
    warnings: [expect.stringContaining("no_agreement")],
  });
  expect(model.of("vote")).toHaveLength(5);
  expect(model.requests.length).toBeLessThanOrEqual(15);
});

test("[V-open] a vote that the caller chose stays a vote, and says that the question is open", async () => {
  const { result } = ask(
    { prompt: OPEN, intent: "validation" },
    {
      vote: (_, nth) => vote(["love", "duty", "joy", "work", "art"][nth]!),
      equivalence: inOrder({ object: { same: false } }),
    },
  );
  const { result: report, metadata } = await result;
  expect(metadata).toMatchObject({ answer: null, voting: { undecided: "no_agreement" } });
  expect(report).toContain("no two answers agree, so this is an open question; ask the council");
});

test("[V-open] the council is not asked with calls that the budget does not have", async () => {
  const { result, model } = ask(
    { prompt: OPEN, config: { max_calls: 12 } },
    {
      vote: (_, nth) => vote(["love", "duty", "joy", "work", "art"][nth]!),
      equivalence: inOrder({ object: { same: false } }),
    },
  );
  expect((await result).metadata.escalation).toMatchObject([
    { to: "council", error: "max_calls leaves no 4 calls for a council" },
  ]);
  expect(model.of("seat")).toHaveLength(0);
});

test("the wording shown for a cluster is its most frequent one", async () => {
  const { result, events } = ask(
    { prompt: CAPITAL },
    { vote: inOrder(vote("canberra."), vote("Canberra"), vote("Canberra")) },
  );
  const { result: report, metadata } = await result;
  expect(metadata).toMatchObject({ answer: "Canberra", voting: { votes: { Canberra: 3 } } });
  expect(report).toContain("## Winning Answer\n\nCanberra\n");
  expect(events.find(({ type }) => type === "vote.decided")).toMatchObject({ winner: "Canberra" });
});

test("[A-answer] an undecided vote and a decomposition have no answer", async () => {
  const undecided = ask(
    { prompt: "Use tabs or spaces?", config: { max_samples: 6 } },
    { vote: (_, nth) => pick(nth % 2 ? "tabs" : "spaces") },
  );
  expect((await undecided.result).metadata.answer).toBeNull();
  const steps = [{ id: 1, action: "do it", input: null, output: null, dependencies: [] }];
  const plan = ask(
    { prompt: "Decompose: do it" },
    { decompose: inOrder({ object: { task: "do it", total_steps: 1, steps } }) },
  );
  expect((await plan.result).metadata.answer).toBeNull();
});

test("[V-auto] k: auto warns where its target cannot be reached", async () => {
  const run = (agreed: number, config: object = {}) =>
    ask(
      { prompt: CAPITAL, config: { k: "auto", ...config } },
      { vote: inOrder(vote("Canberra")) },
      { record: () => ({ agreed, total: 100 }) },
    ).result;
  expect((await run(99)).metadata.warnings).toEqual([]);
  expect((await run(50)).metadata.warnings).toEqual([
    expect.stringContaining("too few of its votes agreed with the winner (50 of 100)"),
  ]);
  expect((await run(70, { target: 0.999, steps: 1_000_000 })).metadata.warnings).toEqual([
    expect.stringMatching(/it would take k = \d+/),
  ]);
});

test("[M-output] the output limit is the request's, else a default that grows where reasoning uses it up", async () => {
  const cut: Scripted = { text: "<think>still thinking", finishReason: "length" };
  const grown = ask({ prompt: CAPITAL, config: { k: 1 } }, { vote: inOrder(cut, cut, vote("Canberra")) });
  await grown.result;
  expect(grown.model.requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([8192, 16_384, 32_768]);
  const config = { k: 1, max_output_tokens: 100, reasoning_effort: "low" } as const;
  const fixed = ask({ prompt: CAPITAL, config }, { vote: inOrder(cut, vote("Canberra")) });
  await fixed.result;
  expect(fixed.model.requests).toMatchObject(Array(2).fill({ maxOutputTokens: 100, reasoningEffort: "low" }));
});

test("[M-context] a request that is longer than a model's context window is refused before any call", async () => {
  const model = { contextWindow: () => 1000 };
  const long = { prompt: CAPITAL, context: { code: "x = 1;\n".repeat(1000) } };
  const { result, model: scripted, events } = ask(long, { vote: inOrder(vote("x")) }, {}, model);
  await expect(result).rejects.toMatchObject({
    code: "context_length_exceeded",
    message: expect.stringMatching(/about \d+ tokens, but voter-model takes 1000/),
  });
  expect(scripted.requests).toHaveLength(0);
  expect(typesOf(events)).toEqual(["run.started", "run.failed"]);
  const short = ask({ prompt: CAPITAL }, { vote: inOrder(vote("Canberra")) }, {}, model);
  expect((await short.result).metadata.answer).toBe("Canberra");
});

test("the answer is shown without blanks around it; code keeps its indentation", async () => {
  const displayed = async (answer: string) =>
    (await ask({ prompt: CAPITAL, config: { k: 1 } }, { vote: inOrder(vote(answer)) }).result).metadata
      .answer;
  expect(await displayed(" 8 ")).toBe("8");
  expect(await displayed("\n 8 \n")).toBe("8");
  expect(await displayed("\n  if x:\n    return 1\n")).toBe("  if x:\n    return 1");
});

test("turns before the prompt are the models' conversation, not quoted material", async () => {
  const conversation = [
    { role: "user", content: "I live in Australia." },
    { role: "assistant", content: "Noted." },
  ] as const;
  const { result, model } = ask(
    { prompt: "What is its capital?", context: { conversation: [...conversation] } },
    { vote: inOrder(vote("Canberra")) },
  );
  await result;
  const { messages } = model.requests[0]!;
  expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
  expect(messages.slice(1, 3)).toEqual(conversation);
  expect(messages[3]!.content).toBe("The request:\nWhat is its capital?");
});
