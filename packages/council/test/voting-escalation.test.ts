import { expect, test } from "vitest";
import { ModelError } from "../src/model.ts";
import { ask } from "./ask.ts";
import { inOrder, vote } from "./scripted-model.ts";

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
