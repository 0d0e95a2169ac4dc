import { expect, test } from "vitest";
import { COMPILE_CACHE, fixtureProgram } from "../../../../test/programs/programs.ts";
import { provePlans } from "./prove-plans.ts";

// `npm run prove:plans` does the same with 1,000 kills.

test("[S-plan-crash] a commit that is killed again and again executes each write exactly once", {
  timeout: 120_000,
}, async () => {
  const program = [process.execPath, fixtureProgram("packages/mci/test/code/programs/commit-plan.ts")];
  const proof = await provePlans({ kills: 4 }, program, COMPILE_CACHE);
  expect(proof.wrong).toEqual([]);
  expect(proof.effects).toEqual(proof.planned);
  expect(proof.kills).toBe(4);
});
