import { Agent, OpenAIProvider, Runner } from "@openai/agents";
import { MCIClient } from "mci-ts";
import { toTools } from "mci-ts/openai-agents";
import { openai, QUESTION } from "./model.ts";

const client = await MCIClient.load(new URL("tools.mci.json", import.meta.url));
const agent = new Agent({ name: "Notes", model: "gpt-5.4-mini", tools: toTools(client) });
const runner = new Runner({ modelProvider: new OpenAIProvider(openai), tracingDisabled: true });
const { finalOutput } = await runner.run(agent, QUESTION, { toolNotFoundBehavior: "return_error_to_model" });
console.log(finalOutput);
await client.close();
