import { createOpenAI } from "@ai-sdk/openai";
import { generateText, isStepCount } from "ai";
import { MCIClient } from "mci-ts";
import { toTools } from "mci-ts/ai-sdk";
import { openai, QUESTION } from "./model.ts";

const client = await MCIClient.load(new URL("tools.mci.json", import.meta.url));
const { text, steps } = await generateText({
  model: createOpenAI(openai)("gpt-5.4-mini"),
  tools: toTools(client),
  stopWhen: isStepCount(10),
  prompt: QUESTION,
});
console.log(steps.flatMap(({ toolCalls }) => toolCalls.map(({ toolName }) => toolName)).join(", "));
console.log(text);
await client.close();
