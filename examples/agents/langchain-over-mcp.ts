// The same without glue: `mci run` serves the file over MCP, and LangChain has an MCP client.
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";

const notes = { command: "npx", args: ["mci", "run", "--file", "tools.mci.json"] };
const mcp = new MultiServerMCPClient({ mcpServers: { notes } });
const model = new ChatOpenAI({ model: "gpt-5.4-mini", useResponsesApi: true });
const question = "What does everything in my note 'shoping' cost together? Use the tools.";
const agent = createAgent({ model, tools: await mcp.getTools() });
const { messages } = await agent.invoke({ messages: [{ role: "user", content: question }] });
console.log(messages.at(-1)?.text);
await mcp.close();
