import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import type { ScriptInput } from "../../../fake-provider/src/script.ts";
import { startCouncil } from "../harness.ts";
import { readJson } from "../read-json.ts";
import { startAgentService } from "./service.ts";

const parameters = {
  type: "object" as const,
  properties: { id: { type: "integer" }, place: { type: "string" } },
  required: ["id"],
};
const names = ["move", "delete"];
const steps = Array.from({ length: 6 }, (_, id) => ({
  calls: [{ tool: "move", input: { id, place: `shelf ${id}` } }],
}));
const erring: ScriptInput = {
  behaviour: { seed: 3, agent: { steps, accuracy: 0.8, malformed: 0.05, reply: "All moved." } },
};
const right = steps.map(({ calls }) => calls[0]!.input);

/** What a loop over each protocol did; every loop is the agent's own, with an official client. */
const LOOPS = {
  async chat(url: string) {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "unused", maxRetries: 0 });
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Tidy up" }];
    const tools = names.map((name) => ({ type: "function" as const, function: { name, parameters } }));
    return loop(async () => {
      const stream = client.chat.completions.stream({ model: "act", messages, tools });
      const { message } = (await stream.finalChatCompletion()).choices[0]!;
      messages.push(message);
      for (const call of message.tool_calls ?? [])
        messages.push({ role: "tool", tool_call_id: call.id, content: "done" });
      const calls = (message.tool_calls ?? []).flatMap((call) =>
        call.type === "function" ? [call.function] : [],
      );
      return { text: message.content, calls: calls.map(({ arguments: input }) => JSON.parse(input)) };
    });
  },
  async responses(url: string) {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "unused", maxRetries: 0 });
    const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: "Tidy up" }];
    const tools = names.map((name) => ({ type: "function" as const, name, parameters, strict: false }));
    return loop(async () => {
      const stream = client.responses.stream({
        model: "act",
        input,
        tools,
        store: false,
        include: ["reasoning.encrypted_content"],
      });
      const { output, output_text } = await stream.finalResponse();
      input.push(...(output as OpenAI.Responses.ResponseInput));
      const calls = output.filter((item) => item.type === "function_call");
      for (const { call_id } of calls) input.push({ type: "function_call_output", call_id, output: "done" });
      return { text: output_text, calls: calls.map((call) => JSON.parse(call.arguments)) };
    });
  },
  async messages(url: string) {
    const client = new Anthropic({ baseURL: url, apiKey: "unused", maxRetries: 0 });
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Tidy up" }];
    const tools = names.map((name) => ({ name, input_schema: parameters }));
    return loop(async () => {
      const { content } = await client.messages
        .stream({ model: "act", max_tokens: 500, messages, tools })
        .finalMessage();
      messages.push({ role: "assistant", content });
      const calls = content.filter((block) => block.type === "tool_use");
      if (calls.length > 0)
        messages.push({
          role: "user",
          content: calls.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: "done" })),
        });
      const text = content.map((block) => (block.type === "text" ? block.text : "")).join("");
      return { text, calls: calls.map((call) => call.input) };
    });
  },
};

async function loop(next: () => Promise<{ text: string | null; calls: unknown[] }>) {
  const done: unknown[] = [];
  for (let turn = 0; turn < 10; turn++) {
    const { text, calls } = await next();
    if (calls.length === 0) return { text, done };
    done.push(...calls);
  }
  return expect.unreachable("the agent never ends");
}

describe.each(Object.entries(LOOPS))("an agent that speaks %s", (name, run) => {
  it("does every step right with a model that is wrong in one of five [AC-protocols]", async () => {
    const { url, sim } = await startCouncil(erring);
    expect(await run(url)).toEqual({ text: "All moved.", done: right });
    expect(sim.stats.arrivals).toBeGreaterThan(3 * 7);
    const { runs } = await readJson(fetch(`${url}/runs?tool=act`));
    expect(new Set(runs.map(({ session }: { session: string }) => session)).size).toBe(1);
    expect(runs).toHaveLength(7);
    expect(runs[0]).toMatchObject({ tool: "act", channel: name, prompt: "Tidy up" });
  });

  it.each(["anthropic", "google", "openai"] as const)(
    "does so with a provider that speaks %s [AC-protocols]",
    async (dialect) => {
      const { url } = await startAgentService(dialect, {
        behaviour: { agent: { steps: steps.slice(0, 3), reply: "All moved." } },
      });
      expect(await run(url)).toEqual({ text: "All moved.", done: right.slice(0, 3) });
    },
  );

  it("does so with a model that cannot call tools, which gets them in words [AC-words]", async () => {
    const { url } = await startCouncil({ ...erring, tools: false });
    expect(await run(url)).toEqual({ text: "All moved.", done: right });
  });
});
