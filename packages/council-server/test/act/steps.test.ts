import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import type { Rule } from "../../../fake-provider/src/script.ts";
import { eventually } from "../eventually.ts";
import { post, readEvents, startCouncil, startService } from "../harness.ts";
import { readJson } from "../read-json.ts";
import { startAgentService } from "./service.ts";

const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const tool = (name: string) => ({ type: "function" as const, function: { name, parameters } });
const tools = [tool("delete_file"), tool("read_file")];
const messages = [{ role: "user" as const, content: "Delete a.txt" }];
const call = (path: string, name = "delete_file") => ({
  kind: "tool_call" as const,
  tool: name,
  input: { path },
});
const chat = { model: "act", messages, tools };

describe("a step", () => {
  it("says in its headers which run it was, and how it was decided [AC-seen]", async () => {
    const { url } = await startCouncil({
      rules: [{ reply: call("b.txt"), times: 1 }, { reply: call("a.txt") }],
    });
    const response = await post(`${url}/v1/chat/completions`, chat, { headers: { "x-session-id": "s-1" } });
    const { headers } = response;
    expect(headers.get("x-council-votes")).toBe("4/5");
    expect(headers.get("x-council-decided")).toBe("vote");
    expect(headers.get("x-council-session")).toBe("s-1");
    // Tools take their time, and the next step comes on the same connection.
    expect(headers.get("keep-alive")).toBe("timeout=75");
    const run = await readJson(fetch(`${url}/runs/${headers.get("x-council-run")}`));
    expect(run).toMatchObject({
      tool: "act",
      session: "s-1",
      request: { act: { protocol: "chat", model: "act", body: chat } },
      response: {
        metadata: { action: { decided: "vote", calls: [{ name: "delete_file" }] }, voting: { samples: 5 } },
      },
    });
    expect(run.votes).toHaveLength(5);
    expect((await readJson(fetch(`${url}/runs?session=s-1`))).runs).toHaveLength(1);
    expect((await readJson(fetch(`${url}/runs?session=s-2`))).runs).toEqual([]);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain('council_act_steps_total{decided="vote"} 1');
    expect(metrics).toContain("council_act_contested_steps_total 1");
    expect(metrics).toContain('council_act_calls_per_step_bucket{le="5"} 1');
    expect(metrics).toContain("council_act_sessions_total 1");
  });

  it.each([
    [{ prompt_cache_key: "key-1" }, {}, "key-1"],
    [{}, { "session-id": "codex-1" }, "codex-1"],
    [{ prompt_cache_key: "key-1" }, { "x-session-affinity": "s" }, "s"],
    [{ prompt_cache_key: "not a name\u0000" }, {}, expect.stringMatching(/^[\w-]{32}$/)],
    [{}, {}, expect.stringMatching(/^[\w-]{32}$/)],
  ])("with %j and %j belongs to the session %s [AC-seen]", async (body, headers, session) => {
    const { url } = await startCouncil({ rules: [{ reply: call("a.txt") }] });
    const response = await post(
      `${url}/v1/chat/completions`,
      { ...chat, ...body },
      { headers: headers as never },
    );
    expect(response.headers.get("x-council-session")).toEqual(session);
  });

  it("without tools is one call, and returns exactly what the model said [AC-side]", async () => {
    const { url, sim } = await startCouncil({ rules: [{ reply: { kind: "text", text: "  Title \n" } }] });
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "unused", maxRetries: 0 });
    const { choices, usage } = await client.chat.completions.create({ model: "act", messages });
    expect(choices[0]!.message.content).toBe("  Title \n");
    expect(usage!.prompt_tokens).toBeGreaterThan(0);
    expect(sim.log).toMatchObject([{ temperature: null }]);
    const stream = await post(`${url}/v1/chat/completions`, { model: "act", messages, stream: true });
    expect(stream.headers.get("x-council-decided")).toBe("single");
    const events = (await readEvents(stream)).map(({ data }) => data);
    expect(JSON.parse(events[0]!).id).toMatch(/^chatcmpl-sim-/);
    expect(events.at(-1)).toBe("[DONE]");
    expect(sim.stats.arrivals).toBe(2);
    const { runs } = await readJson(fetch(`${url}/runs`));
    expect(runs).toMatchObject([
      { calls: 1, status: "complete" },
      { calls: 1, status: "complete" },
    ]);
    expect(runs[0].output_tokens).toBeGreaterThan(0);
  });

  it("is cancelled with its client, and the provider's sockets are closed [AC-cancel]", async () => {
    const { url, sim } = await startCouncil({ rules: [{ reply: { kind: "hang" } }] });
    for (const stream of [false, true]) {
      const client = new AbortController();
      const asked = post(`${url}/v1/chat/completions`, { ...chat, stream }, { signal: client.signal });
      asked.then((response) => response.text()).catch(() => undefined);
      await eventually(() => sim.stats.in_flight).toBe(3);
      const started = performance.now();
      client.abort();
      await eventually(() => sim.stats.in_flight).toBe(0);
      const took = performance.now() - started;
      expect(took).toBeLessThan(1000);
    }
    const ended = sim.log.map(({ ending }) => ending);
    expect(new Set(ended)).toEqual(new Set(["aborted"]));
  });

  it("finds its models in the shape of each protocol, also those with a provider's model in their name [AC-protocols]", async () => {
    const { url } = await startCouncil({});
    const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: "unused", maxRetries: 0 });
    const anthropic = new Anthropic({ baseURL: url, apiKey: "unused", maxRetries: 0 });
    const names = ["act", "act:quick", "act/sim"];
    const [listed, shown] = [await openai.models.list(), await anthropic.models.list()];
    expect(listed.data.map(({ id }) => id)).toEqual(expect.arrayContaining(names));
    expect(shown.data.map(({ id }) => id)).toEqual(listed.data.map(({ id }) => id));
    for (const name of names) {
      expect(await openai.models.retrieve(name)).toMatchObject({ id: name, object: "model" });
      expect(await anthropic.models.retrieve(name)).toMatchObject({ id: name, type: "model" });
    }
  });

  it.each<[string, Rule]>([
    ["fails", { reply: { kind: "status", status: 500 }, times: 1 }],
    ["is overloaded for a moment", { reply: { kind: "status", status: 503, retry_after: 0.05 }, times: 1 }],
    ["limits the rate", { reply: { kind: "status", status: 429, retry_after: 0.05 }, times: 1 }],
    ["breaks off the connection", { reply: { kind: "cut", after: "body" }, times: 1 }],
    ["is slow", { reply: call("a.txt"), delay_ms: 400, times: 1 }],
    ["hangs", { reply: { kind: "hang" }, times: 1 }],
    ["does something else", { reply: call("b.txt"), times: 1 }],
    ["calls a tool that does not exist", { reply: call("a.txt", "drop_table"), times: 1 }],
    [
      "damages the arguments",
      {
        reply: { kind: "tool_calls", calls: [{ tool: "delete_file", input: {}, damaged: true }] },
        times: 1,
      },
    ],
    ["is cut off", { reply: { kind: "length" }, times: 1 }],
    ["refuses", { reply: { kind: "refusal" }, times: 1 }],
  ])("costs nothing but time where the provider %s in one sample of three [AC-one-bad]", async (_, bad) => {
    const { url, sim } = await startCouncil(
      { rules: [bad, { reply: call("a.txt") }] },
      { MCI_CALL_TIMEOUT_MS: "300" },
    );
    for (const stream of [false, true]) {
      const response = await post(`${url}/v1/chat/completions`, { ...chat, stream });
      expect(response.status).toBe(200);
      const text = await response.text();
      expect(text).toContain("delete_file");
      expect(text).toContain("a.txt");
      expect(text).not.toContain("b.txt");
    }
    const { runs } = await readJson(fetch(`${url}/runs`));
    expect(runs.map(({ status }: { status: string }) => status)).toEqual(["complete", "complete"]);
    // One call more for the bad one; against a wrong action, one more on top.
    expect(sim.stats.arrivals).toBeLessThanOrEqual(3 + 2 + 3);
  });

  it("beyond the budget of its session is refused before any call [AC-budget]", async () => {
    const { url, sim } = await startCouncil(
      { dialect: "openrouter", rules: [{ reply: call("a.txt") }] },
      { MCI_ACT: '{"max_usd_session": 0.0005}', MCI_DIALECT: "openrouter" },
    );
    const ask = (session: string) =>
      post(`${url}/v1/chat/completions`, chat, { headers: { "x-session-id": session } });
    expect((await ask("a")).status).toBe(200);
    expect((await ask("a")).status).toBe(200);
    const refused = await ask("a");
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({
      error: { code: "budget_exhausted", message: expect.stringContaining("max_usd_session") },
    });
    const calls = sim.stats.arrivals;
    expect((await ask("a")).status).toBe(422);
    expect(sim.stats.arrivals).toBe(calls);
    expect((await ask("b")).status).toBe(200);
  });

  it("takes the settings of MCI_ACT, of a preset and of the request, the last first [AC-settings]", async () => {
    const { url, sim } = await startCouncil(
      { rules: [{ reply: call("a.txt", "read_file") }] },
      { MCI_ACT: '{"read_only": ["read_*"], "k_read_only": 2}' },
    );
    const ask = async (body: object) => {
      const before = sim.stats.arrivals;
      expect((await post(`${url}/v1/chat/completions`, { ...chat, ...body })).status).toBe(200);
      return sim.stats.arrivals - before;
    };
    expect(await ask({})).toBe(2);
    expect(await ask({ model: "act/sim" })).toBe(2);
    expect(await ask({ config: { act: { k_read_only: 1 } } })).toBe(1);
    expect(await ask({ model: "act:thorough", config: { act: { k_by_tool: { "*": 5 } } } })).toBe(5);
    expect(await ask({ config: { act: { vote: "never" } } })).toBe(1);
  });
});

