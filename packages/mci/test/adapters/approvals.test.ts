import { createOpenAI } from "@ai-sdk/openai";
import { Annotation, Command, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { ChatOpenAI } from "@langchain/openai";
import { Agent, OpenAIProvider, Runner, RunState } from "@openai/agents";
import { generateText, isStepCount, type ModelMessage } from "ai";
import { createAgent } from "langchain";
import { MCIClient } from "mci-ts";
import * as aiSdk from "mci-ts/ai-sdk";
import * as langchain from "mci-ts/langchain";
import * as agents from "mci-ts/openai-agents";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { ToolResult } from "../../../../examples/agents/local-model/dialect.ts";
import { type LocalModel, startLocalModel } from "../../../../examples/agents/local-model/start.ts";

/*
 * A run that pauses for an approval, and goes on later from what was stored. Every framework with its real package; the
 * model is scripted: it reads one note, deletes it, then says "done".
 */

const note = { type: "object", properties: { id: { type: "integer" } }, required: ["id"] };
const DOCUMENT = {
  schemaVersion: "1.0",
  tools: [
    {
      name: "read",
      annotations: { readOnlyHint: true },
      inputSchema: note,
      execution: { type: "text", text: "note {{props.id}}" },
    },
    { name: "remove", inputSchema: note, execution: { type: "text", text: "removed {{props.id}}" } },
  ],
};

let client: MCIClient;
beforeAll(async () => {
  client = await MCIClient.fromObject(DOCUMENT);
});
afterAll(() => client.close());

interface Paused {
  /** What the application is asked to approve. */
  readonly asked: unknown;
  /** Goes on with the decision; gives what the model said last. */
  resume(isApproved: boolean): Promise<string>;
}

type Start = (model: LocalModel, options: aiSdk.AdapterOptions) => Promise<Paused>;

const withAiSdk: Start = async (local, options) => {
  const settings = {
    model: createOpenAI(local.openai).chat("gpt"),
    tools: aiSdk.toTools(client, options),
    stopWhen: isStepCount(5),
    maxRetries: 0,
  };
  const messages: ModelMessage[] = [{ role: "user", content: "Go." }];
  const { content, responseMessages } = await generateText({ ...settings, messages });
  const request = content.find((part) => part.type === "tool-approval-request");
  // What a web application stores between two requests.
  const stored: ModelMessage[] = JSON.parse(JSON.stringify([...messages, ...responseMessages]));
  return {
    asked: request && { name: request.toolCall.toolName, input: request.toolCall.input },
    async resume(approved) {
      const { approvalId } = request!;
      const decision = { type: "tool-approval-response" as const, approvalId, approved, reason: "too old" };
      stored.push({ role: "tool", content: [decision] });
      return (await generateText({ ...settings, messages: stored })).text;
    },
  };
};

const withAgents: Start = async (local, options) => {
  const modelProvider = new OpenAIProvider({ ...local.openai, useResponses: false });
  const runner = new Runner({ modelProvider, tracingDisabled: true });
  const agent = new Agent({ name: "agent", model: "gpt", tools: agents.toTools(client, options) });
  const paused = await runner.run(agent, "Go.");
  const [item] = paused.interruptions;
  const stored = paused.state.toString();
  return {
    asked: item && { name: item.name, input: JSON.parse(item.arguments ?? "") },
    async resume(isApproved) {
      const state = await RunState.fromString(agent, stored);
      const [pending] = state.getInterruptions();
      if (isApproved) state.approve(pending!);
      else state.reject(pending!);
      return (await runner.run(agent, state)).finalOutput ?? "";
    },
  };
};

const withLangChain: Start = async (local, options) => {
  const { apiKey, baseURL } = local.openai;
  const model = new ChatOpenAI({ model: "gpt", apiKey, configuration: { baseURL }, maxRetries: 0 });
  const tools = langchain.toTools(client, options);
  const agent = createAgent({ model, tools, checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: "1" } };
  const paused = await agent.invoke({ messages: [{ role: "user", content: "Go." }] }, config);
  const [interrupt] =
    (paused as { __interrupt__?: { value: { actionRequests: [{ name: string; args: object }] } }[] })
      .__interrupt__ ?? [];
  const [action] = interrupt?.value.actionRequests ?? [];
  return {
    asked: action && { name: action.name, input: action.args },
    async resume(isApproved) {
      const decision = isApproved ? { type: "approve" } : { type: "reject", message: "too old" };
      const result = await agent.invoke(new Command({ resume: { decisions: [decision] } }), config);
      return result.messages.at(-1)?.text ?? "";
    },
  };
};

async function script(): Promise<{ model: LocalModel; results: () => readonly ToolResult[] }> {
  let results: readonly ToolResult[] = [];
  const model = await startLocalModel((conversation) => {
    results = conversation.results;
    const [read, remove] = [
      { calls: [{ name: "read", input: { id: 7 } }] },
      { calls: [{ name: "remove", input: { id: 7 } }] },
    ];
    return [read, remove][results.length] ?? { text: "done" };
  });
  onTestFinished(() => model.close());
  return { model, results: () => results };
}

describe.each([
  ["AI SDK", withAiSdk],
  ["OpenAI Agents", withAgents],
  ["LangChain", withLangChain],
] as const)("%s", { timeout: 60_000 }, (_, start) => {
  test("the run pauses before a tool that changes something, and goes on when it is approved [A-pause]", async () => {
    const { model, results } = await script();
    const paused = await start(model, { needsApproval: true });
    expect(paused.asked).toEqual({ name: "remove", input: { id: 7 } });
    expect(await paused.resume(true)).toBe("done");
    expect(results().map(({ text }) => text)).toEqual(["note 7", "removed 7"]);
  });

  test("a call that is rejected does not run, and the model is told so [A-pause]", async () => {
    const { model, results } = await script();
    const execute = vi.spyOn(client, "call");
    onTestFinished(() => execute.mockRestore());
    const paused = await start(model, { needsApproval: async ({ name }) => name === "remove" });
    expect(await paused.resume(false)).toBe("done");
    expect(results()).toHaveLength(2);
    expect(results()[1]!.text).not.toContain("removed");
    expect(execute.mock.calls.map(([name]) => name)).toEqual(["read"]);
  });

  test("a call that needs no approval does not pause; one that cannot be decided does [A-pause]", async () => {
    const { model, results } = await script();
    const free = await start(model, { needsApproval: (_tool, input) => (input as { id: number }).id > 10 });
    expect(free.asked).toBeUndefined();
    expect(results()).toHaveLength(2);
    const broken = await start((await script()).model, {
      needsApproval: () => {
        throw new Error("no decision");
      },
    });
    expect(broken.asked).toMatchObject({ name: "remove" });
  });
});

test("LangChain: where nothing can pause nothing runs, and only a decision is an approval [A-pause]", async () => {
  const [, remove] = langchain.toTools(client, { needsApproval: true });
  await expect(remove!.invoke({ id: 7 })).rejects.toThrow("outside the context of a graph");
  const call = async (resume: unknown) => {
    const State = Annotation.Root({ text: Annotation<string> });
    const graph = new StateGraph(State)
      .addNode("node", async () => ({ text: String(await remove!.invoke({ id: 7 })) }))
      .addEdge(START, "node")
      .compile({ checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: "1" } };
    await graph.invoke({ text: "" }, config);
    return (await graph.invoke(new Command({ resume }), config)).text;
  };
  expect(await call({ decisions: [{ type: "approve" }] })).toBe("removed 7");
  const editedAction = { name: "remove", args: { id: 8 } };
  expect(await call({ decisions: [{ type: "edit", editedAction }] })).toBe("removed 8");
  for (const resume of [true, "yes", { decisions: [] }, { decisions: [{ type: "edit" }] }])
    expect(await call(resume)).toContain("resumed without a decision");
});
