import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";
import { MCIClient } from "mci-ts";
import { toTools } from "mci-ts/langchain";

const client = await MCIClient.load("tools.mci.json");
const model = new ChatOpenAI({ model: "gpt-5.4-mini", useResponsesApi: true });
const question = "What does everything in my note 'shoping' cost together? Use the tools.";
const agent = createAgent({ model, tools: toTools(client) });
const { messages } = await agent.invoke({ messages: [{ role: "user", content: question }] });
console.log(messages.at(-1)?.text);
await client.close();
