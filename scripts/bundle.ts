/** The packages that are built, and how their JavaScript is bundled. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type CodeSplittingGroup, type OutputChunk, type Plugin, rolldown } from "rolldown";
import { ADAPTERS, PACKAGE_SOURCES } from "./package-sources.ts";

export const root = fileURLToPath(new URL("..", import.meta.url));

export interface Package {
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
  /** Modules that are loaded together go into one file each: to find and read many small files takes time. Default: none. */
  readonly together?: readonly CodeSplittingGroup[];
  /**
   * Entries whose chunk exports to other chunks, under names of one letter, what the package does not: what the package exports is
   * a file of its own there. Default: none.
   */
  readonly facades?: readonly string[];
  /** Only for programs: code of half the size. Names of functions and classes stay, for messages and stack traces. Default false. */
  readonly minify?: boolean;
}

/** The library, one file for each moment at which it is loaded, with all that is imported at once. */
const LIBRARY: readonly CodeSplittingGroup[] = [
  { name: "library", test: /packages\/mci\/src\/index\.ts$/, priority: 1.9 },
  { name: "load", test: /packages\/mci\/src\/load\/load\.ts$/, priority: 1.8 },
  { name: "http", test: /packages\/mci\/src\/execute\/http\/http\.ts$/, priority: 1.7 },
  { name: "mcp-servers", test: /packages\/mci\/src\/load\/mcp\/servers\.ts$/, priority: 1.6 },
];

export const PACKAGES: readonly Package[] = [
  {
    dir: "packages/mci",
    entries: {
      index: "src/index.ts",
      authoring: "src/authoring.ts",
      "openapi/index": "src/openapi/index.ts",
      "login/index": "src/login/index.ts",
      "proxy/fetch": "src/proxy/fetch.ts",
      "code/index": "src/code/index.ts",
      "code/code-worker": "src/code/sandbox/worker.ts",
      "search/index": "src/search/index.ts",
      ...Object.fromEntries(ADAPTERS.map((name) => [`adapters/${name}`, `src/adapters/${name}.ts`])),
    },
    inline: ["@mci-ts/primitives", "zod"],
    types: true,
    facades: ["index"],
    together: [
      // What entry points that are used without a client share with the library, so that they need not load it.
      {
        name: "basics",
        // Without what loads `node:net`: only connections need it.
        test: /packages\/(primitives\/src\/(?!ip-ranges)|mci\/src\/(errors|abort|call|settings|template|template-api|definitions|tools|proxy|schema\/(defaults|json-schema)|load\/(problems|lock\/canonical-json|parse\/positions)))/,
        minShareCount: 2,
        includeDependenciesRecursively: false,
        priority: 2,
      },
      ...LIBRARY,
    ],
  },
  {
    dir: "packages/cli",
    entries: { bin: "src/bin.ts", "code-worker": "../mci/src/code/sandbox/worker.ts" },
    inline: "all",
    commonJs: true,
    minify: true,
    console: true,
    together: [
      // What finds the command, or prints the version.
      { name: "start", test: /packages\/cli\/src\/bin\.ts$/, priority: 3 },
      // What the command uses of the library without loading it, for help and errors.
      {
        name: "basics",
        test: /packages\/(primitives\/src\/(is-object|closest-match)|mci\/src\/(errors|schema\/defaults|load\/problems|template\/(jinja\/)?references))\.ts$/,
        priority: 2,
      },
      ...LIBRARY,
      // What most commands import.
      {
        name: "shared",
        test: /packages\/cli\/src\/(print|project|[\w-]+\.ts)/,
        minShareCount: 2,
        includeDependenciesRecursively: false,
      },
    ],
  },
  {
    dir: "packages/council-server",
    entries: {
      main: "src/main.ts",
      index: "src/index.ts",
      "store-worker": "src/store/worker.ts",
    },
    inline: [
      "@mci-ts/console",
      "@mci-ts/council",
      "@mci-ts/council-eval",
      "@mci-ts/http-guard",
      "@mci-ts/primitives",
      "mci-ts",
      "zod",
    ],
    types: true,
    console: true,
  },
  {
    dir: "packages/fake-provider",
    entries: { main: "src/main.ts", index: "src/index.ts" },
    inline: ["@mci-ts/council", "@mci-ts/primitives"],
    types: true,
  },
  // After the service: it implements interfaces of it.
  {
    dir: "packages/council-postgres",
    entries: { index: "src/index.ts" },
    inline: ["@mci-ts/council", "@mci-ts/primitives", "@mci-ts/primitives"],
    types: true,
  },
];

