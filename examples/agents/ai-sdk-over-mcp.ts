// The same without glue: `mci run` serves the file over MCP, and the AI SDK is an MCP client.
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, isStepCount, type ToolSet } from "ai";
import { mciRun, openai, QUESTION } from "./model.ts";

const mcp = await createMCPClient({ transport: new StdioTransport(mciRun) });
const { text } = await generateText({
  model: createOpenAI(openai)("gpt-5.4-mini"),
  tools: (await mcp.tools()) as ToolSet,
  stopWhen: isStepCount(10),
  prompt: QUESTION,
});
console.log(text);
await mcp.close();
