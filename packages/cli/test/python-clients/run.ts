/**
 * The official Python clients with `mci run`: `npm run prove:python`. Needs Python 3.10 or newer and an index of packages; installs
 * two versions of the client into a folder of its own, and sends nothing else anywhere. Exits with 1 if one of them fails.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const VERSIONS = { v2: "2.3.0", v1: "1.30.0" } as const;
const CLIENTS = [
  { version: "v2", script: "client.py", mode: "2026-07-28" },
  { version: "v2", script: "client.py", mode: "legacy" },
  { version: "v1", script: "client_v1.py", mode: "legacy" },
] as const;

execFileSync(process.execPath, ["scripts/build.ts", "packages/mci", "packages/cli", "--if-changed"], {
  cwd: root,
  stdio: "inherit",
});
const mci = [join(root, "packages/cli/bin/mci.cjs"), "run", "tools.mci.yaml"];
const work = mkdtempSync(join(tmpdir(), "mci-python-"));
const cwd = join(work, "files");
cpSync(here("../conformance/fixtures"), cwd, { recursive: true });
const fixtures = here("../serve/fixtures");
const env = {
  ...process.env,
  NODE: process.execPath,
  UPSTREAM: join(fixtures, "upstream.ts"),
  FULL: join(fixtures, "full.ts"),
  EXTENSIONS: join(root, "packages/mci/test/mcp/servers/extensions.ts"),
};

let failures = 0;
const server = spawn(process.execPath, [...mci, "--http", "0"], {
  cwd,
  env,
  stdio: ["ignore", "ignore", "pipe"],
});
try {
  const url = await new Promise<string>((resolve, reject) => {
    let text = "";
    server.once("exit", (code) => reject(new Error(`mci run ended with ${code}: ${text}`)));
    server.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      const address = / on (http:\S+)/.exec(text)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
  for (const { version, script, mode } of CLIENTS) {
    const python = install(version);
    for (const target of [[url], [process.execPath, ...mci]]) {
      const { status, stdout, stderr } = spawnSync(python, [here(script), mode, ...target], {
        cwd,
        env,
        encoding: "utf8",
        timeout: 300_000,
      });
      const name = `mcp ${VERSIONS[version]}, ${mode}, ${target.length === 1 ? "http" : "stdio"}`;
      console.log(`${name}: ${status === 0 ? stdout.trim() : `FAILED\n${stderr.slice(-3000)}`}`);
      if (status !== 0) failures++;
    }
  }
} finally {
  server.kill("SIGTERM");
  rmSync(work, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;

function install(version: keyof typeof VERSIONS): string {
  const folder = join(work, version);
  const python = join(folder, "bin/python");
  if (existsSync(python)) return python;
  execFileSync("python3", ["-m", "venv", folder], { stdio: "inherit" });
  const wanted = `mcp==${VERSIONS[version]}`;
  execFileSync(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", wanted], {
    stdio: "inherit",
  });
  return python;
}
