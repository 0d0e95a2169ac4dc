import { MCIClient } from "mci-ts";
import { runToolCalls, toResponsesTools } from "mci-ts/openai";
import OpenAI from "openai";
import { openai, QUESTION } from "./model.ts";

const client = await MCIClient.load(new URL("tools.mci.json", import.meta.url));
const api = new OpenAI(openai);
const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: QUESTION }];
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
