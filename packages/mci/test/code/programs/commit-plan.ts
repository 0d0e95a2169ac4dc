import { setTimeout as sleep } from "node:timers/promises";
import { MCIClient } from "mci-ts";
import { type CodeTool, codeTool, postgresPlanStore } from "mci-ts/code";

/**
 * Commits a plan: FILE PLANS ID, where PLANS is a folder or the address of a PostgreSQL. Prints "begun" before the first write, and the
 * states of the entries at the end.
 */
const [file, plans, id] = process.argv.slice(2) as [string, string, string];
const client = await MCIClient.load(file);
const pool = plans.startsWith("postgres")
  ? new (await import("pg")).default.Pool({ connectionString: plans, max: 3 })
  : undefined;
const report = await commit(codeTool(client, { plans: pool ? postgresPlanStore(pool) : plans }));
process.stdout.write(`${JSON.stringify(report)}\n`);
await pool?.end();
await client.close();

/** A server needs a moment to notice that the process before was killed. */
async function commit(code: CodeTool, attempt = 0): ReturnType<CodeTool["commit"]> {
  try {
    return await code.commit(id, {
      approve: () => {
        process.stdout.write("begun\n");
        return true;
      },
    });
  } catch (error) {
    if ((error as { code?: string }).code !== "plan_busy" || pool === undefined || attempt > 100) throw error;
    await sleep(50);
    return commit(code, attempt + 1);
  }
}
