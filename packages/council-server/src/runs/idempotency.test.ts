import { describe, expect, it } from "vitest";
import type { ModelResponse } from "../api/api-schemas.ts";
import { fingerprint, IdempotencyCache } from "./idempotency.ts";
import { LiveRun } from "./live/live-run.ts";
import type { Submission } from "./submission.ts";

const body = { error: { code: "x", message: "x", details: [] } };
const answer = { result: "Tabs" } as ModelResponse;
const nothing = { findByKey: async () => undefined };

/** Starts runs that end on demand, and counts them. */
function starter() {
  const runs: LiveRun[] = [];
  const start = (): Submission => {
    const live = new LiveRun(`run-${runs.length}`);
    runs.push(live);
    return { id: live.id, response: live.response, live };
  };
  return { runs, start };
}

describe("idempotency keys", () => {
  it("start one run for many requests, and replay its response", async () => {
    const keys = new IdempotencyCache(nothing);
    const { runs, start } = starter();
    const both = await Promise.all([
      keys.runOnce("key", "print", start),
      keys.runOnce("key", "print", start),
    ]);
    expect(both.map(({ id }) => id)).toEqual(["run-0", "run-0"]);
    runs[0]!.end({ body: answer });
    await both[0]!.response;
    const later = await keys.runOnce("key", "print", start);
    expect([later.id, later.live, runs.length]).toEqual(["run-0", undefined, 1]);
  });

  it("start a new run after a failure, and when the run in flight was cancelled", async () => {
    const keys = new IdempotencyCache(nothing);
    const { runs, start } = starter();
    const first = await keys.runOnce("key", "print", start);
    runs[0]!.end({ body });
    await first.response;
    expect((await keys.runOnce("key", "print", start)).id).toBe("run-1");
    runs[1]!.cancel("client_gone");
    const again = await Promise.all([
      keys.runOnce("key", "print", start),
      keys.runOnce("key", "print", start),
    ]);
    expect(again.map(({ id }) => id)).toEqual(["run-2", "run-2"]);
  });

  it("reject another request, also one from before a restart", async () => {
    const keys = new IdempotencyCache(nothing);
    const { start } = starter();
    await keys.runOnce("key", "print", start);
    await expect(keys.runOnce("key", "other", start)).rejects.toMatchObject({ code: "idempotency_mismatch" });
    const finished = { id: "old", fingerprint: "print", httpStatus: 200, response: JSON.stringify(body) };
    const restarted = new IdempotencyCache({ findByKey: async () => finished });
    await expect(restarted.runOnce("key", "other", start)).rejects.toMatchObject({
      code: "idempotency_mismatch",
    });
    expect((await restarted.runOnce("key", "print", start)).id).toBe("old");
  });

  it("work without a readable history", async () => {
    const { start } = starter();
    const keys = new IdempotencyCache({ findByKey: () => Promise.reject(new Error("disk")) });
    expect((await keys.runOnce("key", "print", start)).id).toBe("run-0");
  });

  it("never lose track of a run in flight, however many there are", async () => {
    const keys = new IdempotencyCache(nothing);
    const { runs, start } = starter();
    for (let n = 0; n < 3000; n++) await keys.runOnce(`key-${n}`, "print", start);
    expect((await keys.runOnce("key-0", "print", start)).id).toBe("run-0");
    expect(runs).toHaveLength(3000);
  });

  it("cache a bounded number and size of responses", async () => {
    const keys = new IdempotencyCache(nothing);
    const { runs, start } = starter();
    const answerAll = async (count: number, message: string) => {
      const first = runs.length;
      for (let n = 0; n < count; n++) {
        const { response } = await keys.runOnce(`key-${first + n}`, "print", start);
        runs.at(-1)!.end({ body: { ...answer, result: message } });
        await response;
      }
      await new Promise(setImmediate);
      return first;
    };
    const isHeld = async (key: string) => (await keys.runOnce(key, "print", start)).live === undefined;
    const small = await answerAll(1001, "x");
    expect(await isHeld(`key-${small + 1000}`)).toBe(true);
    expect(await isHeld(`key-${small}`)).toBe(false);
    const large = await answerAll(20, "x".repeat(1024 * 1024));
    expect(await isHeld(`key-${large + 19}`)).toBe(true);
    expect(await isHeld(`key-${large}`)).toBe(false);
  });

  it("recognize a request whatever the order of its fields", () => {
    expect(fingerprint({ a: 1, b: { c: [1, 2], d: 2 } })).toBe(fingerprint({ b: { d: 2, c: [1, 2] }, a: 1 }));
    expect(fingerprint({ a: [1, 2] })).not.toBe(fingerprint({ a: [2, 1] }));
  });
});