/** The aliases of our own packages that are bundled, or of all. */
export function sourcesOf(inline: readonly string[] | "all"): Record<string, string> {
  return Object.fromEntries(
    Object.entries(PACKAGE_SOURCES)
      .filter(
        ([name]) => inline === "all" || inline.some((one) => name === one || name.startsWith(`${one}/`)),
      )
      .map(([name, file]) => [`${name}$`, `${root}packages/${file}`]),
  );
}

/** Bundles one package into a folder; the chunks that were written. */
export async function bundle(
  { dir, entries, inline = [], commonJs = false, together = [], facades = [], minify = false }: Package,
  outDir: string,
): Promise<OutputChunk[]> {
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
      alias: sourcesOf(inline),
      // The other form of some packages is UMD, which cannot be bundled.
      mainFields: ["module", "main"],
    },
    transform: { target: "node22" },
    preserveEntrySignatures: "allow-extension",
    // rolldown 1.2.15 fails on an application in CommonJS where a chunk of ours takes a constant of another.
    optimization: { inlineConst: { mode: "all" } },
  });
  const { output } = await build.write({
    plugins: [asciiOnly, ...(commonJs ? [] : [builtinsWithoutFacades]), ...facades.map(facadeOf)],
    dir: outDir,
    format: commonJs ? "cjs" : "esm",
    sourcemap: true,
    // Declarations have them, and source maps the whole source.
    comments: { legal: true, annotation: true, jsdoc: false },
    minify: minify && { compress: true, mangle: { keepNames: true }, codegen: true },
    chunkFileNames: `[name]-[hash]${extension}`,
    entryFileNames: ({ name }) => `${facades.includes(name) ? chunkOf(name) : name}${extension}`,
    codeSplitting: { groups: [...together] },
  });
  await build.close();
  return output.filter((file) => file.type === "chunk");
}

const chunkOf = (entry: string) => `${entry}-chunk`;

/** The file of an entry: it exports what its source does from the chunk that has it. */
const facadeOf = (entry: string): Plugin => ({
  name: "facade",
  generateBundle(_, files) {
    const chunk = Object.values(files).find(
      (file): file is OutputChunk => file.type === "chunk" && file.isEntry && file.name === entry,
    );
    const names = this.getModuleInfo(chunk?.facadeModuleId ?? "")?.exports ?? [];
    const missing = names.filter((name) => !chunk?.exports.includes(name));
    if (chunk === undefined || names.length === 0 || missing.length > 0)
      throw new Error(`The chunk of '${entry}' does not export ${missing.join(", ") || "anything"}`);
    const source = `export { ${[...names].sort().join(", ")} } from "./${chunk.fileName}";\n`;
    this.emitFile({ type: "asset", fileName: chunk.fileName.replace(chunkOf(entry), entry), source });
  },
});

/**
 * An `import` of a module of Node.js makes a copy of everything that it exports, and loads for that what it would load
 * on demand: of `node:fs` alone 4 ms, a tenth of what it takes to import the library.
 */
const builtinsWithoutFacades: Plugin = {
  name: "builtins-without-facades",
  renderChunk: (code) => ({
    // Every line stays where it is, so that the source map is right as it is.
    map: null,
    code: code.replace(
      /^import (?:(\w+)(?:, )?)?(?:\{([^}]*)\} )?from "(node:[\w/]+)";$/gm,
      (_, all: string | undefined, names: string | undefined, module: string) =>
        [
          all && `const ${all} = process.getBuiltinModule("${module}");`,
          names && `const {${names.replaceAll(" as ", ": ")}} = process.getBuiltinModule("${module}");`,
        ]
          .filter(Boolean)
          .join(" "),
    ),
  }),
};

/**
 * One character beyond Latin-1 makes V8 keep the whole file in two bytes a character, and read it more slowly: of an import
 * of the library a thirtieth.
 */
const asciiOnly: Plugin = {
  name: "ascii-only",
  renderChunk: (code) => ({
    map: null,
    code: code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  }),
};
