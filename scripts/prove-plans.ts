/**
 * Kills processes that commit plans, and counts the effects: `npm run prove:plans -- [KILLS] [MINUTES]` (1,000 kills, however long
 * it takes, unless given). Exits with 1 if a write took effect more than once, or never.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { provePlans } from "../packages/mci/test/code/prove-plans.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
execFileSync(process.execPath, ["scripts/build.ts", "packages/mci", "--if-changed"], {
  cwd: root,
  stdio: "inherit",
});
const program = fileURLToPath(new URL("../packages/mci/test/code/programs/commit-plan.ts", import.meta.url));
const proof = await provePlans(
  {
    kills: Number(process.argv[2] ?? 1000),
    until: Date.now() + Number(process.argv[3] ?? Number.POSITIVE_INFINITY) * 60_000,
    onProgress: (kills) => kills % 50 === 0 && console.log(`${kills} kills`),
  },
  [process.execPath, program],
);
console.log(proof);
process.exitCode = proof.wrong.length === 0 ? 0 : 1;
