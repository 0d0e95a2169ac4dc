/**
 * Builds every package into its `dist`: JavaScript with source maps by rolldown, declarations by tsc.
 * Dependencies stay imports, except the few a package names in `inline`, which are bundled for a quick start.
 * Without arguments all packages are built; with arguments (packages/cli) only those.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { licencesOf } from "./licences.ts";

interface Package {
  readonly dir: string;
  /** Output name -> source file. */
  readonly entries: Readonly<Record<string, string>>;
  /** Dependencies to bundle; "all": everything, so that the package needs no other. */
  readonly inline?: readonly string[] | "all";
  readonly types?: boolean;
  /** Only for programs: CommonJS starts a tenth faster than ES modules. Default false. */
  readonly commonJs?: boolean;
  /** Whether the built web console goes into its `dist`. Default false. */
  readonly console?: boolean;
}

const PACKAGES: readonly Package[] = [
  {
    dir: "packages/mci",
    entries: {
      index: "src/index.ts",
      "openapi/index": "src/openapi/index.ts",
      "adapters/ai-sdk": "src/adapters/ai-sdk.ts",
      "adapters/anthropic": "src/adapters/anthropic.ts",
      "adapters/google": "src/adapters/google.ts",
      "adapters/langchain": "src/adapters/langchain.ts",
      "adapters/openai": "src/adapters/openai.ts",
      "adapters/openai-agents": "src/adapters/openai-agents.ts",
    },
    inline: ["zod"],
    types: true,
  },
  { dir: "packages/cli", entries: { bin: "src/bin.ts" }, inline: "all", commonJs: true, console: true },
  {
    dir: "packages/server",
    entries: {
      main: "src/main.ts",
      sim: "src/fake-provider/main.ts",
      index: "src/index.ts",
      "store-worker": "src/store/worker.ts",
    },
    inline: ["@mci-ts/console", "@mci-ts/council", "@mci-ts/http-guard", "mci-ts"],
    types: true,
    console: true,
  },
  // After the service: it implements interfaces of it.
  { dir: "packages/postgres", entries: { index: "src/index.ts" }, inline: ["@mci-ts/council"], types: true },
];

const CONSOLE = "packages/console";

/** Entry points of packages that are never published, below `packages`. */
const INTERNAL = {
  "@mci-ts/council": "council/src/index.ts",
  "@mci-ts/http-guard": "http-guard/src/index.ts",
  "@mci-ts/http-guard/mcp": "http-guard/src/mcp/index.ts",
};

const root = fileURLToPath(new URL("..", import.meta.url));

const wanted = process.argv.slice(2);

if (wanted.length === 0 || wanted.includes(CONSOLE)) await buildConsole();

for (const { types = false, console = false, ...options } of PACKAGES) {
  const { dir, entries } = options;
  if (wanted.length > 0 && !wanted.includes(dir)) continue;
  if (!Object.values(entries).every((entry) => existsSync(`${root}${dir}/${entry}`))) continue;
  rmSync(`${root}${dir}/dist`, { recursive: true, force: true });
  await bundle(options);
  if (types) declarations(dir, options.inline === "all" ? [] : options.inline);
  if (console) cpSync(`${root}${CONSOLE}/dist`, `${root}${dir}/dist/console`, { recursive: true });
}

async function buildConsole(): Promise<void> {
  const { build } = await import("vite");
  await build({ root: `${root}${CONSOLE}`, logLevel: "error" });
}

async function bundle({ dir, entries, inline = [], commonJs = false }: Package): Promise<void> {
  const extension = commonJs ? ".cjs" : ".js";
  const { dependencies = {}, peerDependencies = {} } = JSON.parse(
    readFileSync(`${root}${dir}/package.json`, "utf8"),
  );
  const needed = Object.keys({ ...dependencies, ...peerDependencies });
  const external = inline === "all" ? [] : needed.filter((name) => !inline.includes(name));
  const build = await rolldown({
    input: Object.fromEntries(
      Object.entries(entries).map(([name, entry]) => [name, `${root}${dir}/${entry}`]),
    ),
    platform: "node",
    external: (id) =>
      id.startsWith("node:") || external.some((name) => id === name || id.startsWith(`${name}/`)),
    tsconfig: `${root}tsconfig.base.json`,
    // From source rather than from its bundle, so that a chunk holds only what it needs of it.
    resolve: {
      alias:
        inline === "all" || inline.includes("mci-ts")
          ? {
              "mci-ts/openapi$": `${root}packages/mci/src/openapi/index.ts`,
              "mci-ts$": `${root}packages/mci/src/index.ts`,
            }
          : {},
      // The other form of some packages is UMD, which cannot be bundled.
      mainFields: ["module", "main"],
    },
    transform: { target: "node22" },
  });
  const { output } = await build.write({
    dir: `${root}${dir}/dist`,
    format: commonJs ? "cjs" : "esm",
    sourcemap: true,
    chunkFileNames: `[name]-[hash]${extension}`,
    entryFileNames: `[name]${extension}`,
  });
  await build.close();
  const licences = licencesOf(output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : [])));
  if (licences !== "") writeFileSync(`${root}${dir}/dist/THIRD_PARTY_LICENSES.txt`, licences);
}

function declarations(dir: string, inline: readonly string[] = []): void {
  execFileSync(
    process.execPath,
    [`${root}node_modules/typescript/bin/tsc`, "-p", `${root}${dir}/tsconfig.build.json`],
    { stdio: "inherit" },
  );
  const inlined = Object.entries(INTERNAL).filter(([name]) =>
    inline.some((one) => name === one || name.startsWith(`${one}/`)),
  );
  if (inlined.length > 0) inlineDeclarations(`${root}${dir}/dist/types`, inlined);
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
