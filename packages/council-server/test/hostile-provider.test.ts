import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { serve } from "../../../test/servers.ts";
import { post, startService } from "./harness.ts";
import { readJson } from "./read-json.ts";

const KEY = "a-key-that-must-stay-secret";
const VOTE = { prompt: "What is the capital of Australia?", intent: "validation" };

/** A service whose provider responds to every call as configured. */
async function startWith(answer: (out: ServerResponse, authorization: string) => void) {
  const { url } = await serve((incoming, out) => {
    incoming.resume().on("end", () => answer(out, incoming.headers.authorization ?? ""));
  });
  return startService({
    MAKER_API_URL: `${url}/v1`,
    MAKER_API_MODEL: "m",
    MAKER_API_KEY: KEY,
  });
}

function completion(content: string, usage: object | null): string {
  const message = { role: "assistant", content };
  return JSON.stringify({
    id: "1",
    model: "m",
    choices: [{ index: 0, message, finish_reason: "stop" }],
    usage,
  });
}

const yes = JSON.stringify({ answer: "Canberra", rationale: "It is." });

describe("a provider that", () => {
  it.each([
    [
      "in parts of a token",
      { prompt_tokens: 1.4, completion_tokens: 2.6 },
      { input_tokens: 3, output_tokens: 9 },
    ],
    ["backwards", { prompt_tokens: -100, completion_tokens: -5 }, { input_tokens: 0, output_tokens: 0 }],
    [
      "beyond all numbers",
      { prompt_tokens: 1e300, completion_tokens: 1 },
      { input_tokens: 0, output_tokens: 3 },
    ],
    ["not at all", null, { input_tokens: 0, output_tokens: 0 }],
  ])("counts %s spoils neither the sums nor the history [M-usage]", async (_, usage, expected) => {
    const { server, url } = await startWith((out) => void out.end(completion(yes, usage)));
    const answer = await readJson(post(`${url}/mcp/model`, VOTE));
    expect(answer.metadata.usage).toMatchObject(expected);
    const run = await readJson(fetch(`${url}/runs/${answer.metadata.request_id}`));
    expect(run).toMatchObject({ status: "complete", ...expected });
    expect(server.service.store.stats).toMatchObject({ ok: true, failures: 0 });
  });

  it("reports no token counts cannot be held to a token limit, and the error says so [M-usage]", async () => {
    const { url } = await startWith((out) => void out.end(completion(yes, null)));
    const limited = { ...VOTE, config: { max_tokens: 1_000_000 } };
    const answer = await readJson(post(`${url}/mcp/model`, limited));
    expect(answer.metadata).toMatchObject({
      status: "partial",
      usage: { cost_usd: null, cost_source: "unknown" },
    });
  });

  it("never stops writing is disconnected, and the service survives [M-usage]", async () => {
    const { url } = await startWith((out) => {
      out.on("error", () => undefined);
      out.writeHead(200, { "content-type": "application/json" });
      const more = () => {
        while (!out.destroyed && out.write(Buffer.alloc(1024 * 1024, " ")));
        out.once("drain", more);
      };
      more();
    });
    const before = process.memoryUsage.rss();
    const response = await post(`${url}/mcp/model`, { ...VOTE, config: { deadline_ms: 3000 } });
    expect(await readJson(response)).toMatchObject({ error: { code: "deadline_exceeded" } });
    expect(process.memoryUsage.rss() - before).toBeLessThan(400 * 1024 * 1024);
  });

  it("reports one token for a very long reply does not slow the service down", async () => {
    const book = JSON.stringify({ answer: `_a ${"a ".repeat(200_000)}`, rationale: "" });
    const { url } = await startWith(
      (out) => void out.end(completion(book, { prompt_tokens: 1, completion_tokens: 1 })),
    );
    const answer = await readJson(post(`${url}/mcp/model`, { ...VOTE, config: { k: 1, max_samples: 3 } }));
    expect(answer.error).toMatchObject({
      code: "no_valid_answer",
      message: expect.stringContaining("too_long"),
    });
  });

  it.each([
    [
      "what went wrong",
      JSON.stringify({ error: { message: "no credits left", code: 402 } }),
      "no credits left",
    ],
    ["a web page", "<html>Welcome</html>", 'no chat completion, but \\"<html>Welcome'],
    ["nothing", "", "no chat completion, but nothing"],
    ["no choices", JSON.stringify({ id: "1", model: "m", choices: [] }), "did not contain any choices"],
  ])("sends %s with status 200 is quoted", async (_, body, expected) => {
    const { url } = await startWith((out) => void out.end(body));
    // Such replies are asked for again until the deadline, and on a busy machine the first takes its time.
    const briefly = { ...VOTE, config: { deadline_ms: 2000 } };
    const response = await post(`${url}/mcp/model`, briefly, { headers: { accept: "text/event-stream" } });
    expect(await response.text()).toContain(expected);
  });

  it.each([
    ["401", 401],
    ["400", 400],
    ["500", 500],
    ["200, as a web page", 200],
  ])("repeats the key it was sent in a %s does not leak it [M-usage]", async (_, status) => {
    const { url, logged } = await startWith((out, authorization) => {
      out.writeHead(status, { "content-type": "application/json", "retry-after": "0" });
      out.end(
        status === 200 ? authorization : JSON.stringify({ error: { message: `bad ${authorization}` } }),
      );
    });
    const response = await post(`${url}/mcp/model`, VOTE, { headers: { accept: "text/event-stream" } });
    const stream = await response.text();
    const id = response.headers.get("x-request-id");
    const kept = await (await fetch(`${url}/runs/${id}`)).text();
    const events = await (await fetch(`${url}/runs/${id}/events`)).text();
    const others = await Promise.all(
      ["/metrics", "/readyz", "/runs"].map(async (path) => (await fetch(url + path)).text()),
    );
    expect(stream).toContain("all_calls_failed");
    expect([stream, kept, events, ...others, ...logged].join("\n")).not.toContain(KEY);
  });

  it("repeats the key inside its answers does not leak it, in no form and at no endpoint [M-key]", async () => {
    const forms = [
      KEY,
      Buffer.from(`Bearer ${KEY}`).toString("base64"),
      Buffer.from(KEY).toString("hex"),
      KEY.slice(0, 16),
    ];
    const { url, logged } = await startWith((out) => {
      const text = `It is ${forms.join(" or ")}.`;
      out.end(completion(JSON.stringify({ answer: text, rationale: text }), null));
    });
    const id = (await readJson(post(`${url}/mcp/model`, VOTE))).metadata.request_id;
    const texts = await Promise.all([
      ...["", "/events", "/calls", "/capsule"].map(async (part) =>
        (await fetch(`${url}/runs/${id}${part}`)).text(),
      ),
      post(`${url}/mcp/model`, VOTE).then((response) => response.text()),
      post(`${url}/v1/chat/completions`, {
        model: "act",
        messages: [{ role: "user", content: "a" }],
      }).then((response) => response.text()),
    ]);
    for (const text of texts) expect(text).toContain("[key]");
    const all = [...texts, ...logged].join("\n");
    // Where another text stands before the key, the first characters of the base64 are not the key's.
    for (const form of forms) expect(all).not.toContain(form.slice(form.length > 50 ? 12 : 0));
  });

  it("repeats the key in a stream that is handed on does not leak it [M-key]", async () => {
    const { url } = await startWith((out, authorization) => {
      out.writeHead(200, { "content-type": "text/event-stream" });
      const delta = (content: string, finish_reason: string | null) =>
        `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", model: "m", choices: [{ index: 0, delta: { role: "assistant", content }, finish_reason }] })}\n\n`;
      out.end(`${delta(`You sent ${authorization}!`, null)}${delta("", "stop")}data: [DONE]\n\n`);
    });
    const response = await post(`${url}/v1/chat/completions`, {
      model: "act",
      messages: [{ role: "user", content: "a" }],
      stream: true,
    });
    const text = await response.text();
    expect(text).toContain("You sent Bearer [key]!");
    expect(text).not.toContain(KEY);
  });
});
