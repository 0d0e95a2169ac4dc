import { setTimeout as sleep } from "node:timers/promises";
import { ThrottledError } from "../../packages/council-server/src/providers/errors/model-error.ts";
import { Limiter } from "../../packages/council-server/src/providers/limiter.ts";
import type { Table } from "../suite.ts";

const CALLERS = 64;
const LATENCY_MS = 200;
const STORM = { from: 5, to: 20 };
/** Seconds after the last refusal. */
const AFTER = [2, 5, 10, 20, 30];

const STORMS = [
  { what: "every call, Retry-After: 1", share: 1, retryAfterMs: 1000 },
  { what: "every call, no Retry-After", share: 1 },
  { what: "every second call, Retry-After: 1", share: 0.5, retryAfterMs: 1000 },
  { what: "every second call, no Retry-After", share: 0.5 },
];

/** How soon a provider that refused calls for 15 s gets as many as before. Only the provider is simulated, by a timer. */
export async function measureOutages(): Promise<Table> {
  const rows = await Promise.all(
    STORMS.map(async (storm) => {
      const perSecond = await callsPerSecond(storm);
      const seconds = [STORM.from - 1, ...AFTER.map((after) => STORM.to + after)];
      return [storm.what, ...seconds.map((second) => String(perSecond[second] ?? 0))];
    }),
  );
  return {
    title: "A provider that answers with 429 for 15 s",
    about: `${CALLERS} callers that never pause, ${LATENCY_MS} ms for a call: calls per second before, and in the seconds after the last refusal.`,
    columns: ["429 for", "before", ...AFTER.map((after) => `${after} s after`)],
    rows,
  };
}

async function callsPerSecond(storm: { share: number; retryAfterMs?: number }): Promise<number[]> {
  const limiter = new Limiter();
  const perSecond: number[] = [];
  const started = performance.now();
  const now = () => (performance.now() - started) / 1000;
  const call = async () => {
    const second = Math.floor(now());
    await sleep(LATENCY_MS);
    if (second >= STORM.from && second < STORM.to && Math.random() < storm.share)
      throw new ThrottledError("busy", {
        retryable: true,
        status: 429,
        retryAfterMs: storm.retryAfterMs,
      });
    perSecond[second] = (perSecond[second] ?? 0) + 1;
  };
  const ask = async () => {
    const signal = new AbortController().signal;
    while (now() < STORM.to + AFTER.at(-1)! + 2) await limiter.call({ deadlineAt: 1e9 }, signal, call);
  };
  await Promise.all(Array.from({ length: CALLERS }, ask));
  return perSecond;
}
