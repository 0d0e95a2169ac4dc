import { describe, expect, it } from "vitest";
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

  it("are refused like others when the request is invalid", async () => {
    const { url } = await startCouncil();
    expect((await post(`${url}/mcp/model`, {}, ASYNC)).status).toBe(400);
  });
});