describe("what an agent sends", () => {
  it("reaches a provider of its own protocol as it came: chat completions [AC-carried]", async () => {
    const { url, provider } = await startAgentService(
      "openai",
      { rules: [{ reply: call("a.txt") }] },
      { MAKER_API_MODEL: "gpt-4o" },
    );
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA", detail: "low" } };
    const body = {
      messages: [
        {
          role: "developer",
          content: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
        },
        { role: "user", content: [{ type: "text", text: "Look \u0000" }, image], name: "Ada" },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: "c1", type: "function", function: { name: "read_file", arguments: '{ "path":"a"}' } },
          ],
        },
        { role: "tool", tool_call_id: "c1", content: [{ type: "text", text: "ok" }] },
      ],
      tools,
      tool_choice: "auto",
      parallel_tool_calls: true,
      metadata: { a: "b" },
      max_completion_tokens: 77,
    };
    expect((await post(`${url}/v1/chat/completions`, { model: "act", ...body })).status).toBe(200);
    expect(provider.log[0]!.body).toEqual({ ...body, model: "gpt-4o", temperature: 0 });
    expect(provider.log[1]!.body).toEqual({ ...body, model: "gpt-4o", temperature: 0.1 });
  });

  it("reaches it as it came: Responses, with reasoning, hosted tools and namespaces [AC-carried]", async () => {
    const { url, provider } = await startAgentService(
      "openai",
      { rules: [{ reply: call("a.txt") }] },
      { MAKER_API_MODEL: "gpt-4o" },
    );
    const body = {
      instructions: "You are an agent.",
      input: [
        { type: "message", role: "developer", content: [{ type: "input_text", text: "Rules" }] },
        { type: "message", role: "user", content: [{ type: "input_text", text: "Delete a.txt" }] },
        { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "sealed" },
      ],
      tools: [
        { type: "function", name: "delete_file", parameters, strict: false },
        { type: "web_search" },
        {
          type: "namespace",
          name: "ns",
          description: "More",
          tools: [{ type: "function", name: "inner", parameters }],
        },
      ],
      include: ["reasoning.encrypted_content"],
      store: false,
      prompt_cache_key: "session-1",
      reasoning: { effort: "low" },
    };
    const response = await post(`${url}/v1/responses`, { model: "act", ...body });
    expect(response.headers.get("x-council-session")).toBe("session-1");
    expect(provider.log[0]!.body).toEqual({ ...body, model: "gpt-4o", temperature: 0 });
    const { output } = await readJson(response);
    expect(output).toMatchObject(
      [{ type: "reasoning", encrypted_content: /^sealed-/ }, { type: "function_call" }].map((item) => ({
        type: item.type,
      })),
    );
    expect(output[0].encrypted_content).toMatch(/^sealed-/);
  });

  it("reaches it as it came: Messages, with signatures, pictures, cache marks and beta headers [AC-carried]", async () => {
    const { url, provider } = await startAgentService("anthropic", { rules: [{ reply: call("a.txt") }] });
    const body = {
      max_tokens: 100,
      system: [{ type: "text", text: "You are an agent.", cache_control: { type: "ephemeral" } }],
      messages: [
        { role: "user", content: "Delete a.txt" },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "Hm", signature: "signed" },
            { type: "tool_use", id: "t1", name: "read_file", input: {} },
          ],
        },
        {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: "t1",
              content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } }],
            },
          ],
        },
      ],
      tools: [
        { name: "delete_file", input_schema: parameters },
        { type: "web_search_20250305", name: "web_search" },
      ],
      metadata: { user_id: "user_1_session_2" },
    };
    const client = new Anthropic({
      baseURL: url,
      apiKey: "unused",
      maxRetries: 0,
      defaultHeaders: { "anthropic-beta": "a,b" },
    });
    const message = await client.messages.create({ model: "act", ...body } as never);
    expect(provider.log[0]).toMatchObject({
      headers: { "anthropic-beta": "a,b", "x-api-key": "provider-key" },
    });
    expect(provider.log[0]!.body).toEqual({ ...body, model: "claude-sonnet-5-5", temperature: 0 });
    expect(message).toMatchObject({
      content: [{ type: "tool_use", input: { path: "a.txt" } }],
      stop_reason: "tool_use",
    });
  });

  it.each<[string, string, object]>([
    [
      "/v1/responses",
      "input[1].encrypted_content",
      {
        input: [
          { role: "user", content: "a" },
          { type: "reasoning", summary: [], encrypted_content: "x" },
        ],
      },
    ],
    [
      "/v1/responses",
      "input[0].content[0].file_id",
      { input: [{ role: "user", content: [{ type: "input_file", file_id: "f" }] }] },
    ],
    ["/v1/responses", "previous_response_id", { input: "a", previous_response_id: "resp_1" }],
    [
      "/v1/messages",
      "messages[0].content[0].signature",
      {
        max_tokens: 9,
        messages: [{ role: "assistant", content: [{ type: "thinking", thinking: "a", signature: "s" }] }],
      },
    ],
    ["/v1/messages", "mcp_servers", { max_tokens: 9, messages, mcp_servers: [{}] }],
    ["/v1/messages", "max_tokens", { messages }],
    ["/v1/chat/completions", "n", { messages, tools, n: 2 }],
  ])("to %s and cannot be carried is refused by name: %s [AC-carried]", async (path, field, body) => {
    const { url, sim } = await startCouncil();
    const response = await post(url + path, { model: "act", ...body });
    expect(response.status).toBe(400);
    const { error } = await readJson(response);
    expect(error.message).toContain(field);
    expect(sim.stats.arrivals).toBe(0);
  });

  it("and the provider cannot run is left out, and said so [AC-carried]", async () => {
    const { url } = await startCouncil({ rules: [{ reply: call("a.txt") }] });
    const hosted = [{ type: "web_search" }, { type: "namespace", name: "ns", description: "", tools: [] }];
    const request = {
      model: "act",
      input: "Delete a.txt",
      tools: [{ type: "function", name: "delete_file", parameters }, ...hosted],
      text: { verbosity: "low" },
    };
    const response = await post(`${url}/v1/responses`, request, { headers: { "idempotency-key": "step-1" } });
    expect(response.headers.get("x-council-warnings")).toMatch(
      /Idempotency-Key was ignored.*"web_search".*left out.*"ns".*left out/,
    );
    const run = await readJson(fetch(`${url}/runs/${response.headers.get("x-council-run")}`));
    expect(run.response.metadata.warnings).toHaveLength(3);
  });
});

