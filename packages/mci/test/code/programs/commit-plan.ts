import { MCIClient } from "mci-ts";
import { codeTool } from "mci-ts/code";

/** Commits a plan: FILE PLANS ID. Prints "begun" before the first write, and the states of the entries at the end. */
const [file, plans, id] = process.argv.slice(2) as [string, string, string];
const client = await MCIClient.load(file);
const report = await codeTool(client, { plans }).commit(id, {
  approve: () => {
    process.stdout.write("begun\n");
    return true;
  },
});
process.stdout.write(`${JSON.stringify(report)}\n`);
await client.close();
