import { describe, expect, it } from "vitest";
import { Admission } from "./admission.ts";

const never = new AbortController().signal;

describe("admission", () => {
  it("lets some in, some wait in order, and tells the rest when to come back", async () => {
    const admission = new Admission({ maxConcurrent: 2, maxQueued: 2, maxWaitMs: 10_000 });
    const order: number[] = [];
    const leaves: (() => void)[] = [];
    const enter = async (n: number) => {
      leaves.push(await admission.enter(never));
      order.push(n);
    };
    const waiting = [enter(1), enter(2), enter(3), enter(4)];
    await expect(admission.enter(never)).rejects.toMatchObject({
      status: 503,
      headers: { "retry-after": expect.stringMatching(/^\d+$/) },
    });
    expect(admission).toMatchObject({ active: 2, queued: 2 });
    leaves[0]!();
    leaves[0]!();
    await waiting[2];
    leaves[1]!();
    await waiting[3];
    expect(order).toEqual([1, 2, 3, 4]);
    expect(admission).toMatchObject({ active: 2, queued: 0 });
    for (const leave of leaves) leave();
    expect(admission.active).toBe(0);
  });

  it("lets go of those who leave the queue or wait too long", async () => {
    const admission = new Admission({ maxConcurrent: 1, maxQueued: 5, maxWaitMs: 30 });
    const leave = await admission.enter(never);
    const gone = new AbortController();
    const left = admission.enter(gone.signal);
    gone.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    await expect(admission.enter(never)).rejects.toMatchObject({ code: "overloaded" });
    expect(admission.queued).toBe(0);
    leave();
    (await admission.enter(never))();
    expect(admission.active).toBe(0);
  });
});
