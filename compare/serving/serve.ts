import type { Client } from "@modelcontextprotocol/client";
import { measureInTurns, type Row } from "../speed/rounds.ts";
import type { Pace } from "../speed/work.ts";
import { connect, type Server } from "./connect.ts";

const CALL = { name: "greet", arguments: { who: "Ada" } };

/** From the start of the process to the answer of a first call, and how many calls a second afterwards. */
export async function measureServing(servers: readonly Server[], pace: Pace): Promise<Row[]> {
  const names = servers.map(({ name }) => name);
  const byName = (name: string) => servers.find((server) => server.name === name)!;
  const starts = await measureInTurns(names, pace.rounds, async (name) => {
    const start = performance.now();
    const client = await connect(byName(name));
    await client.callTool(CALL);
    const microseconds = (performance.now() - start) * 1000;
    await client.close();
    return microseconds;
  });
  const rows: Row[] = [
    { id: "serve-start", what: "`mci run`, `mcix run`: first answer", unit: "µs", outcomes: starts },
  ];

  const clients = new Map<string, Client>();
  for (const server of servers) clients.set(server.name, await connect(server));
  for (const concurrency of [1, 50]) {
    const outcomes = await measureInTurns(names, pace.rounds, (name) =>
      perSecond(clients.get(name)!, concurrency, pace.milliseconds),
    );
    const what = concurrency === 1 ? "calls, one by one" : `calls, ${concurrency} at once`;
    rows.push({ id: `serve-${concurrency}`, what, unit: "per second", outcomes });
  }
  for (const client of clients.values()) await client.close();
  return rows;
}

async function perSecond(client: Client, concurrency: number, milliseconds: number): Promise<number> {
  let calls = 0;
  const start = performance.now();
  const lane = async () => {
    do {
      await client.callTool(CALL);
      calls++;
    } while (performance.now() - start < milliseconds);
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return (calls * 1000) / (performance.now() - start);
}
