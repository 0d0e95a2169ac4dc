import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compare } from "../measure.ts";
import { micro, type Row, type Suite } from "../suite.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const command = join(root, "packages/cli/bin/mci.cjs");

export const suite: Suite = {
  title: "Startup of the mci command",
  about:
    "Bare is `node -e 0`, the minimum for any Node.js program. The command is the built one, with a warm compile cache and its " +
    "output discarded.",
  async run() {
    execFileSync(process.execPath, ["scripts/build.ts", "packages/cli"], { cwd: root, stdio: "ignore" });
    const directory = mkdtempSync(join(tmpdir(), "mci-bench-"));
    try {
      const small = project(directory, 10);
      return [
        await start("mci --version", directory, ["--version"], 1.5),
        await start("mci list, 10 tools", small, ["list"], 2.5),
        await start("mci list, 1,000 tools", project(directory, 1000), ["list"], 3.5),
        await start("mci validate, 10 tools", small, ["validate"], 3.5),
        await start("mci call, a text tool", small, ["call", "tool_0", "q=you"], 3.5),
      ];
    } finally {
      rmSync(directory, { recursive: true });
    }
  },
};

async function start(what: string, cwd: string, args: readonly string[], target: number): Promise<Row> {
  const { bare, ours, ratio } = await compare(
    () => run(cwd, ["-e", "0"]),
    () => run(cwd, [command, ...args]),
    { calls: 1, rounds: 41 },
  );
  return { what, bare: micro(bare.median), ours: micro(ours.median), ratio, target };
}

function run(cwd: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    spawn(process.execPath, args, { cwd, stdio: "ignore" }).once("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`exit code ${code}`)),
    );
  });
}

function project(directory: string, count: number): string {
  const cwd = join(directory, String(count));
  const kinds = [
    { type: "text", text: "Hello {{props.q}}" },
    { type: "http", url: "https://api.example.com/{{props.q}}", headers: { "X-Key": "{{env.KEY}}" } },
    { type: "cli", command: "echo", args: ["{{props.q}}"] },
  ];
  const tools = Array.from({ length: count }, (_, index) => ({
    name: `tool_${index}`,
    description: `Does the thing with number ${index}`,
    inputSchema: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
    execution: kinds[index % kinds.length],
  }));
  mkdirSync(cwd);
  writeFileSync(join(cwd, "mci.json"), JSON.stringify({ schemaVersion: "1.0", tools }, null, 2));
  return cwd;
}
