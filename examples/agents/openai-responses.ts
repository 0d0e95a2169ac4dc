import { MCIClient } from "mci-ts";
import { runToolCalls, toResponsesTools } from "mci-ts/openai";
import OpenAI from "openai";

const client = await MCIClient.load("tools.mci.json");
const question = "What does everything in my note 'shoping' cost together? Use the tools.";
const api = new OpenAI();
const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: question }];
for (;;) {
  const tools = toResponsesTools(client, { strict: true });
  const stream = api.responses.stream({ model: "gpt-5.4-mini", input, tools });
  const { output, output_text } = await stream.finalResponse();
  const results = await runToolCalls(client, output);
  input.push(...(output as OpenAI.Responses.ResponseInputItem[]), ...results);
  if (results.length > 0) continue;
  console.log(output_text);
  break;
}
await client.close();
