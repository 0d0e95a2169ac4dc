/** The same work without a library of tools: the limit. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Ajv2020 } from "ajv/dist/2020.js";
import { Agent, request } from "undici";
import { answerQuestions, type Setup } from "../speed/worker.ts";

const run = promisify(execFile);

const load =
  (count: number): Setup =>
  async ({ dir }) => {
    const schema = new URL("../../packages/mci/mci.schema.json", import.meta.url);
    const check = new Ajv2020({ strict: false, allErrors: true }).compile(
      JSON.parse(readFileSync(schema, "utf8")),
    );
    return async () => {
      const document = JSON.parse(await readFile(`${dir}/tools-${count}.mci.json`, "utf8"));
      if (!check(document)) throw new Error("the schema refuses the document");
    };
  };

await answerQuestions({
  "load-10": load(10),
  "load-1000": load(1000),
  "load-10000": load(10_000),
  render: async ({ dir }) => {
    const rows: { name: string; value: number }[] = JSON.parse(readFileSync(`${dir}/rows.json`, "utf8"));
    return () => rows.map((row) => `${row.name}: ${row.value}\n`).join("");
  },
  text: async () => {
    const person = { name: "Ada", age: 36 };
    return async () => `Hello ${person.name}, you are ${person.age}.`;
  },
  file:
    async ({ dir }) =>
    () =>
      readFile(`${dir}/plain.txt`, "utf8"),
  cli: async () => () => run("true"),
  http: async ({ origin }) => {
    const dispatcher = new Agent();
    return async () => {
      const { body } = await request(`${origin}/hops/0`, { dispatcher });
      return body.text();
    };
  },
  mcp: async ({ mcpServer: { command, args } }) => {
    // The newest protocol that both sides speak, as ours.
    const client = new Client({ name: "bare", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
    await client.connect(new StdioClientTransport({ command, args: [...args] }));
    return () => client.callTool({ name: "greet", arguments: { who: "Ada" } });
  },
});
