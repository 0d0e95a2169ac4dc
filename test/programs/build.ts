/**
 * Global setup of the stories: bundles the programs they start, ours and the fixtures. A process that starts from source
 * reads and strips hundreds of files; from a bundle it starts in less than half of the processor time, and the suite
 * starts hundreds. Named by the hash of their sources, so that a bundle is never older than what it is made of.
 */
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, posix } from "node:path";
import { rolldown } from "rolldown";
import type { TestProject } from "vitest/node";
import { bundle, PACKAGES, root, sourcesOf } from "../../scripts/bundle.ts";
import { builtFrom, sourceHash } from "../../scripts/source-hash.ts";
import { BUILT_VARIABLE, COMPILE_CACHE_VARIABLE, fixturesOf, HASH_VARIABLE, programsOf } from "./programs.ts";

/** Folders of programs that tests start: each file is one. */
const FIXTURES = [
  "packages/cli/test/conformance/fixtures",
  "packages/cli/test/serve/fixtures",
  "packages/mci/test/code/programs",
  "packages/mci/test/mcp/servers",
  "packages/mci/test/mcp/sessions",
  "packages/council-postgres/test/fixtures",
];

/** Programs of other packages that are started often: most of their time is to load hundreds of files. */
const OTHERS = ["node_modules/@modelcontextprotocol/conformance/dist/index.js"];

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildPrograms();
  project.onTestsRerun(buildPrograms);
  return async () => {
    const { stopTestServer } = await import("../../packages/council-postgres/test/database.ts");
    await stopTestServer();
  };
}

async function buildPrograms(): Promise<void> {
  const fixtures = FIXTURES.flatMap((folder) => filesOf(folder));
  const sources = sourceHash();
  const hash = programsHash(sources, fixtures);
  for (const one of PACKAGES) {
    await once(programsOf(one.dir, hash), async (draft) => {
      if (builtFrom(one.dir) === sources) copyBuilt(one.dir, draft);
      else await bundle(one, draft);
      if (one.console) symlinkSync(join(root, "packages/console/dist"), join(draft, "console"), "junction");
    });
  }
  await once(fixturesOf(hash), (draft) => bundleFixtures([...fixtures, ...OTHERS], draft));
  process.env[HASH_VARIABLE] = hash;
  process.env[BUILT_VARIABLE] = builtFrom("packages/mci") === sources ? "1" : "";
  process.env[COMPILE_CACHE_VARIABLE] = join(fixturesOf(hash), "compiled");
}

function filesOf(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name}`);
}

function programsHash(sources: string, fixtures: readonly string[]): string {
  const hash = createHash("sha256")
    .update(sources)
    .update(readFileSync(import.meta.filename))
    .update(readFileSync(join(root, "test/programs/serve-lines.ts")));
  for (const path of withImports(fixtures)) hash.update(path).update(readFileSync(join(root, path)));
  return hash.digest("hex").slice(0, 16);
}

/** With the files of tests that they import: the hash of the sources leaves these out. */
function withImports(paths: Iterable<string>): Set<string> {
  const found = new Set(paths);
  for (const path of found) {
    const text = readFileSync(join(root, path), "utf8");
    for (const [, imported] of text.matchAll(/ from "(\.[^"]+\.ts)"/g)) {
      const target = posix.join(posix.dirname(path), imported!);
      if (target.includes("/test/")) found.add(target);
    }
  }
  return found;
}

/** Built from these very sources, as `npm test` does first: the same bundle need not be made again. */
function copyBuilt(dir: string, draft: string): void {
  const dist = join(root, dir, "dist");
  const left = new Set([join(dist, "types"), join(dist, "console")]);
  cpSync(dist, draft, { recursive: true, filter: (path) => !left.has(path) });
}

/** Two runs may build at the same time: each in a folder of its own, and the first to be ready counts. */
async function once(target: string, build: (draft: string) => Promise<void>): Promise<void> {
  if (existsSync(target)) return;
  const draft = `${target}.${process.pid}`;
  await build(draft);
  // Else each process would find out by parsing that `.js` means an ES module here.
  writeFileSync(join(draft, "package.json"), JSON.stringify({ type: "module" }));
  if (existsSync(target)) rmSync(draft, { recursive: true });
  else renameSync(draft, target);
  removeOld(dirname(target));
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Bundles of earlier sources; a run of today may still use its own. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (Date.now() - statSync(path).mtimeMs > DAY_MS) rmSync(path, { recursive: true, force: true });
  }
}

async function bundleFixtures(files: readonly string[], outDir: string): Promise<void> {
  const build = await rolldown({
    input: Object.fromEntries(files.map((path) => [path.replace(/\.[jt]s$/, ""), join(root, path)])),
    platform: "node",
    tsconfig: join(root, "tsconfig.base.json"),
    resolve: {
      alias: sourcesOf("all"),
      mainFields: ["module", "main"],
    },
    transform: { target: "node22" },
    // Hints for those who publish: imports that are loaded anyway, and optional packages of dependencies that are not installed.
    checks: { ineffectiveDynamicImport: false, unresolvedImport: false },
  });
  await build.write({
    dir: outDir,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
  });
  await build.close();
  // Without it, Node.js parses each file a second time to find out that it is a module.
  writeFileSync(join(outDir, "package.json"), '{ "type": "module" }\n');
}
