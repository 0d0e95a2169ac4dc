import { Agent, run } from "@openai/agents";
import { MCIClient } from "mci-ts";
import { toTools } from "mci-ts/openai-agents";

const client = await MCIClient.load("tools.mci.json");
const agent = new Agent({ name: "Notes", model: "gpt-5.4-mini", tools: toTools(client) });
const question = "What does everything in my note 'shoping' cost together? Use the tools.";
const { finalOutput } = await run(agent, question, { toolNotFoundBehavior: "return_error_to_model" });
console.log(finalOutput);
await client.close();
