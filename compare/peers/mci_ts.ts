/** The work on this repository's library, as it is installed from its package. */
import { readFileSync } from "node:fs";
import { MCIClient } from "mci-ts";
import { answerQuestions, type Setup } from "../speed/worker.ts";

const load =
  (count: number): Setup =>
  async ({ dir }) =>
  async () => {
    const client = await MCIClient.load(`${dir}/tools-${count}.mci.json`);
    if (client.listTools().length !== count) throw new Error("tools are missing");
  };

const call =
  (file: string, tool: string, properties: Record<string, unknown> = {}): Setup =>
  async ({ dir }) => {
    const client = await MCIClient.load(`${dir}/${file}`);
    return async () => {
      const result = await client.execute(tool, properties);
      if (result.isError) throw new Error(result.error);
    };
  };

await answerQuestions({
  "load-10": load(10),
  "load-1000": load(1000),
  "load-10000": load(10_000),
  render: async (place) => {
    const rows = JSON.parse(readFileSync(`${place.dir}/rows.json`, "utf8"));
    return call("kinds.mci.json", "render", { rows })(place);
  },
  text: call("kinds.mci.json", "text", { name: "Ada", age: 36 }),
  file: call("kinds.mci.json", "file"),
  cli: call("kinds.mci.json", "cli"),
  http: call("kinds.mci.json", "http"),
  mcp: call("mcp-mci-ts.mci.json", "greet", { who: "Ada" }),
  oauth: call("oauth-mci-ts.mci.json", "alone"),
  "oauth-50": call("oauth-mci-ts.mci.json", "together"),
});