describe("errors have the shape of the protocol", () => {
  it.each([
    ["/v1/messages", { max_tokens: 9, messages }, { type: "error", error: { type: "not_found_error" } }],
    ["/v1/responses", { input: "a" }, { error: { type: "invalid_request_error", code: "not_found" } }],
  ])("at %s, of a model that takes no tools [AC-errors]", async (path, body, error) => {
    const { url } = await startCouncil();
    const response = await post(url + path, { model: "vote", ...body });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject(error);
  });

  it("of tools with another model, which names act [AC-errors]", async () => {
    const { url } = await startCouncil();
    const response = await post(`${url}/v1/chat/completions`, { ...chat, model: "vote" });
    expect(await response.json()).toMatchObject({
      error: { param: "tools", message: expect.stringContaining("model act") },
    });
  });

  it("of a token, which x-api-key carries as well [AC-errors]", async () => {
    const token = "0123456789abcdef";
    const { url } = await startCouncil(
      { rules: [{ reply: { kind: "text", text: "Hi" } }] },
      { MCI_TOKEN: token },
    );
    const ask = (apiKey: string) =>
      new Anthropic({ baseURL: url, apiKey, maxRetries: 0 }).messages.create({
        model: "act",
        max_tokens: 9,
        messages,
      });
    await expect(ask("wrong")).rejects.toThrow(Anthropic.AuthenticationError);
    expect(await ask(token)).toMatchObject({ content: [{ text: "Hi" }] });
  });

  it("also in a stream that has begun [AC-errors]", async () => {
    const { url } = await startCouncil({ rules: [{ reply: { kind: "status", status: 401 } }] });
    const ask = async (path: string, body: object) =>
      readEvents(await post(url + path, { model: "act", stream: true, ...body }));
    const [last] = (
      await ask("/v1/messages", { max_tokens: 9, messages, tools: [{ name: "a", input_schema: parameters }] })
    ).slice(-1);
    expect(last).toMatchObject({ event: "error", data: expect.stringContaining("api_error") });
    const failed = (
      await ask("/v1/responses", { input: "a", tools: [{ type: "function", name: "a", parameters }] })
    ).at(-1)!;
    expect(JSON.parse(failed.data)).toMatchObject({
      type: "response.failed",
      sequence_number: 2,
      response: { error: { code: "all_calls_failed" } },
    });
    const refused = await post(`${url}/v1/chat/completions`, { model: "act", stream: true, messages });
    expect(refused.status).toBe(502);
  });

  it("of a service without a provider [AC-errors]", async () => {
    const { url } = await startService();
    expect((await post(`${url}/v1/chat/completions`, chat)).status).toBe(400);
  });
});
