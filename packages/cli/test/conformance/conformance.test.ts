import { spawn } from "node:child_process";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import manifest from "../../../../package.json" with { type: "json" };
import { fixtureProgram } from "../../../../test/programs/programs.ts";
import { folder } from "../mci.ts";
import { extensionsServer, fixture, startHttp } from "../serve/support.ts";

// The official suite against `mci run --http`, with a file of the tools it wants.

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const suite = fixtureProgram("node_modules/@modelcontextprotocol/conformance/dist/index.js");
const baseline = here("baseline.yml");

// The newest suite has these scenarios, too, and runs them with `--watch` as well.
test("every scenario for a server passes [RUN-conformance]", async () => {
  const cwd = folder();
  cpSync(here("fixtures"), cwd, { recursive: true });
  const env = {
    NODE: process.execPath,
    UPSTREAM: fixture("upstream.ts"),
    FULL: fixture("full.ts"),
    EXTENSIONS: extensionsServer,
  };
  const { url } = await startHttp({ cwd, env, args: ["tools.mci.yaml"] });
  const { code, stdout } = await runSuite(url, cwd);
  expect(stdout).toContain("Baseline check passed");
  expect(code).toBe(0);

  const { server } = parse(readFileSync(baseline, "utf8")) as { server: string[] };
  const ran = readdirSync(join(cwd, "results")).map((name) =>
    name.replace(/^server-|-\d{4}(-\d\d){2}T.*/g, ""),
  );
  expect(ran.length - server.length).toBeGreaterThan(25);
});

test("the suite's version is pinned", () => {
  expect(manifest.devDependencies["@modelcontextprotocol/conformance"]).toMatch(/^\d+\.\d+\.\d+$/);
});

async function runSuite(url: string, cwd: string): Promise<{ code: number | null; stdout: string }> {
  const args = ["server", "--url", url, "--suite", "all", "--expected-failures", baseline, "-o", "results"];
  const child = spawn(process.execPath, [suite, ...args], { cwd, stdio: ["ignore", "pipe", "inherit"] });
  // A test that runs out of time must not leave the suite behind, which would go on asking a server that is gone.
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  const [stdout, code] = await Promise.all([text(child.stdout), ended]);
  return { code, stdout };
}
