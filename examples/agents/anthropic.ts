import Anthropic from "@anthropic-ai/sdk";
import { MCIClient } from "mci-ts";
import { runToolCalls, toTools } from "mci-ts/anthropic";

const client = await MCIClient.load("tools.mci.json");
const question = "What does everything in my note 'shoping' cost together? Use the tools.";
const api = new Anthropic();
const messages: Anthropic.MessageParam[] = [{ role: "user", content: question }];
for (;;) {
  const request = { model: "claude-sonnet-4-6", max_tokens: 1024, tools: toTools(client), messages };
  const message = await api.messages.create(request);
  messages.push({ role: "assistant", content: message.content as Anthropic.ContentBlockParam[] });
  const results = await runToolCalls(client, message);
  if (results.content.length === 0) {
    console.log(message.content.map((block) => (block.type === "text" ? block.text : "")).join(""));
    break;
  }
  messages.push(results);
}
await client.close();
