import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { StoreConfig } from "../../src/config/config.ts";
import { RunConfig } from "../../src/runs/run-config.ts";
import { samplesOf, votesOf } from "../../src/store/run-projection.ts";
import type { Store } from "../../src/store/store.ts";
import { eventually } from "../eventually.ts";
import { ended, event, started } from "./records.ts";

/** What every history does, wherever it is kept. `open` gives an empty one; `reopen` the same one after a restart. */
export function describeHistory(
  name: string,
  open: () => Promise<Store>,
  reopen: (config?: Partial<StoreConfig>) => Promise<Store>,
): void {
  describe(`the history in ${name}`, () => {
    it("lists the steps of one agent, and adds up what they cost [AC-seen]", async () => {
      const store = await open();
      for (const id of ["s1", "s2", "other"]) {
        store.record(started(id, Date.now(), { session: id === "other" ? "b" : "a" }));
        store.record(ended(id, { calls: 3, costUsd: 0.25 }));
      }
      expect((await store.list({ limit: 9, session: "a" })).map(({ session }) => session)).toEqual([
        "a",
        "a",
      ]);
      expect(await store.sessionCost("a")).toEqual({ usd: 0.5, unpriced: 0 });
      store.record(started("s3", Date.now(), { session: "a" }));
      store.record(ended("s3", { calls: 1, costUsd: null }));
      expect(await store.sessionCost("a")).toEqual({ usd: 0.5, unpriced: 1 });
      expect(await store.sessionCost("none")).toEqual({ usd: 0, unpriced: 0 });
    });

    it("finds a run at once, with the events of its samples and votes", async () => {
      const store = await open();
      store.record(started("a"));
      store.record(
        event("a", 1, { type: "call.started", call: 1, purpose: "vote", model: "sim", temperature: 0 } as {
          type: string;
        }),
      );
      store.record(
        event("a", 2, {
          type: "call.finished",
          call: 1,
          finish_reason: "stop",
          input_tokens: 3,
          output_tokens: 4,
          latency_ms: 5.5,
        } as { type: string }),
      );
      store.record(event("a", 3, { type: "sample.accepted", call: 1, answer: "Paris" } as { type: string }));
      store.record(
        event("a", 4, {
          type: "vote.counted",
          call: 1,
          answer: "Paris",
          leader: "Paris",
          leader_votes: 1,
          runner_up_votes: 0,
        } as { type: string }),
      );
      store.record(
        event("a", 5, { type: "call.started", call: 2, purpose: "vote", model: "sim", temperature: 0.1 } as {
          type: string;
        }),
      );
      store.record(
        event("a", 6, { type: "sample.flagged", call: 2, rule: "length", reason: "too long" } as {
          type: string;
        }),
      );
      store.record(ended("a", { calls: 2, costUsd: 0.5, costSource: "prices" }));
      const run = await store.get("a");
      expect(run).toMatchObject({
        status: "complete",
        prompt: "prompt of a",
        cost_usd: 0.5,
        response: { result: "result of a" },
      });
      const events = (await store.events("a", 0)).map(({ data }) => JSON.parse(data));
      expect(samplesOf(events)).toMatchObject([
        { call: 1, model: "sim", answer: "Paris", latency_ms: 5.5, red_flag: null },
        { call: 2, answer: null, red_flag: "length" },
      ]);
      expect(votesOf(events)).toEqual([
        { call: 1, answer: "Paris", leader: "Paris", leader_votes: 1, runner_up_votes: 0 },
      ]);
      expect((await store.events("a", 4)).map(({ seq }) => seq)).toEqual([5, 6]);
    });

    it("pages from the newest to the oldest", async () => {
      const store = await open();
      const now = Date.now();
      for (let n = 0; n < 5; n++) {
        store.record(started(`run-${n}`, now + n));
        store.record(ended(`run-${n}`));
      }
      const first = await store.list({ limit: 2 });
      expect(first.map(({ id }) => id)).toEqual(["run-4", "run-3"]);
      const rest = await store.list({ limit: 9, before: { at: now + 3, id: "run-3" } });
      expect(rest.map(({ id }) => id)).toEqual(["run-2", "run-1", "run-0"]);
      expect(await store.list({ limit: 9, status: "failed" })).toEqual([]);
    });

    it("sorts by cost, duration and age within a range of time, page by page, and counts all that match [H-sorted]", async () => {
      const store = await open();
      const t = Date.now() - 100_000;
      const costs = [0.3, null, 0.1, 0.3];
      for (const [n, costUsd] of costs.entries()) {
        store.record(started(`run-${n}`, t + n * 1000));
        store.record(
          ended(`run-${n}`, { at: t + n * 1000 + [50, 10, 90, 10][n]!, costUsd, answer: `answer ${n}` }),
        );
      }
      const page = async (query: object) => (await store.list({ limit: 2, ...query })).map(({ id }) => id);
      expect(await page({ sort: "cost" })).toEqual(["run-3", "run-0"]);
      expect(await page({ sort: "cost", before: { at: 0.3, id: "run-0" } })).toEqual(["run-2", "run-1"]);
      expect(await page({ sort: "duration" })).toEqual(["run-2", "run-0"]);
      expect(await page({ sort: "oldest", before: { at: t + 1000, id: "run-1" } })).toEqual([
        "run-2",
        "run-3",
      ]);
      expect(await page({ since: t + 1000, until: t + 3000 })).toEqual(["run-2", "run-1"]);
      expect(await store.count({ limit: 1, since: t + 1000 })).toBe(3);
      expect(await store.count({ limit: 1, text: "prompt" })).toBe(4);
      expect((await store.list({ limit: 1 }))[0]!.answer).toBe("answer 3");
    });

    it("has the model calls of a run as they were recorded, until the run is removed [H-calls]", async () => {
      const store = await open();
      store.record(started("a"));
      for (const call of [2, 1])
        store.record({ kind: "call", id: "a", call, data: JSON.stringify({ call, reply: "\0 ✓" }) });
      expect((await store.calls("a")).map((data) => JSON.parse(data))).toEqual([
        { call: 1, reply: "\0 ✓" },
        { call: 2, reply: "\0 ✓" },
      ]);
      expect(await store.calls("a", 2)).toHaveLength(1);
      store.record({ kind: "measurement", subject: "outcome", id: "a", at: 1, data: "1" });
      expect(await store.measurement("outcome", "a")).toEqual({ id: "a", data: "1" });
      expect(await store.measurement("outcome", "b")).toBeUndefined();
      await store.remove("a");
      expect(await store.calls("a")).toEqual([]);
    });

    it("finds runs by words of prompt and result, and never takes a search for a query language", async () => {
      const store = await open();
      const found = async (text: string) => (await store.list({ limit: 9, text })).map(({ id }) => id);
      store.record(started("city", Date.now(), { prompt: "What is the capital of France?" }));
      store.record(ended("city", { response: JSON.stringify({ result: "Paris, naturally" }) }));
      store.record(started("river", Date.now() - 1000, { prompt: "Which river flows through Paris?" }));
      store.record(ended("river", { response: "not JSON" }));
      expect(await found("paris")).toEqual(["city", "river"]);
      expect(await found("pari riv")).toEqual(["river"]);
      expect(await found("naturally")).toEqual(["city"]);
      for (const text of ['"', "NOT paris OR", "prompt:paris", "*", "(", "paris'; DROP TABLE runs; --"])
        await expect(found(text)).resolves.toBeInstanceOf(Array);
      expect(await found("NEAR(paris river)")).toEqual([]);
      await store.remove("city");
      expect(await found("paris")).toEqual(["river"]);
    });

    it("replays the response of an idempotency key, but never a failure", async () => {
      const store = await open();
      store.record(started("bad", Date.now(), { idempotencyKey: "key" }));
      store.record(ended("bad", { status: "failed", httpStatus: 502 }));
      expect(await store.findByKey("key")).toBeUndefined();
      store.record(started("good", Date.now() + 1, { idempotencyKey: "key" }));
      store.record(ended("good"));
      expect(await store.findByKey("key")).toMatchObject({
        id: "good",
        fingerprint: "print-good",
        httpStatus: 200,
      });
    });

    it("counts how often each model's votes agreed with the winner", async () => {
      const store = await open();
      for (const id of ["a", "b"]) {
        store.record(started(id));
        store.record(ended(id, { agreed: 3, votes: 4 }));
      }
      expect(await store.agreements()).toEqual([{ model: "sim", agreed: 6, total: 8 }]);
    });

    it("has what was measured, the last of each id, oldest first", async () => {
      const store = await open();
      const measure = (id: string, at: number, data: string) =>
        store.record({ kind: "measurement", id, at, subject: "outcome", data });
      measure("a", 1, "1");
      measure("b", 2, "2");
      measure("a", 3, "3");
      store.record({ kind: "measurement", id: "model", at: 4, subject: "self_test", data: "true" });
      expect(await store.measurements("outcome")).toEqual([
        { id: "b", data: "2" },
        { id: "a", data: "3" },
      ]);
      expect(await store.measurements("self_test")).toEqual([{ id: "model", data: "true" }]);
    });

    it("keeps text of any kind", async () => {
      const store = await open();
      const prompt = "a\0b \ud800 \u{1F600} 'quoted' \\ $1";
      store.record(started("odd", Date.now(), { prompt, request: JSON.stringify({ prompt }) }));
      store.record(event("odd", 1, { type: "sample.accepted", call: 1, answer: "x\0y" } as { type: string }));
      store.record(ended("odd", { response: JSON.stringify({ result: "r\0" }) }));
      const run = await store.get("odd");
      expect(run).toMatchObject({
        request: { prompt: expect.stringMatching(/^a\0b .* .+ 'quoted' \\ \$1$/u) },
      });
      expect(run?.response).toEqual({ result: "r\0" });
      expect(JSON.parse((await store.events("odd", 0))[0]!.data)).toMatchObject({ answer: "x\0y" });
      expect(store.stats).toMatchObject({ ok: true, failures: 0 });
    });

    it("keeps what others record beside hostile names and numbers of a provider", async () => {
      const store = await open();
      store.record(started("hostile", Date.now(), { cacheKey: "k\0" }));
      store.record(started("beside"));
      const numbers = { calls: 1e300, inputTokens: 1.5, outputTokens: Number.NaN, agreed: -1e20, votes: 2.4 };
      store.record(ended("hostile", { model: `m\0${"x".repeat(10_000)}\ud800`, ...numbers }));
      store.record(ended("beside"));
      for (const id of ["hostile", "beside"])
        expect(await store.get(id)).toMatchObject({ id, status: "complete" });
      expect(store.stats).toMatchObject({ ok: true, failures: 0, dropped: 0 });
    });

    it("removes a run with everything that belongs to it", async () => {
      const store = await open();
      store.record(started("gone", Date.now(), { idempotencyKey: "key" }));
      store.record(event("gone", 1, { type: "call.started" }));
      store.record(ended("gone"));
      expect(await store.remove("gone")).toBe(true);
      expect(await store.remove("gone")).toBe(false);
      expect(await store.get("gone")).toBeUndefined();
      expect(await store.events("gone", 0)).toEqual([]);
      expect(await store.findByKey("key")).toBeUndefined();
    });

    it("finds a complete response by its cache key while it is young enough", async () => {
      const store = await open();
      const now = Date.now();
      store.record(started("cached", now, { cacheKey: "equal" }));
      store.record(ended("cached", { at: now }));
      store.record(started("partial", now, { cacheKey: "equal" }));
      store.record(ended("partial", { at: now + 1, status: "partial" }));
      expect(await store.findCached("equal", now)).toMatchObject({ id: "cached", endedAt: now });
      expect(await store.findCached("equal", now + 1)).toBeUndefined();
      expect(await store.findCached("other", 0)).toBeUndefined();
    });

    it("survives a restart, marks what never ended, and applies retention by number and age", async () => {
      const first = await open();
      for (let n = 0; n < 4; n++) {
        first.record(started(`run-${n}`, Date.now() - n * 1000));
        first.record(ended(`run-${n}`));
      }
      first.record(started("old", Date.now() - 3 * 86_400_000));
      first.record(ended("old"));
      first.record(started("lost", Date.now() + 1000));
      await first.close();
      const second = await reopen({ retentionRuns: 3, retentionDays: 2 });
      await eventually(async () =>
        (await second.list({ limit: 9 })).map(({ id, status }) => `${id} ${status}`),
      ).toEqual(["lost interrupted", "run-0 complete", "run-1 complete"]);
      expect(await second.events("old", 0)).toEqual([]);
    });

    it("hands over the webhooks of a process that ended, each once", async () => {
      const first = await open();
      const [id, done] = [randomUUID(), randomUUID()];
      first.record(started(id));
      const nextAt = Date.now() + 60_000;
      first.record({ kind: "webhook", id, url: "https://a.example/", attempts: 1, nextAt });
      first.record({ kind: "webhook", id: done, url: "https://a.example/", attempts: 0, nextAt: 5 });
      first.record({ kind: "webhook_done", id: done });
      first.record(ended(id));
      expect(await first.claimWebhooks()).toEqual([]);
      await first.close();
      const second = await reopen();
      expect(await second.countWebhooks()).toBe(1);
      const claimed = [...(await second.claimWebhooks()), ...(await second.claimWebhooks())];
      expect(claimed).toEqual([
        {
          id,
          url: "https://a.example/",
          attempts: 1,
          // Within five seconds: it is kept on the clock of the database.
          nextAt: expect.closeTo(nextAt, -4),
          httpStatus: 200,
          response: JSON.stringify({ result: `result of ${id}` }),
        },
      ]);
    });

    it("skips the webhooks of a host in whatever spelling requests named it, and no others", async () => {
      const spellings = [
        "https://Slow.example/",
        "HTTPS://slow.example:443/x",
        "https://slow.example?a",
        "https://slow%2Eexample/",
        "https://slow.example\\x",
      ];
      const other = "https://other.example/?back=https://slow.example/";
      const first = await open();
      const ids = [...spellings, other].map((webhook) => {
        const id = randomUUID();
        const url = RunConfig.parse({ webhook }).webhook!;
        first.record(started(id));
        first.record({ kind: "webhook", id, url, attempts: 0, nextAt: 5 });
        first.record(ended(id));
        return id;
      });
      await first.close();
      const second = await reopen();
      const claimed = await second.claimWebhooks({ limit: 25, skipHosts: ["slow.example"] });
      expect(claimed.map(({ id }) => id)).toEqual(ids.slice(-1));
    });
  });
}
