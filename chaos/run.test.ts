import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

// One instance, the last one, goes through the pooler where that is installed.
const program = `
  import { createRequire } from "node:module";
  import { dirname, join } from "node:path";
  import { runCampaign } from ${JSON.stringify(new URL("campaign.ts", import.meta.url).href)};
  const manifest = createRequire(${JSON.stringify(import.meta.url)}).resolve("@mci-ts/council-server/package.json");
  const result = await runCampaign({
    ...{ command: [process.execPath, join(dirname(manifest), "bin/mci-council.cjs")], instances: 1 },
    ...{ faults: [], seconds: 0, seed: 1, taskClients: 1, runClients: 1 },
  });
  console.log(JSON.stringify({ violations: result.violations, tasks: result.counts.tasks }));`;

test("the process of a campaign ends by itself after its report, whatever it opened", {
  timeout: 240_000,
}, async () => {
  const args = ["--input-type=module", "-e", program];
  // Killed when it does not end, which rejects.
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 200_000 });
  expect(JSON.parse(stdout)).toEqual({ violations: [], tasks: expect.any(Number) });
});
