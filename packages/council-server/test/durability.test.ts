import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { startFakeProvider } from "../../fake-provider/src/server.ts";
import { post } from "./harness.ts";
import { startProcess } from "./process.ts";

const CLIENTS = 20;

describe("with a data folder", () => {
  it("no response that a client received is lost to kill -9, however many clients there are [S-durable]", async () => {
    const provider = await startFakeProvider({ behaviour: { latency: { median_ms: 5, sigma: 0.8 } } });
    onTestFinished(() => provider.close());
    const dir = mkdtempSync(join(tmpdir(), "council-durable-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const service = await startProcess({
      MAKER_API_URL: provider.url,
      MAKER_API_MODEL: "sim",
      MCI_DATA_DIR: dir,
      MCI_RATE_LIMIT: "0",
    });
    const received: string[] = [];
    const client = async (name: number) => {
      for (let n = 0; ; n++) {
        const response = await post(`${service.url}/mcp/model`, {
          prompt: `Tabs or spaces, ${name} ${n}?`,
          intent: "validation",
        });
        const { metadata } = (await response.json()) as { metadata: { request_id: string } };
        received.push(metadata.request_id);
      }
    };
    const clients = Array.from({ length: CLIENTS }, (_, name) => client(name).catch(() => undefined));
    while (received.length < 60) await sleep(10);
    service.child.kill("SIGKILL");
    await Promise.all([service.exited, ...clients]);
    expect(statuses(dir, received)).toEqual({ complete: received.length });
  });
});

function statuses(dir: string, ids: readonly string[]): Record<string, number> {
  const db = new DatabaseSync(join(dir, "history.db"));
  const find = db.prepare("SELECT status FROM runs WHERE id = ?");
  const counts: Record<string, number> = {};
  for (const id of ids) {
    const status = String(find.get(id)?.["status"] ?? "missing");
    counts[status] = (counts[status] ?? 0) + 1;
  }
  db.close();
  return counts;
}
