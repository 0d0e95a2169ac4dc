import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { serve } from "../../../test/servers.ts";
import { eventually } from "./eventually.ts";
import { parseEvents, post, startCouncil } from "./harness.ts";
import { readJson } from "./read-json.ts";

const VOTE = { prompt: "Tabs or spaces?", intent: "validation" };
const ASYNC = { headers: { prefer: "respond-async, wait=10" } };

describe("background runs [A-background]", () => {
  it("are answered with 202 and an address, and go on without their client", async () => {
    const { url } = await startCouncil();
    const response = await post(`${url}/mcp/model`, VOTE, ASYNC);
    const { id, links } = await readJson(response);
    expect(response.status).toBe(202);
    expect(response.headers.get("location")).toBe(`/runs/${id}`);
    expect(response.headers.get("preference-applied")).toBe("respond-async");
    await eventually(async () => (await readJson(fetch(`${url}${links.run}`))).status).toBe("complete");
    const events = parseEvents(await (await fetch(`${url}${links.events}`)).text());
    expect(events.at(-1)?.event).toBe("run.response");
  });

  it("can be cancelled", async () => {
    const { url, sim } = await startCouncil();
    sim.script({ rules: [{ reply: { kind: "hang" } }] });
    const { id } = await readJson(post(`${url}/mcp/model`, VOTE, ASYNC));
    expect((await fetch(`${url}/runs/${id}`, { method: "DELETE" })).status).toBeLessThan(300);
    await eventually(async () => (await readJson(fetch(`${url}/runs/${id}`))).status).toBe("cancelled");
  });

  it("send their response to an allowed webhook, and only there [B-webhook]", async () => {
    const bodies: string[] = [];
    const { host } = await serve(async (request, response) => {
      bodies.push(await text(request));
      response.end();
    });
    const { url, sim } = await startCouncil(
      {},
      { MCI_WEBHOOK_HOSTS: host, MCI_WEBHOOK_SECRET: "a-secret-of-some-length" },
    );
    const ask = (webhook: string) => post(`${url}/mcp/model`, { ...VOTE, config: { webhook } }, ASYNC);
    const refused = await ask("http://127.0.0.1:1/");
    expect([refused.status, (await readJson(refused)).error.details[0].path]).toEqual([
      400,
      "config.webhook",
    ]);
    expect(sim.stats.arrivals).toBe(0);
    const { id } = await readJson(ask(`http://${host}/done`));
    await eventually(() => bodies.length).toBe(1);
    const { type, data } = JSON.parse(bodies[0]!);
    expect([type, data.id, data.body.metadata.request_id]).toEqual(["run.completed", id, id]);
  });

  it("can be followed again from any event with Last-Event-ID", async () => {
    const { url } = await startCouncil({ behaviour: { latency: { median_ms: 50 } } });
    const { links } = await readJson(post(`${url}/mcp/model`, VOTE, ASYNC));
    const all = parseEvents(await (await fetch(`${url}${links.events}`)).text());
    const headers = { "last-event-id": all[2]!.id! };
    const rest = parseEvents(await (await fetch(`${url}${links.events}`, { headers })).text());
    expect(rest.map(({ id }) => id)).toEqual(all.slice(3).map(({ id }) => id));
  });

  it("are refused like others when the request is invalid", async () => {
    const { url } = await startCouncil();
    expect((await post(`${url}/mcp/model`, {}, ASYNC)).status).toBe(400);
  });
});
