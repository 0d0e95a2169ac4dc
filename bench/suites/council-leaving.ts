/** From the moment the last caller leaves to the last provider socket closed. */
import { request } from "node:http";
import { setImmediate } from "node:timers/promises";
import { startFakeProvider } from "../../packages/fake-provider/src/index.ts";
import type { Row } from "../suite.ts";
import { repeat, worstBelow } from "./council-attempts.ts";
import { ask, K, type PendingVote } from "./council-client.ts";
import { startService } from "./council-processes.ts";

/** The provider hangs, so that every call is in flight when it is cancelled. */
export async function leaving(): Promise<Row[]> {
  const provider = await startFakeProvider({ rules: [{ reply: { kind: "hang" } }] });
  const service = await startService(provider.url);
  const closing = async (leave: (asked: PendingVote) => unknown): Promise<number> => {
    const asked = ask(service.url, { accept: "text/event-stream" });
    asked.answered.catch(() => {}); // It never is.
    await until(() => provider.stats.in_flight === K);
    await asked.id;
    const left = performance.now();
    leave(asked);
    await until(() => provider.stats.in_flight === 0);
    return performance.now() - left;
  };
  const gone = () => closing(({ sent }) => sent.destroy());
  const deleted = () =>
    closing(async ({ id }) => {
      const stopped = request(`${service.url}/runs/${await id}`, { method: "DELETE" });
      stopped.on("response", (response) => response.resume()).end();
    });
  try {
    await gone();
    return [
      worstBelow(`client gone to all ${K} provider sockets closed`, await repeat(gone), 50),
      worstBelow(`DELETE sent to all ${K} provider sockets closed`, await repeat(deleted), 50),
    ];
  } finally {
    await service.stop();
    await provider.close();
  }
}

async function until(reached: () => boolean): Promise<void> {
  const start = performance.now();
  while (!reached()) {
    if (performance.now() - start > 10_000) throw new Error("nothing happened for ten seconds");
    // The provider is in this process: every turn of the loop shows what it has noticed.
    await setImmediate();
  }
}
