import { fileURLToPath } from "node:url";
import type { Script } from "./local-model/dialect.ts";
import { startLocalModel } from "./local-model/start.ts";

/** What the agents are asked: the title is misspelled, so that the first call fails. */
export const QUESTION = "What does everything in my note 'shoping' cost together? Use the tools.";

/** What the scripted model does: a call that fails, a look at the list, the right note, the sum, the answer. */
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
const keys = process.env;

/** Settings for each SDK: of the provider itself where there is a key for it, else of the scripted model. */
export const openai = keys["OPENAI_API_KEY"] ? { apiKey: keys["OPENAI_API_KEY"] } : local.openai;
export const anthropic = keys["ANTHROPIC_API_KEY"] ? { apiKey: keys["ANTHROPIC_API_KEY"] } : local.anthropic;
export const google = keys["GEMINI_API_KEY"] ? { apiKey: keys["GEMINI_API_KEY"] } : local.google;

/** How to start the MCP server of the other two examples: `mci run`, here from this repository. */
export const mciRun = {
  command: process.execPath,
  stderr: "ignore" as const,
  args: [
    fileURLToPath(new URL("../../packages/cli/bin/mci.cjs", import.meta.url)),
    "run",
    "--file",
    fileURLToPath(new URL("tools.mci.json", import.meta.url)),
  ],
};
