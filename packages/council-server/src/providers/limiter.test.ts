import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ThrottledError } from "./errors/model-error.ts";
import { Limiter } from "./limiter.ts";

const never = new AbortController().signal;
const busy = (retryAfterMs?: number) =>
  new ThrottledError("busy", { retryable: true, status: 429, retryAfterMs });
const soon = () => ({ deadlineAt: performance.now() + 5000 });

/** A provider that takes so many calls at a time, each for so long. */
function provider(capacity: number, ms = 5, retryAfterMs?: number) {
  const seen = { running: 0, peak: 0, refused: 0, served: 0 };
  const call = async () => {
    if (seen.running >= capacity) {
      seen.refused++;
      throw busy(retryAfterMs);
    }
    seen.peak = Math.max(seen.peak, ++seen.running);
    await sleep(ms);
    seen.running--;
    seen.served++;
    return "yes";
  };
  return { seen, call };
}

describe("the limiter", () => {
  it("finds out how many calls a provider takes, and fails none [M-limiter]", async () => {
    const { seen, call } = provider(8);
    const limiter = new Limiter({ start: 64 });
    const run = soon();
    const results = await Promise.all(Array.from({ length: 200 }, () => limiter.call(run, never, call)));
    expect(results).toHaveLength(200);
    expect(seen.served).toBe(200);
    expect(limiter.limit).toBeGreaterThanOrEqual(6);
    expect(limiter.limit).toBeLessThanOrEqual(10);
    // The first burst, and a few probes.
    expect(seen.refused).toBeLessThan(80);
    expect(results.reduce((sum, { retries }) => sum + retries, 0)).toBe(seen.refused);
  });

  it("holds all calls for a Retry-After, with some jitter [M-limiter]", async () => {
    const limiter = new Limiter({ random: () => 1 });
    let asked = 0;
    const started = performance.now();
    const call = async () => {
      if (asked++ === 0) throw busy(100);
      return performance.now() - started;
    };
    const first = limiter.call(soon(), never, call);
    await sleep(5);
    const second = limiter.call(soon(), never, call);
    for (const { value } of await Promise.all([first, second])) {
      expect(value).toBeGreaterThanOrEqual(105);
      expect(value).toBeLessThan(1000);
    }
  });

  it("lets calls go after a hold, at whatever moment the clock is read [M-limiter]", async () => {
    const steps = Array.from({ length: 60 }, (_, i) => 20 + i);
    const waits = steps.map(async (step) => {
      let time = 0;
      // The clock goes on by a step each time it is read.
      const limiter = new Limiter({ random: () => 0, now: () => (time += step) });
      let asked = 0;
      const call = async () => {
        if (asked++ === 0) throw busy(200);
        return "yes";
      };
      return (await limiter.call({ deadlineAt: 1e9 }, never, call)).value;
    });
    expect(await Promise.all(waits)).toEqual(steps.map(() => "yes"));
  }, 10_000);

  it("fails a run that cannot wait as long, at once, and says when to come back [M-limiter]", async () => {
    const limiter = new Limiter({ random: () => 0 });
    const run = { deadlineAt: performance.now() + 1000 };
    const error = await limiter
      .call(run, never, () => Promise.reject(busy(60_000)))
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ status: 429, retryable: false, retries: 1 });
    expect(error.retryAfterMs).toBeGreaterThan(59_000);
    expect(performance.now()).toBeLessThan(run.deadlineAt);
  });

  it("passes a refusal on where no deadline is known", async () => {
    await expect(new Limiter().call({}, never, () => Promise.reject(busy()))).rejects.toThrow("busy");
  });

  it("gives runs their turns: a small one does not wait for all of a large one [M-limiter]", async () => {
    const limiter = new Limiter({ start: 1 });
    const order: string[] = [];
    const call = (name: string) => async () => {
      await sleep(1);
      order.push(name);
    };
    const [large, small] = [soon(), soon()];
    await Promise.all([
      ...Array.from({ length: 8 }, () => limiter.call(large, never, call("large"))),
      ...Array.from({ length: 2 }, () => limiter.call(small, never, call("small"))),
    ]);
    expect(order.lastIndexOf("small")).toBeLessThan(6);
  });

  describe("after a provider that refuses calls for 15 s", () => {
    /** Callers that never stop asking, a provider that answers after 50 ms, and a clock that only this test moves. */
    async function callsPerSecond(weather: { readonly share: number; readonly retryAfterMs?: number }) {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
      onTestFinished(() => void vi.useRealTimers());
      const limiter = new Limiter({ start: CALLERS });
      const perSecond: number[] = [];
      let draws = 1;
      let stopped = false;
      const draw = () => {
        draws = (draws * 48_271) % 2_147_483_647;
        return draws / 2_147_483_647;
      };
      const call = async () => {
        const second = Math.floor(performance.now() / 1000);
        await new Promise((resolve) => setTimeout(resolve, 50));
        const stormy = second >= STORM.from && second < STORM.to;
        if (stormy && draw() < weather.share) throw busy(weather.retryAfterMs);
        perSecond[second] = (perSecond[second] ?? 0) + 1;
      };
      const ask = async () => {
        while (!stopped) await limiter.call({ deadlineAt: 1e9 }, never, call);
      };
      const callers = Array.from({ length: CALLERS }, ask);
      await vi.advanceTimersByTimeAsync(60_000);
      const limit = limiter.limit;
      stopped = true;
      await vi.advanceTimersByTimeAsync(10_000);
      await Promise.all(callers);
      return { rate: (second: number) => perSecond[second] ?? 0, limit };
    }
    const CALLERS = 64;
    const STORM = { from: 5, to: 20 };

    it.each([
      ["all of them, with Retry-After", { share: 1, retryAfterMs: 1000 }],
      ["all of them, without a word when to come back", { share: 1 }],
      ["half of them, with Retry-After", { share: 0.5, retryAfterMs: 1000 }],
      ["half of them, without a word when to come back", { share: 0.5 }],
      ["one in fifty", { share: 0.02 }],
    ])(
      "%s: 90 % of what was possible is back within 30 s of the last refusal [M-outage]",
      async (_, weather) => {
        const { rate, limit } = await callsPerSecond(weather);
        const before = rate(STORM.from - 1);
        expect(before).toBeGreaterThan(1000);
        expect(rate(STORM.to + 30)).toBeGreaterThanOrEqual(0.9 * before);
        expect(limit).toBeGreaterThanOrEqual(0.9 * CALLERS);
      },
    );
  });

  it("forgets a call that was aborted while it waited, and lets the next one go", async () => {
    const limiter = new Limiter({ start: 1 });
    const gate = Promise.withResolvers<void>();
    const run = soon();
    const first = limiter.call(run, never, () => gate.promise);
    const controller = new AbortController();
    const aborted = limiter.call(run, controller.signal, () => expect.unreachable());
    const third = limiter.call(run, never, async () => "third");
    controller.abort(new Error("gone"));
    await expect(aborted).rejects.toThrow("gone");
    gate.resolve();
    await first;
    expect((await third).value).toBe("third");
  });

  it("frees the place of a call that failed for another reason", async () => {
    const limiter = new Limiter({ start: 1 });
    await expect(limiter.call(soon(), never, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect((await limiter.call(soon(), never, async () => "yes")).value).toBe("yes");
  });
});
