import { expect, test } from "vitest";
import { toTools as toAnthropicTools } from "../../src/adapters/anthropic.ts";
import { toResponsesTools } from "../../src/adapters/openai.ts";
import { MCIClient } from "../../src/index.ts";

test("[A-defer] tools are marked for the tool search of a provider, if that is asked for", async () => {
  await using client = await MCIClient.fromObject({
    schemaVersion: "1.0",
    tools: [{ name: "greet", execution: { type: "text", text: "hello" } }],
  });
  for (const toTools of [toResponsesTools, toAnthropicTools]) {
    expect(toTools(client, { deferLoading: true })).toEqual([
      expect.objectContaining({ name: "greet", defer_loading: true }),
    ]);
    expect(toTools(client)[0]).not.toHaveProperty("defer_loading");
  }
});
