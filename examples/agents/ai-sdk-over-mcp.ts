// The same without glue: `mci run` serves the file over MCP, and the AI SDK is an MCP client.
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";
import { openai } from "@ai-sdk/openai";
import { generateText, stepCountIs, type ToolSet } from "ai";

const server = { command: "npx", args: ["mci", "run", "--file", "tools.mci.json"] };
const mcp = await createMCPClient({ transport: new StdioTransport(server) });
const { text } = await generateText({
  model: openai("gpt-5.4-mini"),
  tools: (await mcp.tools()) as ToolSet,
  stopWhen: stepCountIs(10),
  prompt: "What does everything in my note 'shoping' cost together? Use the tools.",
});
console.log(text);
await mcp.close();
