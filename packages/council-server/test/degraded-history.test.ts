import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { eventually } from "./eventually.ts";
import { post, startCouncil } from "./harness.ts";
import { readJson } from "./read-json.ts";

describe("with the disk full", () => {
  it("every response is still sent, and the failure is shown [S-degraded]", async () => {
    const env = { MCI_DATA_DIR: temporaryFolder(), MCI_MAX_HISTORY_MB: "1" };
    const { url, logged } = await startCouncil({}, env);
    await post(`${url}/mcp/model`, { prompt: "Tabs or spaces?" });
    // Larger than all the room there is: nothing that is forgotten could make it fit.
    const body = { prompt: "Tabs or spaces?", context: { code: "x".repeat(1_000_000) } };
    for (let n = 0; n < 2; n++) {
      const response = await post(`${url}/mcp/model`, body);
      expect(response.status).toBe(200);
      expect((await readJson(response)).metadata.status).toBe("complete");
    }
    await eventually(async () => (await readJson(fetch(`${url}/readyz`))).history.status).toBe("failing");
    expect(logged.join()).toMatch(/cannot write \(database or disk is full\)/);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/^council_history_up 0$/m);
    expect(Number(/^council_history_failures_total (\d+)$/m.exec(metrics)![1])).toBeGreaterThan(0);
    expect((await readJson(fetch(`${url}/runs`))).runs.length).toBeGreaterThan(0);
    expect((await post(`${url}/mcp/model`, body)).status).toBe(200);
  });
});
