import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { startFakeProvider } from "../../fake-provider/src/server.ts";
import { post } from "./harness.ts";
import { startProcess } from "./process.ts";

const CLIENTS = 20;

describe("with a data folder", () => {
  it("no response that a client received is lost to kill -9, however many clients there are [S-durable]", async () => {
    const provider = await startFakeProvider({ behaviour: { latency: { median_ms: 5, sigma: 0.8 } } });
    onTestFinished(() => provider.close());
    const dir = temporaryFolder();
    const service = await startProcess({
      MAKER_API_URL: provider.url,
      MAKER_API_MODEL: "sim",
      MCI_DATA_DIR: dir,
      MCI_RATE_LIMIT: "0",
    });
    const received: string[] = [];
    const client = async (name: number) => {
      for (let n = 0; ; n++) {
        const response = await post(`${service.url}/mcp/model`, {
          prompt: `Tabs or spaces, ${name} ${n}?`,
          intent: "validation",
        });
        const { metadata } = (await response.json()) as { metadata: { request_id: string } };
        received.push(metadata.request_id);
      }
    };
    const clients = Array.from({ length: CLIENTS }, (_, name) => client(name).catch(() => undefined));
    while (received.length < 60) await sleep(10);
    service.child.kill("SIGKILL");
    await Promise.all([service.exited, ...clients]);
    expect(statuses(dir, received)).toEqual({ complete: received.length });
  });
});

it("[AC-killed] an agent whose service is killed in the first moments of a step gets a valid answer to its retry; the history has the step, and those before", async () => {
  const call = (path: string) => ({ kind: "tool_call" as const, tool: "delete_file", input: { path } });
  const provider = await startFakeProvider({
    rules: [{ contains: "slowly", reply: call("b.txt"), delay_ms: 60_000 }, { reply: call("a.txt") }],
  });
  onTestFinished(() => provider.close());
  const dir = temporaryFolder();
  const env = { MAKER_API_URL: provider.url, MAKER_API_MODEL: "sim", MCI_DATA_DIR: dir };
  const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
  const tools = [{ type: "function", function: { name: "delete_file", parameters } }];
  const step = (url: string, content: string, stream = false) => {
    const body = { model: "act", messages: [{ role: "user", content }], tools, stream };
    return post(`${url}/v1/chat/completions`, body, { headers: { "x-session-id": "agent" } });
  };
  const service = await startProcess(env);
  const first = await step(service.url, "Delete a.txt");
  expect(first.headers.get("x-council-decided")).toBe("vote");
  const broken = step(service.url, "Delete a.txt slowly", true).then((response) => response.text());
  const sessionRuns = async (url: string) =>
    ((await (await fetch(`${url}/runs?session=agent`)).json()) as { runs: { status: string }[] }).runs;
  // The first moment of the step that can be seen from outside.
  while (provider.stats.in_flight < 1) await sleep(1);
  service.child.kill("SIGKILL");
  await expect(broken).rejects.toThrow();
  await service.exited;

  provider.script({ rules: [{ reply: call("a.txt") }] });
  const again = await startProcess(env);
  const retried = await step(again.url, "Delete a.txt slowly");
  const { choices } = (await retried.json()) as { choices: { message: { tool_calls: unknown[] } }[] };
  expect(choices[0]!.message.tool_calls).toHaveLength(1);
  const runs = await sessionRuns(again.url);
  expect(runs.map(({ status }) => status)).toEqual(["complete", "interrupted", "complete"]);
  again.child.kill("SIGKILL");
}, 60_000);

function statuses(dir: string, ids: readonly string[]): Record<string, number> {
  const db = new DatabaseSync(join(dir, "history.db"));
  const find = db.prepare("SELECT status FROM runs WHERE id = ?");
  const counts: Record<string, number> = {};
  for (const id of ids) {
    const status = String(find.get(id)?.["status"] ?? "missing");
    counts[status] = (counts[status] ?? 0) + 1;
  }
  db.close();
  return counts;
}
