import { MCIClient } from "mci-ts";
import { runToolCalls, toTools } from "mci-ts/openai";
import OpenAI from "openai";
import { openai, QUESTION } from "./model.ts";

const client = await MCIClient.load(new URL("tools.mci.json", import.meta.url));
const api = new OpenAI(openai);
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: QUESTION }];
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
