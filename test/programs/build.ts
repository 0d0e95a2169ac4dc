/**
 * Global setup of the stories: bundles the programs they start. A process that starts from source reads and strips
 * hundreds of files; from a bundle it starts in a quarter of the processor time, and the suite starts hundreds.
 * Named by the hash of their sources, so that a bundle is never older than what it is made of.
 */
import { existsSync, readdirSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { bundle, PACKAGES, root } from "../../scripts/bundle.ts";
import { sourceHash } from "../../scripts/source-hash.ts";
import { HASH_VARIABLE, programsOf } from "./programs.ts";

export default async function setup(project: TestProject): Promise<void> {
  await buildPrograms();
  project.onTestsRerun(buildPrograms);
}

async function buildPrograms(): Promise<void> {
  const hash = sourceHash();
  for (const one of PACKAGES) {
    const target = programsOf(one.dir, hash);
    if (existsSync(target)) continue;
    // Two runs may build at the same time: each in a folder of its own, and the first to be ready counts.
    const draft = `${target}.${process.pid}`;
    await bundle(one, draft);
    if (one.console) symlinkSync(join(root, "packages/console/dist"), join(draft, "console"), "junction");
    if (existsSync(target)) rmSync(draft, { recursive: true });
    else renameSync(draft, target);
    removeOld(join(target, ".."));
  }
  process.env[HASH_VARIABLE] = hash;
  process.env["NODE_COMPILE_CACHE"] = join(programsOf("packages/mci", hash), "compiled");
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Bundles of earlier sources; a run of today may still use its own. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (Date.now() - statSync(path).mtimeMs > DAY_MS) rmSync(path, { recursive: true, force: true });
  }
}
