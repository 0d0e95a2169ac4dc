import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { createEmptyDatabase } from "../../../council-postgres/test/database.ts";
import { type PlanStore, postgresPlanStore } from "../../src/code/index.ts";
import { openPlanStore } from "../../src/code/plan/open-plan-store.ts";
import { type Plan, PlanBuilder } from "../../src/code/plan/plan.ts";

/* What every store of plans does, each on the real thing. */

let pool: pg.Pool;
const folder = temporaryFolder({}, afterAll);

beforeAll(async () => {
  pool = new pg.Pool({ connectionString: await createEmptyDatabase(), max: 4 });
});
afterAll(() => pool.end());

const STORES: Record<string, () => PlanStore> = {
  "a folder": () => openPlanStore(folder),
  PostgreSQL: () => postgresPlanStore(pool),
};

/** Texts that a database or a file could lose. */
const HOSTILE = "\u0000 \ud800 \u2028 '; DROP TABLE mci_plans; -- \n";

function makePlan(): Plan {
  const builder = new PlanBuilder();
  builder.add("write", { text: HOSTILE, number: 1e21, nothing: null }, { type: "text", text: HOSTILE });
  builder.add("write", { __proto__: null, number: -0 }, { type: "text", text: "" });
  return builder.build("ann")!;
}

describe.each(Object.entries(STORES))("plans in %s", (_, openStore) => {
  test("[S-plan-stores] a plan is loaded as it was saved, also by another process", async () => {
    const plan = makePlan();
    await openStore().save(plan);
    const other = openStore();
    expect(await other.load(plan.id)).toEqual(JSON.parse(JSON.stringify(plan)));
    expect(await other.ids()).toContain(plan.id);
    expect((await other.states(plan.id)).size).toBe(0);
    for (const id of ["plan-00000000000000000000000000000000", "../x", "'; --"])
      await expect(other.load(id)).rejects.toMatchObject({ code: "plan_not_found" });
  });

  test("[S-plan-stores] the last record of an entry is its state, and texts of any kind are kept", async () => {
    const store = openStore();
    const plan = makePlan();
    await store.save(plan);
    const journal = await store.open(plan.id);
    await journal.write({ entry: 1, state: "started" });
    await journal.write({ entry: 1, state: "failed", text: HOSTILE });
    await journal.write({ entry: 2, state: "started" });
    await journal.close();
    const states = await openStore().states(plan.id);
    expect(states.get(1)).toMatchObject({ state: "failed", text: HOSTILE });
    expect(states.get(2)).toMatchObject({ state: "started", at: expect.stringMatching(/^20/) });
    await expect(store.discard(plan.id)).rejects.toMatchObject({ code: "plan_begun" });
    expect(await store.ids()).toContain(plan.id);
  });

  test("[S-plan-stores] one commit at a time; another is told, and may begin once the first has ended", async () => {
    const [store, other] = [openStore(), openStore()];
    const plan = makePlan();
    await store.save(plan);
    expect(await other.isBusy(plan.id)).toBe(false);
    const journal = await store.open(plan.id);
    expect(await other.isBusy(plan.id)).toBe(true);
    await expect(other.open(plan.id)).rejects.toMatchObject({ code: "plan_busy" });
    await expect(other.discard(plan.id)).rejects.toMatchObject({ code: "plan_busy" });
    await journal.close();
    await expect.poll(() => other.isBusy(plan.id)).toBe(false);
    await other.discard(plan.id);
    expect(await store.ids()).not.toContain(plan.id);
  });
});

test("[S-plan-stores] who loses the connection to PostgreSQL loses the lock, and writes no further record", async () => {
  const store = postgresPlanStore(pool);
  const plan = makePlan();
  await store.save(plan);
  const journal = await store.open(plan.id);
  await journal.write({ entry: 1, state: "started" });
  await pool.query(
    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()",
  );
  await expect(journal.write({ entry: 1, state: "done" })).rejects.toThrow();
  await journal.close();
  await expect.poll(() => store.isBusy(plan.id)).toBe(false);
  const next = await store.open(plan.id);
  expect((await store.states(plan.id)).get(1)?.state).toBe("started");
  await next.close();
});

test("[S-plan-stores] a plan that was edited in the database is refused", async () => {
  const store = postgresPlanStore(pool);
  const plan = makePlan();
  await store.save(plan);
  await pool.query("UPDATE mci_plans SET plan = replace(plan, '\"write\"', '\"erase\"') WHERE id = $1", [
    plan.id,
  ]);
  await expect(store.load(plan.id)).rejects.toMatchObject({ code: "plan_changed" });
  await pool.query("UPDATE mci_plans SET plan = 'x' WHERE id = $1", [plan.id]);
  await expect(store.load(plan.id)).rejects.toMatchObject({ code: "plan_changed" });
});

test("[S-plan-stores] several processes create the tables at the same time", async () => {
  const connectionString = await createEmptyDatabase();
  const pools = Array.from({ length: 4 }, () => new pg.Pool({ connectionString, max: 1 }));
  try {
    const lists = await Promise.all(pools.map((each) => postgresPlanStore(each).ids()));
    expect(lists).toEqual([[], [], [], []]);
  } finally {
    await Promise.all(pools.map((each) => each.end()));
  }
});
