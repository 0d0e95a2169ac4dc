// The same without glue: `mci run` serves the file over MCP, and LangChain has an MCP client.
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";
import { mciRun, openai, QUESTION } from "./model.ts";

const mcp = new MultiServerMCPClient({ mcpServers: { notes: { transport: "stdio", ...mciRun } } });
const model = new ChatOpenAI({
  model: "gpt-5.4-mini",
  configuration: openai,
  ...openai,
  useResponsesApi: true,
});
const agent = createAgent({ model, tools: await mcp.getTools() });
const { messages } = await agent.invoke({ messages: [{ role: "user", content: QUESTION }] });
console.log(messages.at(-1)?.text);
await mcp.close();
