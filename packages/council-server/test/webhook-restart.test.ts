import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { serve } from "../../../test/servers.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { startFakeProvider } from "../../fake-provider/src/server.ts";
import { eventually } from "./eventually.ts";
import { post } from "./harness.ts";
import { startProcess } from "./process.ts";
import { readJson } from "./read-json.ts";

it("[B-webhook-restart] a webhook whose receiver fails twice arrives once, though the service is killed in between", async () => {
  const received: { type: string; data: { id: string; body: { error?: { code: string } } } }[] = [];
  const attempts = (run: string) => received.filter(({ data }) => data.id === run).length;
  const { host } = await serve(async (request, response) => {
    const message = JSON.parse(await text(request));
    received.push(message);
    const failing = message.type === "run.completed" && attempts(message.data.id) <= 2;
    response.writeHead(failing ? 503 : 204).end();
  });
  const provider = await startFakeProvider();
  const folder = temporaryFolder();
  onTestFinished(() => provider.close());
  const env = {
    MAKER_API_URL: provider.url,
    MAKER_API_MODEL: "sim",
    MCI_DATA_DIR: folder,
    MCI_WEBHOOK_HOSTS: host,
    MCI_WEBHOOK_SECRET: "a-secret-of-some-length",
  };
  const first = await startProcess(env);
  const body = {
    prompt: "Tabs or spaces?",
    intent: "validation",
    config: { webhook: `http://${host}/done` },
  };
  const prefer = { headers: { prefer: "respond-async" } };
  const { id } = await readJson(post(`${first.url}/mcp/model`, body, prefer));
  await eventually(() => attempts(id)).toBe(1);
  // Killed while the second run is in flight: its webhook reports that.
  provider.script({ rules: [{ reply: { kind: "hang" } }] });
  const other = await readJson(post(`${first.url}/mcp/model`, { ...body, prompt: "Vim or Emacs?" }, prefer));
  first.child.kill("SIGKILL");
  await first.exited;
  await startProcess(env);
  await eventually(() => [attempts(id), attempts(other.id)]).toEqual([3, 1]);
  const last = received.find(({ data }) => data.id === other.id);
  expect([last?.type, last?.data.body.error?.code]).toEqual(["run.failed", "interrupted"]);
}, 30_000);
