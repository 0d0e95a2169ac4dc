/** What the service promises about time, measured at its clients and at its provider. */
import { type ClientRequest, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type LogEntry, startSim } from "../../packages/server/src/index.ts";
import { median } from "../measure.ts";
import type { Row } from "../suite.ts";
import { startProvider, startService } from "./council-processes.ts";
import { PROMPT, TRUTH } from "./council-ways.ts";

const K = 3;
const BODY = JSON.stringify({ prompt: PROMPT, intent: "validation", config: { k: K } });
const TRIES = 20;

export async function clock(): Promise<Row[]> {
  return [...(await answering()), ...(await leaving())];
}

async function answering(): Promise<Row[]> {
  const latency = ["--latency", "300", "--sigma", "0.3"];
  const provider = await startProvider("--truth", TRUTH, ...latency);
  const service = await startService(provider.url);
  try {
    await ask(service.url).answered;
    return [await unanimous(service.url, provider.url), await firstEvent(service.url)];
  } finally {
    await service.stop();
    await provider.stop();
  }
}

/** The client's whole wait against the slowest of the calls made for it, as the provider saw them. */
async function unanimous(service: string, provider: string): Promise<Row> {
  const waits: number[] = [];
  const slowest: number[] = [];
  const log = async () => {
    const response = await fetch(new URL("/sim/log", provider));
    return ((await response.json()) as { entries: LogEntry[] }).entries;
  };
  for (let index = 0; index < TRIES; index++) {
    const before = (await log()).length;
    const start = performance.now();
    await ask(service).answered;
    waits.push(performance.now() - start);
    const calls = (await log()).slice(before);
    if (calls.length !== K) throw new Error(`${calls.length} calls for a unanimous vote`);
    slowest.push(Math.max(...calls.map((call) => call.ended_ms! - call.arrived_ms)));
  }
  const ratios = waits.map((wait, index) => wait / slowest[index]!);
  return {
    what: `unanimous vote, k = ${K}: whole request to the slowest of its calls`,
    bare: milliseconds(median(slowest)),
    ours: milliseconds(median(waits)),
    ratio: median(ratios),
    target: 1.02,
    note: `through the service, a provider of 300 ms; worst of ${TRIES}: ${Math.max(...ratios).toFixed(3)} x`,
  };
}

async function firstEvent(service: string): Promise<Row> {
  const times: number[] = [];
  for (let index = 0; index < TRIES; index++) {
    const start = performance.now();
    const stream = ask(service, { accept: "text/event-stream" });
    await stream.firstEvent;
    times.push(performance.now() - start);
    await stream.answered;
  }
  return within("request to first event of the stream", times, 20);
}

/** The provider hangs, so that every call is under way when it is no longer wanted. */
async function leaving(): Promise<Row[]> {
  // The provider's log counts from its start, which is now.
  const started = performance.now();
  const provider = await startSim({ rules: [{ reply: { kind: "hang" } }] });
  const service = await startService(provider.url);
  const closing = async (leave: (asked: Asked) => unknown): Promise<number> => {
    const before = provider.log.length;
    const asked = ask(service.url, { accept: "text/event-stream" });
    asked.answered.catch(() => {}); // It never is.
    while (provider.stats.in_flight < K) await sleep(1);
    await asked.id;
    const left = performance.now();
    leave(asked);
    while (provider.stats.in_flight > 0) await sleep(1);
    const closed = provider.log.slice(before).map((call) => started + call.ended_ms!);
    return Math.max(...closed) - left;
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
      within(`client gone to all ${K} provider sockets closed`, await repeat(gone), 50),
      within(`DELETE sent to all ${K} provider sockets closed`, await repeat(deleted), 50),
    ];
  } finally {
    await service.stop();
    await provider.close();
  }
}

async function repeat(work: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < TRIES; index++) times.push(await work());
  return times;
}

/** A promise about every time, so the worst one counts. */
function within(what: string, times: readonly number[], limitMs: number): Row {
  const worst = Math.max(...times);
  return {
    what,
    ours: milliseconds(median(times)),
    target: `< ${limitMs} ms`,
    met: worst < limitMs,
    note: `worst of ${times.length}: ${milliseconds(worst)}`,
  };
}

interface Asked {
  readonly sent: ClientRequest;
  /** Of the run; known as soon as the answer begins. */
  readonly id: Promise<string>;
  readonly firstEvent: Promise<void>;
  readonly answered: Promise<void>;
}

function ask(service: string, headers: Record<string, string> = {}): Asked {
  const [id, firstEvent, answered] = [
    Promise.withResolvers<string>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ];
  const sent = request(`${service}/mcp/model`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
  });
  sent.on("error", answered.reject).end(BODY);
  sent.on("response", (response) => {
    id.resolve(String(response.headers["x-request-id"]));
    let text = "";
    response.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (/^data:.*\n/m.test(text)) firstEvent.resolve();
    });
    response.on("error", answered.reject).on("end", () => {
      if (text.includes(TRUTH)) answered.resolve();
      else answered.reject(new Error(`a wrong answer: ${text.slice(0, 500)}`));
    });
  });
  return { sent, id: id.promise, firstEvent: firstEvent.promise, answered: answered.promise };
}

const milliseconds = (ms: number) => `${ms.toFixed(1)} ms`;
