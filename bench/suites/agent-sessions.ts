/** Two hundred agents at once, each with a session of its own and the next step as soon as the last is decided. */
import { Agent } from "node:http";
import type { Table } from "../suite.ts";
import { type AgentProtocol, PROTOCOLS, send } from "./agent-client.ts";
import { startAgentProvider, startAgentService } from "./agent-processes.ts";
import { percentile } from "./council-load.ts";

const PROVIDER_MS = 1000;
const STEPS = 5;
const K = 3;
const SESSIONS = [1, 50, 200];
/** As many runs at once as there are sessions, instead of the default of 64. */
const WIDE = { MCI_MAX_CONCURRENT: "256" };

export async function sessions(): Promise<Table> {
  const rows = [
    ...(await measure("default", {}, SESSIONS)),
    ...(await measure("MCI_MAX_CONCURRENT=256", WIDE, [200, 200])),
  ];
  return {
    title: `Sessions at once: voted steps (k = ${K}) with a provider that takes ${PROVIDER_MS} ms`,
    about: `Each session takes ${STEPS} steps, one after the other without a pause: an agent that also runs its tools asks less often. Each step is ${K} calls side by side; times are from the request to the end of the response. By default 64 runs are executed at a time and others wait, so that 200 sessions wait for two turns before theirs. The service also begins with 64 calls in flight to a provider and allows more with each round that goes well: the last row is the one before, once more.`,
    columns: [
      ...["settings", "sessions", "steps decided", "errors", "p50", "p95", "p99", "longest", "steps/s"],
      "p50 to the provider",
    ],
    rows,
  };
}

async function measure(
  name: string,
  env: Readonly<Record<string, string>>,
  counts: readonly number[],
): Promise<string[][]> {
  const [protocol] = PROTOCOLS as readonly [AgentProtocol];
  const provider = await startAgentProvider(protocol.dialect, PROVIDER_MS);
  const service = await startAgentService(protocol.dialect, provider.url, env);
  const url = `${service.url}/v1${protocol.path}`;
  const rows: string[][] = [];
  try {
    await run(url, protocol, { agents: 5, steps: 2 });
    for (const agents of counts) {
      const { times, errors, seconds } = await run(url, protocol, { agents, steps: STEPS });
      const part = (share: number) => `${percentile(times, share).toFixed(0)} ms`;
      rows.push([
        ...[name, String(agents), `${times.length} of ${agents * STEPS}`, String(errors)],
        ...[part(0.5), part(0.95), part(0.99), part(1)],
        (times.length / seconds).toFixed(0),
        `${(percentile(times, 0.5) / PROVIDER_MS).toFixed(2)} x`,
      ]);
    }
  } finally {
    await service.stop();
    await provider.stop();
  }
  return rows;
}

async function run(
  url: string,
  { body }: AgentProtocol,
  { agents, steps }: { readonly agents: number; readonly steps: number },
) {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  let errors = 0;
  const started = performance.now();
  const session = async (name: string) => {
    for (let step = 0; step < steps; step++)
      try {
        const { whole, text } = await send(url, body("act"), { agent, headers: { "x-session-id": name } });
        if (!text.includes("delete_file") || !text.includes("[DONE]")) throw new Error(`not a step: ${text}`);
        times.push(whole);
      } catch {
        errors++;
      }
  };
  await Promise.all(Array.from({ length: agents }, (_, n) => session(`session-${agents}-${n}`)));
  agent.destroy();
  return { times, errors, seconds: (performance.now() - started) / 1000 };
}
