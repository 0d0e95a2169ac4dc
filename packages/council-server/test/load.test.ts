import { Agent, request } from "node:http";
import { describe, expect, it } from "vitest";
import { startFakeProvider } from "../../fake-provider/src/server.ts";
import { startProcess } from "./process.ts";
import { readJson } from "./read-json.ts";

const BODY = JSON.stringify({ prompt: "Tabs or spaces?", intent: "validation" });

describe("under load", () => {
  it("2,000 requests at once get a result or Retry-After, and memory stays bounded [L-2000]", {
    timeout: 300_000,
  }, async () => {
    // So slow that few of the runs end before the last request arrives: the queue fills up.
    const sim = await startFakeProvider({ behaviour: { truth: "Tabs", latency: { median_ms: 600 } } });
    const { child, url, exited } = await startProcess({
      MAKER_API_URL: sim.url,
      MAKER_API_MODEL: "sim",
      // One vote decides: what is tested is the queue in front of the runs.
      MAKER_K: "1",
      MCI_MAX_QUEUED: "200",
      MCI_QUEUE_WAIT_MS: "250000",
      // A heap that would not survive without bounds; the default one hides what is needed.
      NODE_OPTIONS: "--max-old-space-size=256",
    });
    const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
    const answers = await Promise.all(Array.from({ length: 2000 }, () => ask(url, agent)));
    const by = (status: number) => answers.filter((answer) => answer.status === status);
    expect(by(200).length + by(503).length).toBe(2000);
    expect(by(200).length).toBeGreaterThanOrEqual(200);
    expect(by(503).length).toBeGreaterThan(0);
    for (const { text } of by(200)) expect(JSON.parse(text).result).toContain("Tabs");
    for (const { retryAfter } of by(503)) expect(Number(retryAfter)).toBeGreaterThan(0);
    // 64 runs of one vote each at the most.
    expect(sim.stats.peak_in_flight).toBeLessThanOrEqual(64);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    const rss = Number(/^process_resident_memory_bytes (\d+)$/m.exec(metrics)![1]);
    expect(rss).toBeLessThan(800 * 1024 * 1024);
    expect(metrics).toMatch(/^council_runs_active 0$/m);
    expect(metrics).toMatch(/^council_history_dropped_total 0$/m);
    expect((await readJson(fetch(`${url}/healthz`))).status).toBe("ok");
    child.kill("SIGTERM");
    expect(await exited).toBe(0);
    await sim.close();
  });
});

interface Answer {
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

function ask(url: string, agent: Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}/mcp/model`,
      { method: "POST", agent, headers: { "content-type": "application/json" } },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk) => (text += chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode, retryAfter: response.headers["retry-after"], text }),
        );
      },
    );
    sent.on("error", reject).end(BODY);
  });
}
