/** From the moment an agent's client leaves to the last provider socket closed, for a vote in flight. */
import { request } from "node:http";
import { setImmediate } from "node:timers/promises";
import { startFakeProvider } from "../../packages/fake-provider/src/index.ts";
import type { Table } from "../suite.ts";
import { type AgentProtocol, PROTOCOLS } from "./agent-client.ts";
import { startAgentService } from "./agent-processes.ts";
import { percentile } from "./council-load.ts";

const ATTEMPTS = 200;
const K = 3;
const LIMIT_MS = 50;

export async function cancelled(): Promise<Table> {
  const rows: string[][] = [];
  for (const protocol of PROTOCOLS)
    for (const stream of [true, false]) rows.push(await measure(protocol, stream));
  return {
    title: `Cancellation of a voted step: the client's connection closed to all ${K} provider sockets closed`,
    about: `${ATTEMPTS} times each; the provider hangs, so that all calls are in flight. The provider and the clients are in one process, the service in another. The limit is ${LIMIT_MS} ms for every single one.`,
    columns: ["protocol", "stream", "p50", "p95", "p99", "longest", `over ${LIMIT_MS} ms`],
    rows,
  };
}

async function measure({ name, path, dialect, body }: AgentProtocol, stream: boolean): Promise<string[]> {
  const provider = await startFakeProvider({ dialect, key: "key", rules: [{ reply: { kind: "hang" } }] });
  const service = await startAgentService(dialect, provider.url);
  const times: number[] = [];
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const sent = request(`${service.url}/v1${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
      });
      sent.on("error", () => {}).on("response", (response) => response.on("error", () => {}).resume());
      sent.end(JSON.stringify({ ...body("act"), stream }));
      await until(() => provider.stats.in_flight === K);
      const left = performance.now();
      sent.destroy();
      await until(() => provider.stats.in_flight === 0);
      times.push(performance.now() - left);
    }
  } finally {
    await service.stop();
    await provider.close();
  }
  const part = (share: number) => `${percentile(times, share).toFixed(1)} ms`;
  const late = times.filter((ms) => ms > LIMIT_MS).length;
  return [name, stream ? "yes" : "no", part(0.5), part(0.95), part(0.99), part(1), `${late} of ${ATTEMPTS}`];
}

async function until(reached: () => boolean): Promise<void> {
  const start = performance.now();
  while (!reached()) {
    if (performance.now() - start > 10_000) throw new Error("nothing happened for ten seconds");
    // The provider is in this process: every turn of the loop shows what it has noticed.
    await setImmediate();
  }
}
