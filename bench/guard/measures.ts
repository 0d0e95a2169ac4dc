import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { MCIClient } from "mci-ts";
import { sampleTool } from "../sample-tools.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** What must not creep: one number each, smaller is better. */
export interface Measure {
  readonly what: string;
  /** Without a clock: the same on every machine, so that CI can check it. */
  readonly quick: boolean;
  measure(): number | Promise<number>;
}

/** The key is the name in `committed.json`. */
export const MEASURES: Readonly<Record<string, Measure>> = {
  library_packages: {
    what: "packages that `npm install mci-ts` brings",
    quick: true,
    measure: () => installedPackages().length,
  },
  library_megabytes: {
    what: "megabytes of the published library",
    quick: true,
    measure: () => publishedMegabytes("packages/mci"),
  },
  command_megabytes: {
    what: "megabytes of the published command",
    quick: true,
    measure: () => publishedMegabytes("packages/cli"),
  },
  service_megabytes: {
    what: "megabytes of the published service",
    quick: true,
    measure: () => publishedMegabytes("packages/council-server"),
  },
  import: {
    what: "a program that imports the library, in times of `node -e 0`",
    quick: false,
    measure: importRatio,
  },
  first_load: {
    what: "a program that imports the library and loads a file of one tool, in times of `node -e 0`",
    quick: false,
    measure: firstLoadRatio,
  },
  load: {
    what: "load of 10,000 tools, in times of a bare parse and check",
    quick: false,
    measure: loadRatio,
  },
  text_call: {
    what: "a call of a text tool, in times of reading its result as JSON",
    quick: false,
    measure: callRatio,
  },
};

function installedPackages(): string[] {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  const names = new Set<string>(["mci-ts"]);
  const add = (dependencies: Readonly<Record<string, string>> = {}) => {
    for (const name of Object.keys(dependencies)) {
      if (names.has(name)) continue;
      names.add(name);
      add(lock[`node_modules/${name}`].dependencies);
    }
  };
  add(lock["packages/mci"].dependencies);
  return [...names];
}

/** As `files` of the package says: what is built, without source maps where they are left out. */
function publishedMegabytes(dir: string): number {
  const { files } = JSON.parse(readFileSync(join(root, dir, "package.json"), "utf8")) as { files: string[] };
  const withoutMaps = files.some((pattern) => pattern.startsWith("!") && pattern.endsWith(".map"));
  const paths = files
    .filter((pattern) => !pattern.startsWith("!"))
    .flatMap((pattern) => globSync([pattern, `${pattern}/**`], { cwd: join(root, dir) }))
    .filter((path) => !(withoutMaps && path.endsWith(".map")));
  const sizes = [...new Set(paths)].map((path) => statSync(join(root, dir, path)));
  return sizes.filter((stat) => stat.isFile()).reduce((sum, { size }) => sum + size, 0) / 1e6;
}

const LIBRARY = JSON.stringify(pathToFileURL(join(root, "packages/mci/dist/index.js")).href);

function importRatio(): Promise<number> {
  return programRatio(`await import(${LIBRARY})`);
}

function firstLoadRatio(): Promise<number> {
  const document = JSON.stringify({ schemaVersion: "1.0", tools: [sampleTool(0)] });
  return programRatio(`await (await import(${LIBRARY})).MCIClient.fromObject(${document})`);
}

async function programRatio(code: string): Promise<number> {
  const report = "const { user, system } = process.cpuUsage(); console.log(user + system);";
  const time = (program: string) =>
    Number(
      execFileSync(process.execPath, ["--input-type=module", "-e", `${program}; ${report}`], {
        encoding: "utf8",
      }),
    );
  return bestRatio(
    41,
    async () => time("0"),
    async () => time(code),
  );
}

async function loadRatio(): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), "mci-guard-"));
  try {
    const file = join(directory, "many.mci.json");
    const tools = Array.from({ length: 10_000 }, (_, index) => sampleTool(index));
    writeFileSync(file, JSON.stringify({ schemaVersion: "1.0", tools }, null, 2));
    const schema = JSON.parse(readFileSync(join(root, "packages/mci/mci.schema.json"), "utf8"));
    const check = new Ajv2020({ strict: false, allErrors: true }).compile(schema);
    const bare = async () => {
      if (!check(JSON.parse(await readFile(file, "utf8"))))
        throw new Error("the schema refuses the document");
    };
    const ours = async () => {
      const client = await MCIClient.load(file);
      if (client.listTools().length !== 10_000) throw new Error("tools are missing");
    };
    // Rounds without a large collection of garbage are one in three: of a few rounds none may be one.
    return await bestRatio(31, timed(bare, 1), timed(ours, 1));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function callRatio(): Promise<number> {
  const client = await MCIClient.fromObject({
    schemaVersion: "1.0",
    tools: [{ name: "greet", execution: { type: "text", text: "Hello {{props.name}}, welcome." } }],
  });
  const result = JSON.stringify(await client.execute("greet", { name: "Ada" }));
  const bare = async () => JSON.parse(result);
  return bestRatio(
    41,
    timed(bare, 5000),
    timed(() => client.execute("greet", { name: "Ada" }), 5000),
  );
}

function timed(work: () => Promise<unknown>, calls: number): () => Promise<number> {
  return async () => {
    const started = process.cpuUsage();
    for (let call = 0; call < calls; call++) await work();
    const { user, system } = process.cpuUsage(started);
    return user + system;
  };
}

/** Processor time, the best of many rounds in turns: what else the machine does can only add to it. */
async function bestRatio(
  rounds: number,
  bare: () => Promise<number>,
  ours: () => Promise<number>,
): Promise<number> {
  const best = { bare: Number.POSITIVE_INFINITY, ours: Number.POSITIVE_INFINITY };
  for (let round = 0; round < rounds; round++) {
    best.bare = Math.min(best.bare, await bare());
    best.ours = Math.min(best.ours, await ours());
  }
  return best.ours / best.bare;
}
