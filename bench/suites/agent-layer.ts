/** One vote, k = 1: from the request to the first byte of the response, beside the provider's own. */
import { mkdtempSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "../measure.ts";
import { micro, type Row } from "../suite.ts";
import { type AgentProtocol, PROTOCOLS, send } from "./agent-client.ts";
import { startAgentProvider, startAgentService } from "./agent-processes.ts";

/** Time to the first byte of a fast hosted model; most take longer, and the share of the layer is smaller then. */
const PROVIDER_MS = 300;
const ROUNDS = 24;
const TARGET = 1.05;

export async function layerCost(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const protocol of PROTOCOLS) rows.push(await measure(protocol));
  return rows;
}

async function measure({ name, path, dialect, body }: AgentProtocol): Promise<Row> {
  const provider = await startAgentProvider(dialect, PROVIDER_MS);
  // With a history on disk: the start of a step is written there before the provider is asked.
  const dir = mkdtempSync(join(tmpdir(), "agent-layer-"));
  const service = await startAgentService(dialect, provider.url, {
    MCI_ACT: '{"vote": "never"}',
    MCI_DATA_DIR: dir,
  });
  const agent = new Agent({ keepAlive: true });
  const bare = () => send(`${provider.url}${path}`, body("gpt-4o"), { agent });
  const ours = () => send(`${service.url}/v1${path}`, body("act"), { agent });
  try {
    for (let warm = 0; warm < 5; warm++) {
      await bare();
      await ours();
    }
    const pairs: { bare: number; ours: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      // The side that goes first changes, so that neither always finds the machine the other left.
      if (round % 2 === 0) pairs.push({ bare: (await bare()).firstByte, ours: (await ours()).firstByte });
      else {
        const second = (await ours()).firstByte;
        pairs.push({ bare: (await bare()).firstByte, ours: second });
      }
    }
    const [alone, served] = [median(pairs.map(({ bare }) => bare)), median(pairs.map(({ ours }) => ours))];
    return {
      what: `${name}, k = 1: request to first byte, a provider that takes ${PROVIDER_MS} ms`,
      bare: micro(alone * 1000),
      ours: micro(served * 1000),
      ratio: median(pairs.map(({ bare, ours }) => ours / bare)),
      target: TARGET,
      note: `the layer adds ${(served - alone).toFixed(1)} ms; ${ROUNDS} pairs in turns`,
    };
  } finally {
    agent.destroy();
    await service.stop();
    await provider.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}
