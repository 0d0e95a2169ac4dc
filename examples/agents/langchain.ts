import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";
import { MCIClient } from "mci-ts";
import { toTools } from "mci-ts/langchain";
import { openai, QUESTION } from "./model.ts";

const client = await MCIClient.load(new URL("tools.mci.json", import.meta.url));
const model = new ChatOpenAI({
  model: "gpt-5.4-mini",
  configuration: openai,
  ...openai,
  useResponsesApi: true,
});
const agent = createAgent({ model, tools: toTools(client) });
const { messages } = await agent.invoke({ messages: [{ role: "user", content: QUESTION }] });
console.log(messages.at(-1)?.text);
await client.close();
