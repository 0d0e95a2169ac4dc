/**
 * Builds every package into its `dist`: JavaScript with source maps by rolldown, declarations by tsc.
 * Dependencies stay imports, except the few a package names in `inline`, which are bundled for a quick start.
 * Without arguments all packages are built; with arguments (packages/cli) only those; with `--if-changed` only those whose
 * sources changed since they were built.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { bundle, PACKAGES, root } from "./bundle.ts";
import { licencesOf } from "./licences.ts";
import { PACKAGE_SOURCES } from "./package-sources.ts";
import { pruneDeclarations } from "./prune-declarations.ts";
import { builtFrom, recordBuild, sourceHash } from "./source-hash.ts";

const CONSOLE = "packages/console";
/** The command has everything inside; the library finds it in the package that its user installs. */
const QUICKJS = `${root}node_modules/quickjs-wasi/quickjs.wasm`;

/** What a shared run of the council is shown with, a quarter of the page. The command has no runs. */
const REPLAY = "_virtual_replay";

const hash = sourceHash();
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("-"));
const onlyChanged = process.argv.includes("--if-changed");
const isWanted = (dir: string) =>
  (wanted.length === 0 || wanted.includes(dir)) && !(onlyChanged && builtFrom(dir) === hash);

if (isWanted(CONSOLE)) {
  await buildConsole();
  recordBuild(CONSOLE, hash);
}

for (const { types = false, console = false, ...options } of PACKAGES) {
  const { dir, entries } = options;
  if (!isWanted(dir)) continue;
  if (!Object.values(entries).every((entry) => existsSync(`${root}${dir}/${entry}`))) continue;
  rmSync(`${root}${dir}/dist`, { recursive: true, force: true });
  const chunks = await bundle(options, `${root}${dir}/dist`);
  const licences = licencesOf(chunks.flatMap(({ moduleIds }) => moduleIds));
  if (licences !== "") writeFileSync(`${root}${dir}/dist/THIRD_PARTY_LICENSES.txt`, licences);
  if (types) declarations(dir, options.inline === "all" ? [] : options.inline);
  if (dir === "packages/cli") cpSync(QUICKJS, `${root}${dir}/dist/quickjs.wasm`);
  if (console) {
    const filter = (path: string) => dir !== "packages/cli" || !basename(path).startsWith(REPLAY);
    cpSync(`${root}${CONSOLE}/dist`, `${root}${dir}/dist/console`, { recursive: true, filter });
  }
  recordBuild(dir, hash);
}

async function buildConsole(): Promise<void> {
  // Tests set NODE_ENV, and React would be built for development: twice as large, and slower.
  process.env["NODE_ENV"] = "production";
  const { build } = await import("vite");
  await build({ root: `${root}${CONSOLE}`, logLevel: "error" });
}

function declarations(dir: string, inline: readonly string[] = []): void {
  execFileSync(
    process.execPath,
    // Types are checked for the whole repository at once: `npm run typecheck`.
    [`${root}node_modules/typescript/bin/tsc`, "-p", `${root}${dir}/tsconfig.build.json`, "--noCheck"],
    { stdio: "inherit" },
  );
  const inlined = Object.entries(PACKAGE_SOURCES).filter(([name]) =>
    inline.some((one) => name === one || name.startsWith(`${one}/`)),
  );
  // The library's are in `dist` itself: none of them names another package of ours.
  if (existsSync(`${root}${dir}/dist/types`)) inlineDeclarations(`${root}${dir}/dist/types`, inlined);
  pruneDeclarations(`${root}${dir}/dist`, publishedTypes(dir));
}

/** The files that `exports` names as types. */
function publishedTypes(dir: string): string[] {
  const { exports } = JSON.parse(readFileSync(`${root}${dir}/package.json`, "utf8"));
  return Object.values(exports as Record<string, string | { types?: string }>).flatMap((entry) =>
    typeof entry === "object" && entry.types !== undefined ? [join(root, dir, entry.types)] : [],
  );
}

/** Declarations of packages that are bundled stand beside ours and not in a package of their own. */
function inlineDeclarations(types: string, inlined: readonly (readonly [string, string])[]): void {
  for (const file of readdirSync(types, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".d.ts")) continue;
    const path = join(types, file);
    let text = readFileSync(path, "utf8");
    for (const [name, source] of inlined) {
      const target = relative(dirname(path), join(types, source)).split(sep).join("/");
      text = text.replaceAll(JSON.stringify(name), () => JSON.stringify(target));
    }
    writeFileSync(path, text);
  }
}
