import type { RunEvent } from "@mci-ts/council-server/api";
import { expect, test } from "vitest";
import { answerText, fieldsOf } from "./result/answer-fields.ts";
import { applyEvents, INITIAL } from "./run-state.ts";
import { discardedVotes } from "./votes/discarded.tsx";
import { countBorda } from "./votes/ranking.tsx";

const event = (seq: number, body: object) =>
  ({ seq, ts: new Date(seq * 1000).toISOString(), ...body }) as unknown as RunEvent;
const vote = (seq: number, call: number, answer: string, leader_votes: number) =>
  event(seq, {
    ...{ type: "vote.counted", call, answer, leader: "yes" },
    ...{ leader_votes, runner_up_votes: 0, need: 3 - leader_votes },
  });
const EVENTS = [
  event(1, { type: "run.started" }),
  event(2, { type: "vote.started", k: 3, options: ["no", "yes"] }),
  event(3, { type: "call.started", call: 1, purpose: "vote", model: "m" }),
  event(4, { type: "call.finished", call: 1, input_tokens: 2, output_tokens: 3, cost_usd: 0.5 }),
  vote(5, 1, "yes", 1),
  vote(6, 2, "yes", 2),
];

test("events give the same picture one by one, at once and repeated, and the state before them stays as it was", () => {
  const oneByOne = EVENTS.reduce((state, each) => applyEvents(state, [each]), INITIAL);
  expect(applyEvents(INITIAL, EVENTS)).toEqual(oneByOne);
  expect(applyEvents(oneByOne, EVENTS)).toBe(oneByOne);
  expect(oneByOne.race?.lanes.map(({ answer, calls }) => [answer, calls.length])).toEqual([
    ["yes", 2],
    ["no", 0],
  ]);
  expect(oneByOne.calls.get(1)).toMatchObject({ state: "finished", tokens: 5, costUsd: 0.5 });
  expect(INITIAL.calls.size).toBe(0);
});

test("an event of a newer service is ignored", () => {
  expect(applyEvents(INITIAL, [event(1, { type: "run.sang" })])).toMatchObject({ seq: 1, phase: "waiting" });
});

test("replies that are not votes are not among the discarded votes", () => {
  const flag = { type: "sample.flagged", rule: "empty", reason: "It is empty." };
  const { calls } = applyEvents(INITIAL, [
    ...EVENTS,
    event(7, { type: "call.started", call: 2, purpose: "vote", model: "m" }),
    event(8, { type: "call.started", call: 3, purpose: "equivalence", model: "m" }),
    event(9, { ...flag, call: 2 }),
    event(10, { ...flag, call: 3 }),
  ]);
  expect(calls.get(3)?.flag).toBeDefined();
  expect(discardedVotes([...calls.values()]).map(({ call }) => call)).toEqual([2]);
});

test("fields of an answer tell whether they are voted on, also by a reference", () => {
  const schema = {
    properties: { total: { type: "number" }, reason: { $ref: "#/$defs/note" } },
    $defs: { note: { type: "string", "x-vote": false } },
  };
  expect(fieldsOf('{"total":1,"reason":"so"}', schema)).toEqual([
    { name: "total", value: 1, isVoted: true },
    { name: "reason", value: "so", isVoted: false },
  ]);
  expect(answerText('{"total":1}', schema)).toBe("total 1");
  // Without a schema a text that looks like JSON is a text.
  expect(fieldsOf('{"total":1}', undefined)).toBeUndefined();
});

test("the Borda count gives a point for each proposal ranked below", () => {
  const rankings = [
    { seat: 1, order: [2, 3] },
    { seat: 2, order: [1, 3] },
    { seat: 3, order: [2, 1] },
  ];
  expect(countBorda(rankings)).toEqual([
    { seat: 2, points: 2, share: 1 },
    { seat: 1, points: 1, share: 0.5 },
    { seat: 3, points: 0, share: 0 },
  ]);
});
