import { spawn } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { eventually } from "../../test/eventually.ts";
import { ended, event, started } from "../../test/store/records.ts";
import { readConfig, type StoreConfig } from "../config/config.ts";
import { heartbeat, openDatabase } from "./database.ts";
import { callEvents } from "./expenses.ts";
import { listQuery, listRuns } from "./read.ts";
import { openStore, type Store } from "./store.ts";
import { createRecordWriter } from "./write.ts";

let dir: string;
let store: Store | undefined;
beforeEach(() => {
  dir = temporaryFolder();
});
afterEach(async () => {
  await store?.close();
  store = undefined;
});

const logged: string[] = [];
async function open(config: Partial<StoreConfig> = {}): Promise<Store> {
  store = await openStore({ ...readConfig({}).store, dir, ...config }, (message) => logged.push(message));
  return store;
}

/** A history of many runs, written directly. */
function fillHistory(runs: number, events: number): void {
  const db = openDatabase({ dir, maxMegabytes: 1000 }, "filler");
  const write = createRecordWriter(db, "filler");
  const statuses = ["complete", "partial", "failed"];
  const now = Date.now();
  for (let n = 0; n < runs; n += 1000) {
    write(
      Array.from({ length: Math.min(1000, runs - n) }, (_, index) => n + index).flatMap((at) => [
        started(`run-${at}`, now - at),
        ...Array.from({ length: events }, (_, seq) => event(`run-${at}`, seq, { type: "call.started" })),
        ended(`run-${at}`, {
          status: statuses[at % 3],
          tool: at % 50 === 0 ? "decompose_task" : "solve_with_voting",
        }),
      ]),
    );
  }
  db.close();
}

