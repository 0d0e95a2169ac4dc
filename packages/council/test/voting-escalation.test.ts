import { expect, test } from "vitest";
import { ModelError } from "../src/model.ts";
import { ask } from "./ask.ts";
import { decision, inOrder, vote } from "./scripted-model.ts";

const CAPITAL = "What is the capital of Australia?";

const split = (_: unknown, nth: number) => vote(nth % 2 ? "1" : "2");

test("[V-escalate] nothing is escalated unless the request allows it", async () => {
  const { result, model } = ask({ prompt: CAPITAL }, { vote: split });
  expect((await result).metadata.escalation).toBeUndefined();
  expect(new Set(model.requests.map(({ purpose }) => purpose))).toEqual(new Set(["vote"]));
});

test("[V-escalate] an undecided vote is asked again in other words, then of a second model", async () => {
  const { result, model } = ask(
    { prompt: CAPITAL, config: { escalate: ["paraphrase", "second_model"] } },
    {
      vote: (request, nth) => (request.model === "second" ? vote("3") : split(request, nth)),
      paraphrase: inOrder({ object: { question: "Name Australia's capital." } }),
    },
    { models: { voter: "first", fallbacks: ["first", "second"] } },
  );
  const { metadata } = await result;
  expect(metadata).toMatchObject({
    status: "complete",
    model: "second",
    voting: { converged: true, votes: { 3: 3 } },
    escalation: [
      { to: "paraphrase", converged: false },
      { to: "second_model", converged: true },
    ],
  });
  expect(
    model.of("vote").some(({ messages }) => messages.at(-1)!.content.includes("Name Australia's capital.")),
  ).toBe(true);
});

test("[V-escalate] the council has the last word where it is allowed", async () => {
  const { result } = ask(
    { prompt: CAPITAL, config: { escalate: ["second_model", "council"] } },
    {
      vote: split,
      seat: inOrder({ object: { answer: "Canberra", proposal: "It is Canberra." } }),
      judge: inOrder({
        object: {
          consensus: [],
          contradictions: [],
          gaps: [],
          positions: [],
          dissent: [],
          decision: "Canberra.",
        },
      }),
    },
  );
  const { result: report, metadata } = await result;
  expect(report).toMatch(/^# MAKER-Council Report/);
  expect(metadata).toMatchObject({
    tool_used: "consult_council",
    escalation: [
      { to: "second_model", converged: false, error: "no second model is configured" },
      { to: "council" },
    ],
  });
});

test("[V-escalate] a council that fails leaves the undecided vote as the result", async () => {
  const { result } = ask(
    { prompt: CAPITAL, config: { escalate: ["council"] } },
    { vote: split, seat: inOrder({ error: new ModelError("down", { retryable: false }) }) },
  );
  expect((await result).metadata).toMatchObject({
    tool_used: "solve_with_voting",
    status: "degraded",
    escalation: [{ to: "council", converged: false, error: expect.stringContaining("down") }],
  });
});

const TWO_MODELS = { models: { voter: "first", fallbacks: ["second"] } };
const SEATS = {
  seat: inOrder({ object: { answer: "Canberra", proposal: "It is Canberra." } }),
  judge: inOrder(decision("Canberra.")),
};

test("[V-escalate] each step says why it was taken, who voted, and what it cost", async () => {
  const { result } = ask(
    { prompt: CAPITAL, config: { escalate: ["second_model"], max_samples: 4 } },
    { vote: (request, nth) => (request.model === "second" ? vote("3") : split(request, nth)) },
    TWO_MODELS,
  );
  const { metadata } = await result;
  const asked = { to: "second_model", because: "sample_cap", model: "second", converged: true };
  expect(metadata.escalation).toEqual([
    { ...asked, before: { model: "first", votes: { 1: 1, 2: 2 } }, calls: 3, cost_usd: 0.003 },
  ]);
  expect(metadata.usage).toMatchObject({ calls: 6, cost_usd: expect.closeTo(0.006) });
  expect(metadata.warnings).toEqual(["The vote did not converge (sample_cap), so second was asked."]);
});

test("[V-escalate] a second model that cannot be reached is said with the reason, and the next step is taken", async () => {
  const down = { error: new ModelError("HTTP 401", { retryable: false }) };
  const { result } = ask(
    { prompt: CAPITAL, config: { escalate: ["second_model", "council"] } },
    { vote: (request, nth) => (request.model === "second" ? down : split(request, nth)), ...SEATS },
    TWO_MODELS,
  );
  const { metadata } = await result;
  expect(metadata.tool_used).toBe("consult_council");
  expect(metadata.escalation).toMatchObject([
    { to: "second_model", undecided: "transport", error: expect.stringContaining("HTTP 401") },
    { to: "council" },
  ]);
  expect(metadata.warnings[0]).toContain("second_model brought nothing: HTTP 401");
});

test("[V-escalate] a second model that does not answer takes half of the time, the council has the rest", async () => {
  const { result } = ask(
    { prompt: CAPITAL, config: { escalate: ["second_model", "council"], deadline_ms: 60_000 } },
    { vote: (request, nth) => (request.model === "second" ? { hang: true } : split(request, nth)), ...SEATS },
    TWO_MODELS,
  );
  const { metadata } = await result;
  expect(metadata.escalation).toMatchObject([
    { to: "second_model", undecided: "budget", error: "it took half of the time that was left" },
    { to: "council" },
  ]);
  expect(metadata).toMatchObject({ tool_used: "consult_council", answer: "Canberra" });
});

test.each<[string, object, string]>([
  ["unknown", {}, "3"],
  ["I don't know.", {}, "3"],
  ["unknown", { escalate: [] }, "unknown"],
  ["an unknown soldier", {}, "an unknown soldier"],
])("[V-escalate] where the first model says %j, with %o, the answer is %j", async (said, more, answer) => {
  const { result } = ask(
    { prompt: CAPITAL, config: { cheap_first: true, escalate: ["second_model"], ...more } },
    { vote: (request) => vote(request.model === "second" ? "3" : said) },
    TWO_MODELS,
  );
  const { metadata } = await result;
  expect(metadata.answer).toBe(answer);
  if (answer === "3")
    expect(metadata.escalation).toMatchObject([{ because: "unknown_answer", converged: true, calls: 2 }]);
  else expect(metadata.escalation).toBeUndefined();
});

test("[V-escalate] where the prompt offers unknown it is an answer", async () => {
  const { result } = ask(
    { prompt: "Is the review positive, negative or unknown?", config: { escalate: ["second_model"] } },
    { vote: (request) => vote(request.model === "second" ? "positive" : "unknown") },
    TWO_MODELS,
  );
  expect((await result).metadata).toMatchObject({ answer: "unknown", model: "first" });
});

test("[V-escalate] no calls are spent on a second vote that cannot be decided with them", async () => {
  const { result, model } = ask(
    { prompt: CAPITAL, config: { escalate: ["paraphrase", "second_model"], max_samples: 4, max_calls: 5 } },
    { vote: split },
    TWO_MODELS,
  );
  expect((await result).metadata.escalation).toMatchObject([
    { to: "paraphrase", error: "max_calls leaves no 4 calls for another wording and a vote on it", calls: 0 },
    { to: "second_model", error: "max_calls leaves no 3 calls for a vote of second", calls: 0 },
  ]);
  expect(model.requests).toHaveLength(3);
});

test("[V-escalate] a step that stands twice is refused", async () => {
  const config = { escalate: ["second_model" as const, "second_model" as const] };
  const { result } = ask({ prompt: CAPITAL, config }, { vote: split });
  await expect(result).rejects.toThrow("config.escalate must not name a step twice");
});
