import { describe, expect, it } from "vitest";
import { ConcurrencyLimiter } from "./concurrency-limiter.ts";

const never = new AbortController().signal;

describe("concurrency limiter", () => {
  it("runs some, queues some in order, and rejects the rest with Retry-After", async () => {
    const limiter = new ConcurrencyLimiter({ maxConcurrent: 2, maxQueued: 2, maxWaitMs: 10_000 });
    const order: number[] = [];
    const leaves: (() => void)[] = [];
    const enter = async (n: number) => {
      leaves.push(await limiter.acquire(never));
      order.push(n);
    };
    const waiting = [enter(1), enter(2), enter(3), enter(4)];
    await expect(limiter.acquire(never)).rejects.toMatchObject({
      code: "overloaded",
      retryAfterSeconds: expect.any(Number),
    });
    expect(limiter).toMatchObject({ active: 2, queued: 2 });
    leaves[0]!();
    leaves[0]!();
    await waiting[2];
    leaves[1]!();
    await waiting[3];
    expect(order).toEqual([1, 2, 3, 4]);
    expect(limiter).toMatchObject({ active: 2, queued: 0 });
    for (const leave of leaves) leave();
    expect(limiter.active).toBe(0);
  });

  it("removes runs that are cancelled or wait too long", async () => {
    const limiter = new ConcurrencyLimiter({ maxConcurrent: 1, maxQueued: 5, maxWaitMs: 30 });
    const leave = await limiter.acquire(never);
    const gone = new AbortController();
    const left = limiter.acquire(gone.signal);
    gone.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    await expect(limiter.acquire(never)).rejects.toMatchObject({ code: "overloaded" });
    expect(limiter.queued).toBe(0);
    leave();
    (await limiter.acquire(never))();
    expect(limiter.active).toBe(0);
  });
});
