import type { Server } from "node:http";
import Anthropic from "@anthropic-ai/sdk";
import { createAdaptorServer } from "@hono/node-server";
import type { ActionResult } from "@mci-ts/council";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { listen } from "../../../../../test/servers.ts";
import type { ProtocolName } from "../../protocols/protocol.ts";
import { agentStream } from "./agent-stream.ts";

const input = '{"path":"a.txt"}';
const call = { type: "tool-call", toolCallId: "call_1", toolName: "delete_file", input } as const;
const result = {
  metadata: { usage: { input_tokens: 9, output_tokens: 3 }, warnings: [] },
  tokens: { cachedInput: 0, cacheWrite: 0, reasoning: 0 },
  reply: { message: { parts: [call], stop: "tool_calls" } },
} as unknown as ActionResult;
const messages = [{ role: "user" as const, content: "Delete a.txt" }];

/** What an official client makes of a stream whose vote takes many times as long as the pause between two signs of life. */
const CLIENTS: Record<ProtocolName, (url: string) => Promise<unknown>> = {
  async chat(url) {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "unused", maxRetries: 0 });
    const stream = client.chat.completions.stream({ model: "act", messages });
    return (await stream.finalChatCompletion()).choices[0]?.message.tool_calls;
  },
  async responses(url) {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "unused", maxRetries: 0 });
    const stream = client.responses.stream({ model: "act", input: "Delete a.txt" });
    return (await stream.finalResponse()).output;
  },
  async messages(url) {
    const client = new Anthropic({ baseURL: url, apiKey: "unused", maxRetries: 0 });
    return (await client.messages.stream({ model: "act", max_tokens: 9, messages }).finalMessage()).content;
  },
};

test.each(Object.keys(CLIENTS) as ProtocolName[])(
  "[AC-alive] a stream of %s is kept alive while its vote runs, and its client reads what was decided",
  async (name) => {
    let sent = "";
    const server = createAdaptorServer({
      async fetch() {
        const vote = Promise.withResolvers<ActionResult>();
        const response = vote.promise.then(() => ({ body: {} as never }));
        const about = { id: "run", model: "act", request: {} };
        const outgoing = { destroy: () => {} };
        const stream = agentStream(about, name, response, vote.promise, {
          outgoing,
          log: () => {},
          pingMs: 5,
        });
        const counted = stream.body!.pipeThrough(
          new TransformStream<Uint8Array, Uint8Array>({
            transform(chunk, controller) {
              sent += Buffer.from(chunk).toString();
              // The vote ends when it was kept alive for a while.
              if (sent.split("\n\n").length > 12) vote.resolve(result);
              controller.enqueue(chunk);
            },
          }),
        );
        return new Response(counted, { headers: stream.headers });
      },
    });
    const { url } = await listen(server as Server);
    expect(JSON.stringify(await CLIENTS[name](url))).toContain("delete_file");
    const numbers = [...sent.matchAll(/"sequence_number":(\d+)/g)].map(([, number]) => Number(number));
    expect(numbers).toEqual(name === "responses" ? [...numbers.keys()] : []);
  },
);
