/** How the service holds up: clients that each ask, wait for the answer, and ask again. */
import { Agent, request } from "node:http";
import { median } from "../measure.ts";
import type { Table } from "../suite.ts";
import { startProvider, startService } from "./council-processes.ts";
import { PROMPT, TRUTH } from "./council-ways.ts";

const PROVIDER_MS = 50;
const K = 3;
const CLIENTS = [1, 10, 100, 500];
const SECONDS = 4;

export async function load(): Promise<Table> {
  const provider = await startProvider("--latency", String(PROVIDER_MS), "--truth", TRUTH);
  const service = await startService(provider.url);
  const completion = { model: "sim", messages: [{ role: "user", content: PROMPT }] };
  const council = { prompt: PROMPT, intent: "validation", config: { k: K } };
  const alone: Client = async (agent) => {
    const call = () => post(`${provider.url}/chat/completions`, completion, agent);
    await Promise.all(Array.from({ length: K }, call));
  };
  const ours: Client = async (agent) => {
    const { result } = JSON.parse(await post(`${service.url}/mcp/model`, council, agent));
    if (!result.includes(TRUTH)) throw new Error(`a wrong answer: ${result}`);
  };
  try {
    await drive(alone, 10, 1);
    await drive(ours, 10, 2);
    const rows: string[][] = [];
    for (const clients of CLIENTS) {
      const bare = await drive(alone, clients, SECONDS);
      const served = await drive(ours, clients, SECONDS);
      rows.push([
        String(clients),
        ...[bare, served].flatMap(({ perSecond, p50, p99 }) => [
          perSecond.toFixed(0),
          milliseconds(p50),
          milliseconds(p99),
        ]),
        ...[served.p50 / bare.p50, served.p99 / bare.p99, served.p99 / PROVIDER_MS].map(
          (ratio) => `${ratio.toFixed(2)} x`,
        ),
      ]);
    }
    return {
      title: `The service under load: votes with k = ${K}, a provider that takes ${PROVIDER_MS} ms`,
      about:
        `Each client sends a request, waits for the response and sends the next, for ${SECONDS} s. Alone: the same clients send the ${K} calls of a vote ` +
        "straight to the provider, all at once. Clients, service and provider are processes on one machine and share its cores.",
      columns: [
        "clients",
        ...["alone", "service"].flatMap((side) => [`${side}: requests/s`, "p50", "p99"]),
        "p50 to alone",
        "p99 to alone",
        `p99 to ${PROVIDER_MS} ms`,
      ],
      rows,
    };
  } finally {
    await service.stop();
    await provider.stop();
  }
}

/** One request, over the connections given. */
export type Client = (agent: Agent) => Promise<void>;

interface Driven {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** Runs for so many seconds; calls in flight at the end may finish and are counted. */
export async function drive(ask: Client, clients: number, seconds: number): Promise<Driven> {
  const times: number[] = [];
  // Connections of its own: one left over from before may just be closing.
  const agent = new Agent({ keepAlive: true });
  const start = performance.now();
  const client = async () => {
    while (performance.now() - start < seconds * 1000) {
      const asked = performance.now();
      await ask(agent);
      times.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  agent.destroy();
  const elapsed = (performance.now() - start) / 1000;
  return { perSecond: times.length / elapsed, p50: median(times), p99: percentile(times, 0.99) };
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]!;
}

export function post(url: string, body: unknown, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: "POST", agent, headers: { "content-type": "application/json" } },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk) => (text += chunk));
        response.on("error", reject).on("end", () => {
          if (response.statusCode === 200) resolve(text);
          else reject(new Error(`${url} answered ${response.statusCode}: ${text.slice(0, 200)}`));
        });
      },
    );
    sent.on("error", reject).end(JSON.stringify(body));
  });
}

const milliseconds = (ms: number) => `${ms.toFixed(ms < 100 ? 1 : 0)} ms`;
