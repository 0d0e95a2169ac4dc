import type { Script } from "./local-model/dialect.ts";
import { startLocalModel } from "./local-model/start.ts";

/*
 * For `node --import`: a program whose provider has no key in the environment talks to a scripted model on this machine. The SDKs read these
 * variables themselves, so the programs do not know.
 */

/** What the scripted model does; the agents are asked for a title that is misspelled: a call that fails, a look at the list, the right note, the sum, the answer. */
const script: Script = ({ results }) => {
  const { text = "" } = results.at(-1) ?? {};
  switch (results.length) {
    case 0:
      return { calls: [{ name: "read_note", input: { title: "shoping" } }] };
    case 1:
      return text.includes("bread")
        ? { text: "That note should not be there." }
        : { calls: [{ name: "list_notes", input: {} }] };
    case 2:
      return text.includes("shopping")
        ? { calls: [{ name: "read_note", input: { title: "shopping" } }] }
        : { text };
    case 3:
      return { calls: [{ name: "add", input: { numbers: text.match(/[\d.]+$/gm)?.map(Number) ?? [] } }] };
    default:
      return { text: `Together they cost ${text.match(/[\d.]+/)?.[0]}.` };
  }
};

const local = await startLocalModel(script);
const { env } = process;

if (!env["OPENAI_API_KEY"]) {
  env["OPENAI_API_KEY"] = local.openai.apiKey;
  env["OPENAI_BASE_URL"] = local.openai.baseURL;
  // Traces of OpenAI Agents would be sent to OpenAI.
  env["OPENAI_AGENTS_DISABLE_TRACING"] = "1";
}
if (!env["ANTHROPIC_API_KEY"]) {
  env["ANTHROPIC_API_KEY"] = local.anthropic.apiKey;
  env["ANTHROPIC_BASE_URL"] = local.anthropic.baseURL;
}
if (!env["GEMINI_API_KEY"]) {
  env["GEMINI_API_KEY"] = local.google.apiKey;
  env["GOOGLE_GEMINI_BASE_URL"] = local.google.httpOptions.baseUrl;
}
