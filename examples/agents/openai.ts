import { MCIClient } from "mci-ts";
import { runToolCalls, toTools } from "mci-ts/openai";
import OpenAI from "openai";

const client = await MCIClient.load("tools.mci.json");
const question = "What does everything in my note 'shoping' cost together? Use the tools.";
const api = new OpenAI();
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: question }];
for (;;) {
  const tools = toTools(client);
  const { choices } = await api.chat.completions.create({ model: "gpt-5.4-mini", messages, tools });
  const { message } = choices[0]!;
  const results = await runToolCalls(client, message);
  messages.push(message, ...results);
  if (results.length === 0) break;
}
console.log(
  messages.flatMap((message) => ("tool_calls" in message ? message.tool_calls : [])).length,
  "calls",
);
console.log(messages.at(-1)?.content);
await client.close();
