import { openai } from "@ai-sdk/openai";
import { generateText, stepCountIs } from "ai";
import { MCIClient } from "mci-ts";
import { toTools } from "mci-ts/ai-sdk";

const client = await MCIClient.load("tools.mci.json");
const { text, steps } = await generateText({
  model: openai("gpt-5.4-mini"),
  tools: toTools(client),
  stopWhen: stepCountIs(10),
  prompt: "What does everything in my note 'shoping' cost together? Use the tools.",
});
console.log(steps.flatMap(({ toolCalls }) => toolCalls.map(({ toolName }) => toolName)).join(", "));
console.log(text);
await client.close();
