/** What it costs that the record of a run is on disk before its response leaves. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Suite, Table } from "../suite.ts";
import { type Client, drive, post } from "./council-load.ts";
import { startProvider, startService } from "./council-processes.ts";
import { PROMPT, TRUTH } from "./council-ways.ts";

const PROVIDER_MS = 50;
const CLIENTS = [1, 10, 100];
const SECONDS = 3;

const MODES: Readonly<Record<string, (dir: string) => Record<string, string>>> = {
  "in memory": () => ({}),
  "on disk, relaxed": (dir) => ({ MCI_DATA_DIR: dir, MCI_DURABILITY: "relaxed" }),
  "on disk, full": (dir) => ({ MCI_DATA_DIR: dir }),
};

export const suite: Suite = {
  title: "Durability of the history",
  about:
    `Votes with k = 3 over HTTP, a simulated provider that takes ${PROVIDER_MS} ms. Each client asks, waits for the response and asks ` +
    "again. Full: the response waits until its record is on disk (one fsync for all runs that end at the same time). Relaxed: the " +
    "record is written a moment later.",
  run: async () => [await measureModes()],
};

async function measureModes(): Promise<Table> {
  const provider = await startProvider("--latency", String(PROVIDER_MS), "--truth", TRUTH);
  try {
    const rows: string[][] = [];
    for (const [mode, env] of Object.entries(MODES)) rows.push([mode, ...(await measure(provider.url, env))]);
    return {
      title: "Requests by clients",
      columns: ["history", ...CLIENTS.flatMap((clients) => [`${clients} clients: requests/s`, "p50", "p99"])],
      rows,
    };
  } finally {
    await provider.stop();
  }
}

async function measure(provider: string, env: (dir: string) => Record<string, string>): Promise<string[]> {
  const dir = mkdtempSync(join(tmpdir(), "council-bench-"));
  const service = await startService(provider, env(dir));
  const body = { prompt: PROMPT, intent: "validation", config: { k: 3 } };
  const client: Client = async (agent) => {
    await post(`${service.url}/mcp/model`, body, agent);
  };
  try {
    await drive(client, 10, 1);
    const cells: string[] = [];
    for (const clients of CLIENTS) {
      const { perSecond, p50, p99 } = await drive(client, clients, SECONDS);
      cells.push(perSecond.toFixed(0), `${p50.toFixed(1)} ms`, `${p99.toFixed(1)} ms`);
    }
    return cells;
  } finally {
    await service.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}
