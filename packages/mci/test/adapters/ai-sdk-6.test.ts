import { readFileSync } from "node:fs";
import { generateText, type ModelMessage, stepCountIs, type ToolSet } from "ai-6";
import { createOpenAI } from "ai-sdk-openai-3";
import { MCIClient } from "mci-ts";
import { toTools } from "mci-ts/ai-sdk";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Conversation } from "../../../../examples/agents/local-model/dialect.ts";
import { startLocalModel } from "../../../../examples/agents/local-model/start.ts";
import { serve } from "../../../../test/servers.ts";
import { PNG } from "./test-client.ts";

// The adapter imports "ai", which is version 7 here; in this file it gets version 6.
vi.mock("ai", () => import("ai-6"));

const DOCUMENT = {
  schemaVersion: "1.0",
  enableAnyPaths: true,
  tools: [
    {
      name: "weather.get",
      annotations: { readOnlyHint: true },
      inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
      execution: { type: "text", text: "{{props.city}}: 21" },
    },
    { name: "picture", annotations: { readOnlyHint: true }, execution: { type: "http", url: "{{env.URL}}" } },
    { name: "remove", execution: { type: "text", text: "removed" } },
  ],
};

test("AI SDK 6: calls, errors, images and approvals work as with 7 [A-ai-sdk-6]", {
  timeout: 60_000,
}, async () => {
  const conversations: Conversation[] = [];
  const turns = [
    [
      { name: "weather_get", input: { city: "Rome" } },
      { name: "weather_get", input: {} },
    ],
    [{ name: "picture", input: {} }],
    [{ name: "remove", input: {} }],
  ];
  const model = await startLocalModel((conversation) => {
    conversations.push(conversation);
    const done = [0, 2, 3, 4].indexOf(conversation.results.length);
    const calls = turns[done];
    return calls === undefined ? { text: "done" } : { calls };
  });
  onTestFinished(() => model.close());
  const { url: URL } = await serve((_, response) =>
    response.setHeader("content-type", "image/png").end(Buffer.from(PNG, "base64")),
  );
  await using client = await MCIClient.fromObject(DOCUMENT, { env: { URL } });

  const settings = {
    model: createOpenAI(model.openai).responses("gpt"),
    // The types of the adapter are those of version 7, which is what the compiler sees here.
    tools: toTools(client, { needsApproval: true }) as unknown as ToolSet,
    stopWhen: stepCountIs(8),
    maxRetries: 0,
  };
  const messages: ModelMessage[] = [{ role: "user", content: "Go." }];
  const { content, response } = await generateText({ ...settings, messages });
  const request = content.find((part) => part.type === "tool-approval-request");
  expect(request).toMatchObject({ toolCall: { toolName: "remove" } });
  const decision = {
    type: "tool-approval-response" as const,
    approvalId: request!.approvalId,
    approved: true,
  };
  const stored: ModelMessage[] = [...messages, ...response.messages, { role: "tool", content: [decision] }];
  expect((await generateText({ ...settings, messages: stored })).text).toBe("done");

  const [fine, wrong, picture, removed] = conversations.at(-1)!.results;
  expect(fine).toMatchObject({ text: "Rome: 21" });
  expect(wrong!.text).toContain("city");
  expect(picture!.media).toEqual(["image/png"]);
  expect(removed).toMatchObject({ text: "removed" });
  expect(model.requests.map(({ refused }) => refused).filter(Boolean)).toEqual([]);
});

test("[A-ai-sdk-6] the programs of the guide import only what version 6 has as well", async () => {
  const examples = new URL("../../../../examples/agents/", import.meta.url);
  const six = await import("ai-6");
  for (const file of ["ai-sdk.ts", "ai-sdk-over-mcp.ts"]) {
    const text = readFileSync(new URL(file, examples), "utf8");
    const [, names = ""] = /import \{([^}]*)\} from "ai";/.exec(text) ?? [];
    const values = names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => !name.startsWith("type "));
    expect(values.length).toBeGreaterThan(1);
    for (const name of values) expect(six, `${file}: ${name}`).toHaveProperty(name);
  }
});
