/** How long a client waits, against the provider that makes it wait. */
import { type Model, realClock } from "@mci-ts/council";
import { readConfig } from "../../packages/council-server/src/index.ts";
import { openModels } from "../../packages/council-server/src/providers/models.ts";
import type { LogEntry } from "../../packages/fake-provider/src/index.ts";
import { median } from "../measure.ts";
import type { Row } from "../suite.ts";
import { ATTEMPTS, milliseconds, repeat, worstBelow } from "./council-attempts.ts";
import { ask, K } from "./council-client.ts";
import { startProvider, startService } from "./council-processes.ts";
import { TRUTH, WAYS } from "./council-ways.ts";

export async function waiting(): Promise<Row[]> {
  const latency = ["--latency", "300", "--sigma", "0.3"];
  const provider = await startProvider("--truth", TRUTH, ...latency);
  const service = await startService(provider.url);
  try {
    await ask(service.url).answered;
    return [
      await unanimous("engine", () => throughEngine(provider.url)),
      await unanimous("service", () => throughService(service.url, provider.url)),
      await firstEvent(service.url),
    ];
  } finally {
    await service.stop();
    await provider.stop();
  }
}

/** How long one vote took, and each of its calls. */
interface Timed {
  readonly whole: number;
  readonly calls: readonly number[];
}

async function unanimous(what: string, vote: () => Promise<Timed>): Promise<Row> {
  await vote();
  const votes = await repeat(vote);
  if (votes.some(({ calls }) => calls.length !== K)) throw new Error(`not ${K} calls for a unanimous vote`);
  const ratios = votes.map(({ whole, calls }) => whole / Math.max(...calls));
  return {
    what: `${what}: unanimous vote, k = ${K}, to the slowest of its calls`,
    bare: milliseconds(median(votes.map(({ calls }) => Math.max(...calls)))),
    ours: milliseconds(median(votes.map(({ whole }) => whole))),
    ratio: median(ratios),
    target: 1.02,
    note: `${WHERE[what]}; a provider of 300 ms; worst of ${ATTEMPTS}: ${Math.max(...ratios).toFixed(3)} x`,
  };
}

const WHERE: Readonly<Record<string, string>> = {
  engine: "calls as the engine sees them, through the adapter and HTTP",
  service: "the client's whole wait, calls as the provider sees them",
};

async function throughEngine(provider: string): Promise<Timed> {
  const calls: number[] = [];
  const models = await openModels(readConfig({ MAKER_API_URL: provider, MAKER_API_MODEL: "sim" }).models);
  const adapter = models.forRun({});
  const model: Model = {
    async complete(request, signal) {
      const start = performance.now();
      const reply = await adapter.complete(request, signal);
      calls.push(performance.now() - start);
      return reply;
    },
  };
  const start = performance.now();
  await WAYS.ours({ k: K, model, clock: realClock });
  return { whole: performance.now() - start, calls };
}

async function throughService(service: string, provider: string): Promise<Timed> {
  const log = async () => {
    const response = await fetch(new URL("/sim/log", provider));
    return ((await response.json()) as { entries: LogEntry[] }).entries;
  };
  const before = (await log()).length;
  const start = performance.now();
  await ask(service).answered;
  const whole = performance.now() - start;
  const calls = (await log()).slice(before);
  return { whole, calls: calls.map((call) => call.ended_ms! - call.arrived_ms) };
}

async function firstEvent(service: string): Promise<Row> {
  const first = async () => {
    const start = performance.now();
    const stream = ask(service, { accept: "text/event-stream" });
    await stream.firstEvent;
    const time = performance.now() - start;
    await stream.answered;
    return time;
  };
  await first();
  return worstBelow("request to first event of the stream", await repeat(first), 20);
}
