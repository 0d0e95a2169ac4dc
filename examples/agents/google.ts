import { type Content, GoogleGenAI } from "@google/genai";
import { MCIClient } from "mci-ts";
import { runToolCalls, toTools } from "mci-ts/google";

const client = await MCIClient.load("tools.mci.json");
const question = "What does everything in my note 'shoping' cost together? Use the tools.";
const api = new GoogleGenAI({});
const contents: Content[] = [{ role: "user", parts: [{ text: question }] }];
const config = { tools: [{ functionDeclarations: toTools(client) }] };
for (;;) {
  const response = await api.models.generateContent({ model: "gemini-3-flash-preview", contents, config });
  const { functionCalls = [], candidates = [] } = response;
  if (functionCalls.length === 0) {
    console.log(response.text);
    break;
  }
  contents.push(candidates[0]!.content!, { role: "user", parts: await runToolCalls(client, functionCalls) });
}
await client.close();
