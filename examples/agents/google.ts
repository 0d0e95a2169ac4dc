import { type Content, GoogleGenAI } from "@google/genai";
import { MCIClient } from "mci-ts";
import { runToolCalls, toTools } from "mci-ts/google";
import { google, QUESTION } from "./model.ts";

const client = await MCIClient.load(new URL("tools.mci.json", import.meta.url));
const api = new GoogleGenAI(google);
const contents: Content[] = [{ role: "user", parts: [{ text: QUESTION }] }];
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
