import { expect, test } from "vitest";
import { ModelError } from "../src/model.ts";
import { ask, typesOf } from "./ask.ts";
import { inOrder, vote } from "./scripted-model.ts";

const CAPITAL = "What is the capital of Australia?";

test("[V-transport] transport errors are retried with growing delays, counted apart, and are not red flags", async () => {
  const error = new ModelError("connection reset", { retryable: true });
  const { result, events, model } = ask(
    { prompt: CAPITAL },
    { vote: inOrder({ error }, { error }, vote("Canberra")) },
  );
  const { metadata } = await result;
  expect(metadata.voting).toMatchObject({ samples: 3, red_flagged: 0, transport_errors: 2 });
  expect(metadata.usage.calls).toBe(3);
  expect(model.requests).toHaveLength(5);
  expect(events.filter(({ type }) => type === "call.retried")).toHaveLength(2);
});

test("[V-transport] Retry-After is honoured to the millisecond", async () => {
  const error = new ModelError("slow down", { retryable: true, retryAfterMs: 7000, status: 429 });
  const { result, clock } = ask(
    { prompt: CAPITAL, config: { k: 1 } },
    { vote: inOrder({ error }, vote("Canberra")) },
  );
  await result;
  expect(clock.now()).toBe(100 + 7000 + 100);
});

test("[V-transport] a Retry-After beyond the longest delay fails the call instead of waiting an hour", async () => {
  const error = new ModelError("come back later", { retryable: true, retryAfterMs: 3_600_000 });
  const { result, clock } = ask(
    { prompt: CAPITAL, config: { k: 1 } },
    { vote: inOrder({ error }) },
    { retry: { total: 3 } },
  );
  await expect(result).rejects.toMatchObject({ code: "all_calls_failed" });
  expect(clock.now()).toBeLessThan(1000);
});

test("[V-all-failed] when no call succeeds there is an error that says why, never an empty win", async () => {
  const error = new ModelError("invalid API key", { retryable: false, status: 401 });
  const { result, events, model } = ask({ prompt: CAPITAL }, { vote: inOrder({ error }) });
  await expect(result).rejects.toMatchObject({
    code: "all_calls_failed",
    message: expect.stringContaining("invalid API key"),
    usage: { calls: 3 },
  });
  expect(model.requests).toHaveLength(3);
  expect(typesOf(events).at(-1)).toBe("run.failed");
});

test("[V-all-failed] errors that never end are given up after the retry budget", async () => {
  const { result, model } = ask(
    { prompt: CAPITAL },
    { vote: () => ({ error: new Error("ECONNREFUSED") }) },
    { retry: { total: 10 } },
  );
  await expect(result).rejects.toMatchObject({ code: "all_calls_failed" });
  expect(model.requests.length).toBeLessThanOrEqual(12);
});

test("[V-all-failed] a model whose every answer is malformed ends in an error that says so", async () => {
  const { result } = ask({ prompt: CAPITAL }, { vote: inOrder({ text: "hm" }) });
  await expect(result).rejects.toMatchObject({
    code: "no_valid_answer",
    message: expect.stringContaining("schema_invalid: the reply holds no JSON object (6 times)"),
  });
});

test("[V-transport] many calls that fail together once do not end the run", async () => {
  const error = new ModelError("too many requests", { retryable: true, retryAfterMs: 1000, status: 429 });
  const { result } = ask(
    { prompt: CAPITAL, config: { k: 25 } },
    { vote: (_, nth) => (nth < 25 ? { error } : vote("Canberra")) },
  );
  expect((await result).metadata).toMatchObject({ status: "complete", voting: { transport_errors: 25 } });
});
