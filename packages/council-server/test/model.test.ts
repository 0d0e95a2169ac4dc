import { EventSource } from "eventsource";
import { describe, expect, it } from "vitest";
import { eventually } from "./eventually.ts";
import { post, readEvents, startCouncil, startService } from "./harness.ts";
import { readJson } from "./read-json.ts";

const JWT = {
  prompt: "What is the best approach to implement authentication in a Node.js/Express API: JWT or sessions?",
  context: { code: "const app = express(); // ... base API code" },
  intent: "decision",
  config: { num_voters: 5 },
};
const LOGIN = { prompt: "Decompose the task: 'Create a user login system'", intent: "decomposition" };
const DATES = {
  prompt:
    "For date manipulation in JS, is it better to use 'moment.js' or 'date-fns' in a new project in 2025?",
};

describe("POST /mcp/model", () => {
  it("sends a decision to the council [A-council]", async () => {
    const { url, sim } = await startCouncil({ behaviour: { truth: "JWT" } }, { MAKER_JUDGE_MODEL: "judge" });
    const response = await post(`${url}/mcp/model`, JWT);
    const { result, metadata } = await readJson(response);
    expect(response.status).toBe(200);
    expect(result).toMatch(/^# MAKER-Council Report\n/);
    expect(result).toContain("\n## Judge's Final Decision\n");
    expect(metadata).toMatchObject({
      tool_used: "consult_council",
      request_id: response.headers.get("x-request-id"),
      performance: { total_time_seconds: expect.any(Number) },
      raw_output: expect.any(String),
      routing: { by: "intent", rule: expect.any(String) },
      model: "sim",
      status: "complete",
      usage: { calls: sim.stats.arrivals, cost_usd: null, cost_source: "unknown", aborted_calls: 0 },
    });
    expect(new Date(metadata.timestamp).toISOString()).toBe(metadata.timestamp);
    expect(sim.log.filter(({ model }) => model === "sim")).toHaveLength(5);
    expect(sim.log.filter(({ model }) => model === "judge")).toHaveLength(1);
  });

  it("decomposes a task into a JSON object [A-decompose]", async () => {
    const { url } = await startCouncil({ behaviour: { truth: "Create a user login system" } });
    const { result, metadata } = await readJson(post(`${url}/mcp/model`, LOGIN));
    expect(metadata.tool_used).toBe("decompose_task");
    expect(result).toMatchObject({ task: "Create a user login system", total_steps: 3 });
    expect(
      result.steps.map(({ id, dependencies }: { id: number; dependencies: number[] }) => [id, dependencies]),
    ).toEqual([
      [1, []],
      [2, [1]],
      [3, [2]],
    ]);
  });

  it("votes on a choice, inferred from the prompt [A-vote]", async () => {
    const { url, sim } = await startCouncil({ behaviour: { truth: "date-fns" } });
    const { result, metadata } = await readJson(post(`${url}/mcp/model`, DATES));
    expect(result).toMatch(/^# First-to-ahead-by-3 Voting Result\n/);
    expect(result).toContain("\n## Winning Answer\n");
    expect(result).toContain("date-fns");
    expect(metadata).toMatchObject({
      tool_used: "solve_with_voting",
      routing: { by: "inference" },
      voting: {
        k: 3,
        votes: { "date-fns": 3 },
        samples: 3,
        red_flagged: 0,
        transport_errors: 0,
        converged: true,
      },
    });
    expect(sim.stats.arrivals).toBe(3);
  });

  it("refuses a request that does not fit the context window, before any model call [M-context]", async () => {
    const { url, sim } = await startCouncil({}, { MCI_CONTEXT_WINDOW: "1000" });
    const long = { prompt: "Is it safe?", context: { code: "eval(x);\n".repeat(2000) } };
    const response = await post(`${url}/mcp/model`, long);
    expect(response.status).toBe(400);
    expect((await readJson(response)).error).toMatchObject({
      code: "context_length_exceeded",
      message: expect.stringContaining("sim takes 1000"),
    });
    expect(sim.stats.arrivals).toBe(0);
  });

  it("reports routing, model, voting and cost in the metadata [A-metadata]", async () => {
    const { url } = await startCouncil({ behaviour: { truth: "date-fns" } });
    const { result, metadata, ...more } = await readJson(post(`${url}/mcp/model`, DATES));
    expect([typeof result, more]).toEqual(["string", {}]);
    expect(metadata).toEqual({
      tool_used: "solve_with_voting",
      answer: "date-fns",
      request_id: expect.stringMatching(/^[\da-f-]{36}$/),
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      performance: { total_time_seconds: expect.any(Number) },
      raw_output: expect.stringContaining("date-fns"),
      routing: { tool: "solve_with_voting", by: "inference", rule: "choice.options" },
      model: "sim",
      status: "complete",
      warnings: [],
      voting: expect.objectContaining({
        ...{ k: 3, votes: { "date-fns": 3 }, samples: 3, red_flagged: 0, transport_errors: 0 },
        ...{ converged: true, agreement: 1 },
        clusters: [{ answer: "date-fns", votes: 3, members: [{ text: "date-fns", count: 3 }] }],
      }),
      usage: {
        ...{ calls: 3, input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
        ...{ aborted_calls: 0, cost_usd: null, cost_source: "unknown" },
      },
    });
  });

  it("learns how often a model is right from votes alone, not from a council's positions", async () => {
    const { url, server } = await startCouncil({ behaviour: { truth: "JWT" } });
    await post(`${url}/mcp/model`, JWT);
    expect(await server.service.store.agreements()).toEqual([]);
    await post(`${url}/mcp/model`, DATES);
    expect(await server.service.store.agreements()).toEqual([{ model: "sim", agreed: 3, total: 3 }]);
  });

  it("lets config.model and k reach the calls they name", async () => {
    const { url, sim } = await startCouncil();
    const { metadata } = await readJson(
      post(`${url}/mcp/model`, { ...DATES, config: { model: "another", k: 2 } }),
    );
    expect(metadata).toMatchObject({ model: "another", voting: { k: 2 } });
    expect(new Set(sim.log.map(({ model }) => model))).toEqual(new Set(["another"]));
  });

  it("gives the seats different models if several are set", async () => {
    const { url, sim } = await startCouncil({}, { MAKER_VOTER_MODEL: "a,b,c", MAKER_JUDGE_MODEL: "judge" });
    const response = await post(`${url}/mcp/model`, { ...JWT, config: { num_voters: 4 } });
    const asked = sim.log.map(({ model }) => model).sort();
    expect(asked).toEqual(["a", "a", "b", "c", "judge"]);
    const run = await readJson(fetch(`${url}/runs/${response.headers.get("x-request-id")}`));
    expect(run.samples.map(({ model }: { model: string }) => model).sort()).toEqual(asked);
    expect((await readJson(response)).metadata).toMatchObject({ model: "a, b, c", judge_model: "judge" });
  });

  it("streams the events of the run and ends in the same body [A-accept]", async () => {
    const { url } = await startCouncil({ behaviour: { truth: "date-fns" } });
    const response = await post(`${url}/mcp/model`, DATES, { headers: { accept: "text/event-stream" } });
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const events = await readEvents(response);
    const envelopes = events.map(({ data }) => JSON.parse(data));
    expect(envelopes.map(({ seq }) => seq)).toEqual(envelopes.map((_, index) => index + 1));
    for (const [index, envelope] of envelopes.entries()) {
      expect(envelope).toMatchObject({
        v: 1,
        request_id: response.headers.get("x-request-id"),
        ts: expect.any(String),
      });
      expect(events[index]).toMatchObject({ id: String(envelope.seq), event: envelope.type });
    }
    const types = envelopes.map(({ type }) => type);
    expect(types).toEqual(
      expect.arrayContaining(["run.started", "run.routed", "call.started", "vote.counted", "vote.decided"]),
    );
    expect(envelopes.at(-1)).toMatchObject({
      type: "run.response",
      status: 200,
      body: {
        result: expect.stringContaining("# First-to-ahead-by-3"),
        metadata: { tool_used: "solve_with_voting" },
      },
    });
  });

  it("starts without any provider on the simulated model, and says so everywhere [S-start]", async () => {
    const { url, server } = await startService();
    expect(server.service.models.simulated).toBe(true);
    expect(await readJson(fetch(`${url}/readyz`))).toMatchObject({ model: "simulated", simulated: true });
    for (const body of [JWT, LOGIN, DATES]) {
      const { metadata } = await readJson(post(`${url}/mcp/model`, body));
      expect(metadata).toMatchObject({
        model: "simulated",
        usage: { cost_usd: 0, cost_source: "simulated" },
      });
    }
    const { metadata } = await readJson(post(`${url}/mcp/model`, { ...DATES, config: { model: "gpt-4o" } }));
    expect(metadata.model).toBe("simulated");
    expect(metadata.warnings.join()).toContain("gpt-4o");
  });

  it("shows no confidence in simulated answers, in no part of any interface [S-no-confidence]", async () => {
    const { url } = await startService();
    const stream = { headers: { accept: "text/event-stream" } };
    const chat = { messages: [{ role: "user", content: DATES.prompt }], config: { format: "report" } };
    const list = { ...DATES, config: { k: 2 } };
    const shown = [
      ...[JWT, LOGIN, DATES, list].map((body) => post(`${url}/mcp/model`, body)),
      post(`${url}/mcp/model`, DATES, stream),
      post(`${url}/mcp/model`, JWT, stream),
      post(`${url}/v1/chat/completions`, chat),
      post(`${url}/v1/chat/completions`, { ...chat, stream: true }),
    ];
    for (const response of shown) expect(await (await response).text()).not.toMatch(/confiden/i);
    const { runs } = await readJson(fetch(`${url}/runs`));
    for (const { id } of runs) {
      expect(await (await fetch(`${url}/runs/${id}`)).text()).not.toMatch(/confiden/i);
      expect(await (await fetch(`${url}/runs/${id}/events`)).text()).not.toMatch(/confiden/i);
    }
    const real = await startCouncil({ behaviour: { truth: "date-fns" } });
    const { metadata } = await readJson(post(`${real.url}/mcp/model`, DATES));
    expect(metadata.voting).toMatchObject({
      agreement: 1,
      basis: { strategy: "vote, options and wording", outcomes: 0 },
    });
    expect(metadata.voting.confidence).toBeUndefined();
  });
});

describe("the history of runs", () => {
  it("lists, shows, replays and deletes a run [A-runs]", async () => {
    const { url } = await startCouncil({ behaviour: { truth: "date-fns" } });
    const asked = await post(`${url}/mcp/model`, DATES);
    const answer = await readJson(asked);
    const id = asked.headers.get("x-request-id");
    const { runs, next_cursor } = await readJson(fetch(`${url}/runs`));
    expect(runs).toMatchObject([
      { id, status: "complete", tool: "solve_with_voting", model: "sim", channel: "http", calls: 3 },
    ]);
    expect(next_cursor).toBeNull();
    const run = await readJson(fetch(`${url}/runs/${id}`));
    expect(run).toMatchObject({ id, request: DATES, http_status: 200, response: answer });
    expect(run.samples).toHaveLength(3);
    expect(run.samples[0]).toMatchObject({
      model: "sim",
      purpose: "vote",
      temperature: 0,
      answer: expect.stringContaining("date-fns"),
      red_flag: null,
    });
    expect(run.votes.at(-1)).toMatchObject({ leader: "date-fns", leader_votes: 3, runner_up_votes: 0 });
    const replayed = (await readEvents(await fetch(`${url}/runs/${id}/events`))).map(({ data }) =>
      JSON.parse(data),
    );
    expect(replayed.at(-1)).toMatchObject({ type: "run.response", body: answer });
    expect(await readJson(fetch(`${url}/runs/${id}`, { method: "DELETE" }))).toEqual({
      id,
      status: "deleted",
    });
    expect((await fetch(`${url}/runs/${id}`)).status).toBe(404);
    expect((await fetch(`${url}/runs/${id}/events`)).status).toBe(404);
    expect((await fetch(`${url}/runs/${id}`, { method: "DELETE" })).status).toBe(404);
  });

  it("pages without gaps and rejects an invalid cursor", async () => {
    const { url } = await startCouncil();
    for (let n = 0; n < 5; n++) await post(`${url}/mcp/model`, { ...DATES, config: { k: 1 } });
    const seen: string[] = [];
    let cursor: string | null = "";
    do {
      const page = await readJson(fetch(`${url}/runs?limit=2${cursor ? `&cursor=${cursor}` : ""}`));
      seen.push(...page.runs.map(({ id }: { id: string }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(new Set(seen).size).toBe(5);
    expect((await fetch(`${url}/runs?cursor=nonsense`)).status).toBe(400);
    expect((await fetch(`${url}/runs?limit=0`)).status).toBe(400);
    expect((await readJson(fetch(`${url}/runs?status=failed`))).runs).toEqual([]);
  });

  it("can be followed by an EventSource while the run is in flight, and ends it afterwards [A-accept]", async () => {
    const { url, server } = await startCouncil({ behaviour: { latency: { median_ms: 700 } } });
    const asked = post(`${url}/mcp/model`, DATES);
    let id = "";
    await eventually(async () => {
      id = (await readJson(fetch(`${url}/runs?status=running`))).runs[0]?.id ?? "";
      return id;
    }).not.toBe("");
    expect(server.service.live(id)).toBeDefined();
    const source = new EventSource(`${url}/runs/${id}/events`);
    const seen: number[] = [];
    for (const type of ["run.started", "run.routed", "vote.counted"]) {
      source.addEventListener(type, (event) => seen.push(JSON.parse(event.data).seq));
    }
    const body = await new Promise<object>((resolve) => {
      source.addEventListener("run.response", (event) => resolve(JSON.parse(event.data).body));
    });
    expect(body).toEqual(await readJson(asked));
    expect(seen[0]).toBe(1);
    // The stream has ended: the client comes back with the last id, learns that there is no more, and stops.
    await eventually(() => source.readyState).toBe(source.CLOSED);
  });
});
