import { expect, test } from "vitest";
import { ask, typesOf } from "./ask.ts";
import { decision, inOrder, pick, seat } from "./scripted-model.ts";
import { virtualClock } from "./virtual-clock.ts";

const VOTE = "Use tabs or spaces?";

test("[E-sink] each arrow of the flow emits its event, numbered from 1 without gaps", async () => {
  const { result, events } = ask(
    { prompt: VOTE, config: { k: 1 } },
    { vote: inOrder({ text: "hm" }, pick("tabs")) },
  );
  await result;
  expect(typesOf(events)).toEqual([
    "run.started",
    "run.routed",
    "vote.started",
    ...["call.started", "call.finished", "sample.flagged"],
    ...["call.started", "call.finished", "sample.accepted", "vote.counted"],
    "vote.decided",
    "run.finished",
  ]);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
  expect(events.at(-1)).toMatchObject({ at: 200, tool: "solve_with_voting", status: "complete" });
  expect(JSON.parse(JSON.stringify(events))).toEqual(events);
});

test("[E-sink] the council tells of its seats and its judge", async () => {
  const { result, events } = ask(
    { prompt: "Review this design", config: { num_voters: 1 } },
    { seat: inOrder(seat("x")), judge: inOrder(decision("ok")) },
  );
  await result;
  expect(typesOf(events).filter((type) => /seat|judge/.test(type))).toEqual([
    "seat.proposed",
    "judge.started",
    "judge.decided",
  ]);
});

test("[E-sink] a sink that throws loses events, never the answer", async () => {
  const { result } = ask(
    { prompt: VOTE },
    { vote: inOrder(pick("tabs")) },
    {
      onEvent: () => {
        throw new Error("disk full");
      },
    },
  );
  expect((await result).metadata.status).toBe("complete");
});

test("[E-clock] a clock that is set back in the middle of a run makes no time negative", async () => {
  const clock = virtualClock();
  const wall = { now: () => 1_000_000 - 10 * clock.elapsed() };
  const { result, events } = ask(
    { prompt: "Tabs or spaces?", config: { hedge: true } },
    { vote: (_, nth) => ({ ...pick("spaces"), latencyMs: nth === 2 ? 5000 : 100 }) },
    { clock: { ...clock, ...wall } },
  );
  const { metadata } = await result;
  expect(metadata.performance.total_time_seconds).toBe(0.35);
  expect(metadata.voting).toMatchObject({ hedged: 1, votes: { spaces: 3 } });
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
});

test("[E-raw] the raw output holds every answer as it was written, and what became of it", async () => {
  const { result } = ask(
    { prompt: VOTE, config: { k: 1 } },
    { vote: inOrder({ text: "Well, tabs." }, pick("tabs")) },
  );
  const { raw_output } = (await result).metadata;
  expect(raw_output).toContain(
    "[#1 vote voter-model: red flag, schema_invalid: the reply holds no JSON object]\nWell, tabs.",
  );
  expect(raw_output).toContain('[#2 vote voter-model: accepted]\n{"answer":"tabs"');
});
