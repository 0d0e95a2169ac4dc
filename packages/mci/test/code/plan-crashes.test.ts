import pg from "pg";
import { expect, test } from "vitest";
import { COMPILE_CACHE, fixtureProgram } from "../../../../test/programs/programs.ts";
import { createEmptyDatabase } from "../../../council-postgres/test/database.ts";
import { postgresPlanStore } from "../../src/code/index.ts";
import { provePlans } from "./prove-plans.ts";

// `npm run prove:plans` does the same with 1,000 kills.

const program = () => [process.execPath, fixtureProgram("packages/mci/test/code/programs/commit-plan.ts")];

test("[S-plan-crash] a commit that is killed again and again executes each write exactly once", {
  timeout: 120_000,
}, async () => {
  const proof = await provePlans({ kills: 4 }, program(), COMPILE_CACHE);
  expect(proof.wrong).toEqual([]);
  expect(proof.effects).toEqual(proof.planned);
  expect(proof.kills).toBe(4);
});

test("[S-plan-crash] [S-plan-stores] so does one whose journal is in PostgreSQL", {
  timeout: 120_000,
}, async () => {
  const url = await createEmptyDatabase();
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  try {
    const database = { url, store: postgresPlanStore(pool) };
    const proof = await provePlans({ kills: 3, database }, program(), COMPILE_CACHE);
    expect(proof.wrong).toEqual([]);
    expect(proof.effects).toEqual(proof.planned);
    expect(proof.kills).toBe(3);
  } finally {
    await pool.end();
  }
});
