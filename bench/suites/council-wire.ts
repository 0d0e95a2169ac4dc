/** Two cells of the grid over HTTP, through the service's adapter, in real time. */
import { realClock } from "@mci-ts/council";
import { readConfig } from "../../packages/council-server/src/index.ts";
import { openModels } from "../../packages/council-server/src/providers/models.ts";
import type { Table } from "../suite.ts";
import { startProvider } from "./council-processes.ts";
import { behaviourOf, type Cell, type Score } from "./council-score.ts";
import { TRUTH, WAY_NAMES, WAYS, type Way } from "./council-ways.ts";

const CELLS: readonly Cell[] = [0.8, 0.95].map((p) => ({ p, k: 3, valid: 0.97 }));
const LATENCY = { median_ms: 100, sigma: 0.5 };
const VOTES = 48;
const AT_ONCE = 4;

export async function wireVoting(): Promise<Table> {
  const provider = await startProvider();
  try {
    const rows: string[][] = [];
    for (const cell of CELLS) {
      const scores: Score[] = [];
      for (const name of WAY_NAMES) scores.push(await wireScore(WAYS[name], cell, provider.url));
      rows.push([
        String(cell.p),
        ...scores.map(({ calls }) => calls.toFixed(2)),
        ...scores.map(({ ms }) => `${ms.toFixed(0)} ms`),
        ...scores.map(({ wrong }) => `${Math.round(wrong * VOTES)} of ${VOTES}`),
      ]);
    }
    return {
      title: "Voting with k = 3 over HTTP, in real time",
      about:
        `Against the local provider with a median latency of ${LATENCY.median_ms} ms and 3 % invalid answers; ` +
        `${VOTES} votes of each, ${AT_ONCE} at once. Calls as the provider counted them.`,
      columns: [
        "p",
        ...["calls", "time", "wrong"].flatMap((of) => WAY_NAMES.map((name) => `${of}: ${name}`)),
      ],
      rows,
    };
  } finally {
    await provider.stop();
  }
}

async function wireScore(way: Way, cell: Cell, url: string): Promise<Score> {
  const settings = { MAKER_API_URL: url, MAKER_API_MODEL: "sim" };
  const model = (await openModels(readConfig(settings).models)).forRun({});
  const sim = new URL("/sim/", url);
  const script = { behaviour: behaviourOf(cell, 1, LATENCY) };
  await fetch(new URL("script", sim), { method: "PUT", body: JSON.stringify(script) });
  const sum = { ms: 0, wrong: 0 };
  let left = VOTES;
  const worker = async () => {
    while (left-- > 0) {
      const start = performance.now();
      const winner = await way({ k: cell.k, model, clock: realClock });
      sum.ms += performance.now() - start;
      if (winner !== TRUTH) sum.wrong++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const { stats } = (await (await fetch(new URL("log", sim))).json()) as { stats: { arrivals: number } };
  return {
    votes: VOTES,
    calls: stats.arrivals / VOTES,
    ms: sum.ms / VOTES,
    wrong: sum.wrong / VOTES,
  };
}