describe("the history", () => {
  it("survives a restart, is private to its user, and applies retention by count and age [S-room]", async () => {
    chmodSync(dir, 0o755);
    const first = await open();
    for (let n = 0; n < 4; n++) {
      first.record(started(`run-${n}`, Date.now() - n * 1000));
      first.record(ended(`run-${n}`));
    }
    first.record(started("old", Date.now() - 3 * 86_400_000));
    first.record(ended("old"));
    await first.list({ limit: 1 });
    for (const name of readdirSync(dir)) expect(statSync(join(dir, name)).mode & 0o077, name).toBe(0);
    await first.close();
    expect(statSync(join(dir, "history.db")).mode & 0o077).toBe(0);
    const second = await open({ retentionRuns: 3, retentionDays: 2 });
    await eventually(async () => (await second.list({ limit: 9 })).map(({ id }) => id)).toEqual([
      "run-0",
      "run-1",
      "run-2",
    ]);
    expect(await second.events("old", 0)).toEqual([]);
  });

  it("applies retention after it has opened, in batches that let new records through [S-room]", async () => {
    fillHistory(2500, 10);
    const store = await open({ retentionRuns: 10 });
    const isDone = async () => (await store.list({ limit: 11 })).length <= 10;
    let records = 0;
    let longest = 0;
    for (; !(await isDone()); records++) {
      const asked = performance.now();
      store.record(event("run-0", 100 + records, { type: "call.started" }));
      await store.commit();
      longest = Math.max(longest, performance.now() - asked);
    }
    // One would be written before the first batch, and a second after the last.
    expect(records).toBeGreaterThan(2);
    expect(longest).toBeLessThan(1000);
    expect(await store.events("run-2000", 0)).toEqual([]);
    expect((await store.get("run-0"))?.status).toBe("complete");
  });

  it("filters by tool and status with an index, however long the history is [S-index]", async () => {
    fillHistory(800, 0);
    const db = openDatabase({ dir, maxMegabytes: 1000 }, "reader");
    const before = { at: Date.now() - 400, id: "run-9" };
    for (const filter of [
      { tool: "decompose_task" },
      { status: "failed" },
      { tool: "decompose_task", status: "failed" },
      { tool: "decompose_task", before },
      { status: "failed", before },
      {},
    ] as const) {
      const { sql, values } = listQuery({ limit: 20, ...filter });
      const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
      const steps = plan.map(({ detail }) => String(detail)).join("; ");
      expect(steps, JSON.stringify(filter)).toMatch(/USING (COVERING )?INDEX runs_by_/);
      expect(steps, JSON.stringify(filter)).not.toMatch(/TEMP B-TREE/);
      if (Object.keys(filter).length > 0) expect(steps).toMatch(/^SEARCH/);
    }
    // Read at startup where a daily budget in dollars is set.
    const [first] = db.prepare(`EXPLAIN QUERY PLAN ${callEvents("cost_usd")}`).all({ since: 0 });
    expect(first?.["detail"]).toMatch(/^SEARCH runs USING INDEX runs_by_time/);
    const rare = listRuns(db, { limit: 5, tool: "decompose_task", status: "partial" });
    expect(rare.map(({ id }) => id)).toEqual(["run-100", "run-250", "run-400", "run-550", "run-700"]);
    db.close();
  });

  it("sums up what was spent, also by runs that never ended", async () => {
    const store = await open();
    const today = Date.now();
    store.record(started("before", today - 1));
    store.record(ended("before", { calls: 100, inputTokens: 100, outputTokens: 100, costUsd: 100 }));
    store.record(started("whole", today));
    store.record(ended("whole", { calls: 3, inputTokens: 30, outputTokens: 6, costUsd: 0.5 }));
    store.record(started("cut short", today + 1));
    const tokens = { input_tokens: 10, output_tokens: 2 };
    const asked = { type: "call.started", call: 1, model: "dear" };
    store.record(event("cut short", 1, asked));
    store.record(event("cut short", 2, { type: "call.started", call: 2 } as { type: string }));
    store.record(event("cut short", 3, { type: "call.finished", call: 1, ...tokens } as { type: string }));
    expect(await store.expenses?.spentSince(today)).toEqual({ calls: 5, tokens: 48, usd: 0.5 });
    expect(await store.expenses?.unpricedSince(today)).toEqual([
      { model: "dear", inputTokens: 10, outputTokens: 2 },
    ]);
  });

  it("knows what each subject has spent, by runs and by tasks, and deleting a run makes nothing unspent [OWN-budget]", async () => {
    const store = await open();
    const today = Date.now() - (Date.now() % 86_400_000);
    const cost = { calls: 3, inputTokens: 30, outputTokens: 6, costUsd: 0.5 };
    for (const subject of ["ann", "bob"]) {
      store.record(started(subject, today, { subject }));
      store.record(ended(subject, cost));
    }
    store.record(started("unpriced", today, { subject: "ann" }));
    store.record(ended("unpriced", { ...cost, model: "dear", costUsd: null }));
    const step = { kind: "expense" as const, at: today, model: "m", inputTokens: 5, outputTokens: 5 };
    store.record({ ...step, subject: "ann", calls: 2, costUsd: 0.25 });
    store.record({ ...step, calls: 7, costUsd: 1 });
    const check = async () => {
      expect(await store.expenses?.spentSince(today, "ann")).toEqual({ calls: 8, tokens: 82, usd: 0.75 });
      expect(await store.expenses?.spentSince(today, "bob")).toEqual({ calls: 3, tokens: 36, usd: 0.5 });
      expect(await store.expenses?.spentSince(today)).toEqual({ calls: 18, tokens: 128, usd: 2.25 });
    };
    await check();
    for (const id of ["ann", "unpriced"]) expect(await store.remove(id)).toBe(true);
    await check();
    expect(await store.expenses?.unpricedSince(today, "ann")).toEqual([
      { model: "dear", inputTokens: 30, outputTokens: 6 },
    ]);
    expect(await store.expenses?.unpricedSince(today, "bob")).toEqual([]);
  });

  it.each(["on disk", "in memory"])(
    "%s, makes room for new runs out of the oldest [S-room]",
    async (where) => {
      const store = await open({ maxMegabytes: 2, ...(where === "in memory" ? { dir: undefined } : {}) });
      // The runs are of today: retention by age runs too.
      const first = Date.now() - 1000;
      store.record(started("running", first));
      for (let n = 0; n < 40; n++) {
        store.record(started(`run-${n}`, first + n + 1, { prompt: "x".repeat(100_000) }));
        store.record(ended(`run-${n}`));
        await store.list({ limit: 1 });
      }
      expect(store.stats).toMatchObject({ ok: true, failures: 0, dropped: 0 });
      const kept = (await store.list({ limit: 100 })).map(({ id }) => id);
      expect(kept.slice(0, 3)).toEqual(["run-39", "run-38", "run-37"]);
      expect(kept).toContain("running");
      expect(kept.length).toBeLessThan(25);
    },
  );

  it("continues when the disk is full: failures are counted and logged, and records written once there is space [S-degraded]", async () => {
    const store = await open({ maxMegabytes: 1 });
    logged.length = 0;
    const fill = (id: string, events: number) => {
      store.record(started(id));
      for (let n = 0; n < events; n++) {
        store.record(event(id, n, { type: "call.failed", error: "x".repeat(100_000) } as { type: string }));
      }
    };
    fill("first", 6);
    await store.list({ limit: 1 });
    expect(store.stats).toMatchObject({ ok: true, written: 7 });
    fill("second", 6);
    await eventually(() => store.stats.failures).toBeGreaterThan(0);
    expect(store.stats).toMatchObject({ ok: false, error: expect.stringContaining("full"), dropped: 0 });
    expect(logged.join()).toContain("responses are not affected");
    // Reading still works, and so does making room.
    expect((await store.list({ limit: 9 })).map(({ id }) => id)).toEqual(["first"]);
    expect(await store.remove("first")).toBe(true);
    await eventually(() => store.stats.ok).toBe(true);
    expect((await store.list({ limit: 9 })).map(({ id }) => id)).toEqual(["second"]);
  });

  it("marks the runs of a killed process as interrupted, in a database that opens [S-kill]", async () => {
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL("../../test/fixtures/write-forever.ts", import.meta.url)), dir],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    await new Promise((go) => child.stdout.once("data", go));
    child.kill("SIGKILL");
    await new Promise((go) => child.once("exit", go));
    const store = await open();
    const runs = await store.list({ limit: 1000 });
    expect(runs.length).toBeGreaterThan(0);
    expect(new Set(runs.map(({ status }) => status))).toEqual(new Set(["interrupted"]));
    await store.close();
    const db = new DatabaseSync(join(dir, "history.db"));
    expect(db.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    expect(db.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
    db.close();
  });

  it("marks runs whose end was never written, although their process exited normally", async () => {
    const first = await open();
    first.record(started("lost"));
    await first.close();
    const second = await open();
    expect(await second.get("lost")).toMatchObject({ status: "interrupted" });
  });

  it("leaves the runs of another live process alone", async () => {
    const first = await open();
    first.record(started("theirs"));
    await first.list({ limit: 1 });
    // The same process number would mean a former self: pretend to be another live one.
    const db = new DatabaseSync(join(dir, "history.db"));
    db.prepare("UPDATE owners SET pid = ?").run(process.ppid);
    db.close();
    const second = await openStore({ ...readConfig({}).store, dir }, () => undefined);
    expect((await second.list({ limit: 9 }))[0]).toMatchObject({ id: "theirs", status: "running" });
    await second.close();
  });

  it("marks the runs of a container that was replaced after a minute without a heartbeat [S-kill]", () => {
    const former = openDatabase({ dir, maxMegabytes: 1 }, "former");
    createRecordWriter(former, "former")([started("theirs")]);
    former.prepare("UPDATE owners SET host = 'a-container-that-was'").run();
    former.close();
    const db = openDatabase({ dir, maxMegabytes: 1 }, "present");
    const status = () => listRuns(db, { limit: 1 })[0]?.status;
    heartbeat(db, "present");
    expect(status()).toBe("running");
    heartbeat(db, "present", Date.now() + 61_000);
    expect(status()).toBe("interrupted");
    db.close();
  });

  it("prevents startup when its folder cannot be used, and names the setting", async () => {
    const file = join(dir, "file");
    writeFileSync(file, "");
    // The last takes no folders, and lets Node.js try forever.
    for (const unusable of [file, join(file, "history"), "/proc/council/history"])
      await expect(open({ dir: unusable }), unusable).rejects.toThrow(/MCI_DATA_DIR/);
  });

  it("prevents startup when the database is damaged, and leaves it unchanged", async () => {
    const damaged = "this is not a database at all".repeat(100);
    writeFileSync(join(dir, "history.db"), damaged);
    await expect(open()).rejects.toThrow(/MCI_DATA_DIR.*not a database/);
    expect(readFileSync(join(dir, "history.db"), "utf8")).toBe(damaged);
  });
});
