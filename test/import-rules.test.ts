import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { PACKAGE_SOURCES } from "../scripts/package-sources.ts";

// The rules of docs/architecture.md, "Who may import whom".

const packages = fileURLToPath(new URL("../packages/", import.meta.url));

/** Packages a package may import, besides itself. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  mci: [],
  primitives: [],
  cli: [
    "mci-ts",
    "mci-ts/authoring",
    "mci-ts/login",
    "mci-ts/openapi",
    "mci-ts/proxy",
    "mci-ts/code",
    "mci-ts/search",
    "@mci-ts/console",
    "@mci-ts/console/tools",
    "@mci-ts/http-guard",
    "@mci-ts/http-guard/mcp",
  ],
  console: [
    "@mci-ts/council-server/api",
    "@mci-ts/council-eval/console",
    "@mci-ts/council/answer-key",
    "@mci-ts/council/example-task",
    "@mci-ts/council/what-if",
    "@mci-ts/http-guard",
    "mci-ts",
    "mci-ts/authoring",
    "mci-ts/code",
    "mci-ts/schema.json",
  ],
  council: [],
  "council-eval": ["@mci-ts/council", "@mci-ts/council/answer-key", "@mci-ts/council/expected-votes"],
  "fake-provider": ["@mci-ts/council"],
  "http-guard": [],
  "council-postgres": ["@mci-ts/council", "@mci-ts/council-server"],
  "council-server": [
    "@mci-ts/console",
    "@mci-ts/console/tools",
    "@mci-ts/council",
    "@mci-ts/council-eval",
    "@mci-ts/http-guard",
    "@mci-ts/http-guard/mcp",
    "mci-ts",
  ],
};

/** In `mci`, stages do not import each other; these files join them. Types of `schema` and the root files are shared. */
const STAGES = ["load", "tools", "template", "execute", "mcp", "process"];
const COMPOSERS = ["client.ts", "load/load.ts", "load/compile-tools.ts", "load/mcp/servers.ts"];
/** Stages that others may use: `process` starts programs for commands and for MCP servers. */
const SHARED_STAGES: Record<string, readonly string[]> = { process: ["execute", "mcp"] };
/** `lint` analyses a file with the stages that load it; it has no business with those that run a tool. */
const LINT_MAY_IMPORT = ["load", "template", "execute", "mcp"];
/** The filter of a client is that of `lintFile`, too. */
const LINT_FILTER = "mci/src/tools/select.ts";

/** Parts of the service that know HTTP or join what does. Everything else is its domain, a new folder too. */
const EDGES = [
  "app.ts",
  "chat",
  "command",
  "http",
  "index.ts",
  "main.ts",
  "mcp",
  "routes",
  "server.ts",
  "service.ts",
  "task-command",
];

/** `TaskStore` is a room of its own. Other files may import these of it; the rest are its parts. */
const TASK_STORE_ROOM = "council-postgres/src/tasks/store/";
const TASK_STORE_ENTRIES = ["outage-retry.ts", "task-records.ts", "task-store.ts", "task-tables.ts"].map(
  (name) => TASK_STORE_ROOM + name,
);

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

const sources = Object.keys(MAY_IMPORT)
  .flatMap((name) => [`${name}/src`, `${name}/serve`])
  .filter((folder) => existsSync(packages + folder))
  .flatMap((folder) =>
    readdirSync(packages + folder, { recursive: true, encoding: "utf8" })
      .map((file) => `${folder}/${file.split(sep).join("/")}`)
      .filter((file) => /\.tsx?$/.test(file) && !/\.(test|fuzz)\.tsx?$/.test(file)),
  );
const imports = sources.flatMap(importsOf);

describe("who may import whom", () => {
  test("there are imports to look at", () => {
    expect(imports.length).toBeGreaterThan(50);
  });

  test("packages import only the packages below them", () => {
    const ours = imports.filter(
      ({ to }) => to === "mci-ts" || to.startsWith("mci-ts/") || to.startsWith("@mci-ts/"),
    );
    const mayImport = ({ from, to }: Import) =>
      MAY_IMPORT[packageOf(from)]!.includes(to) ||
      // What it holds is bundled into each package.
      (to.startsWith("@mci-ts/primitives/") && packageOf(from) !== "primitives");
    expect(ours.filter((each) => !mayImport(each))).toEqual([]);
  });

  test("the compiler, the tests and the bundles find our packages at the same place", () => {
    const { paths } = JSON.parse(readFileSync(`${packages}../tsconfig.json`, "utf8")).compilerOptions;
    const byCompiler = (name: string) => {
      const [pattern, [target]] = Object.entries<[string]>(paths).find(([one]) =>
        one.endsWith("*") ? name.startsWith(one.slice(0, -1)) : name === one,
      ) ?? ["", ["none"]];
      return target.replace("./packages/", "").replace("*", name.slice(pattern.length - 1));
    };
    const names = Object.keys(PACKAGE_SOURCES);
    expect(names.map((name) => [name, byCompiler(name)])).toEqual(Object.entries(PACKAGE_SOURCES));
  });

  test("an entry point of a package that is not built leads to the same file for Node.js", () => {
    const exported = Object.keys(MAY_IMPORT).flatMap((name) => {
      const { name: own, exports = {} } = JSON.parse(readFileSync(`${packages}${name}/package.json`, "utf8"));
      return Object.entries<unknown>(exports)
        .filter((entry): entry is [string, string] => String(entry[1]).endsWith(".ts"))
        .map(([path, file]) => [own + path.slice(1), name + file.slice(1)] as const);
    });
    expect(exported.length).toBeGreaterThan(5);
    expect(exported.filter(([name, file]) => PACKAGE_SOURCES[name] !== file)).toEqual([]);
  });

  test.each(["council-postgres", "console"])(
    "%s takes types from the service that loads it, and nothing else",
    (name) => {
      const ours = imports.filter(
        ({ from, to }) => packageOf(from) === name && to.startsWith("@mci-ts/council-server"),
      );
      expect(ours.length).toBeGreaterThan(5);
      expect(ours.filter(({ typeOnly }) => !typeOnly)).toEqual([]);
    },
  );

  test("one file of the service loads the package for PostgreSQL, and nothing else names it", () => {
    const naming = sources.filter(
      (file) =>
        packageOf(file) !== "council-postgres" &&
        /["'`]@mci-ts\/council-postgres/.test(readFileSync(packages + file, "utf8")),
    );
    expect(naming).toEqual(["council-server/src/postgres.ts"]);
  });

  test("no file reaches into another package by a relative path", () => {
    const crossing = imports.filter(
      ({ from, to }) => to.startsWith("..") || (isLocal(to) && packageOf(from) !== packageOf(to)),
    );
    expect(crossing).toEqual([]);
  });

  test("stages of the library do not import each other", () => {
    const crossing = imports.filter(({ from, to, typeOnly }) => {
      const [a, b] = [stageOf(from), stageOf(to)];
      return (
        !typeOnly &&
        a !== undefined &&
        b !== undefined &&
        a !== b &&
        !SHARED_STAGES[b]?.includes(a) &&
        !COMPOSERS.includes(from.replace("mci/src/", ""))
      );
    });
    expect(crossing).toEqual([]);
  });

  test("stages do not import lint, and lint imports no stage that only calls need", () => {
    const fromLint = imports.filter(({ from, to }) => folderOf(from) === "lint" && isStage(folderOf(to)));
    expect(fromLint.length).toBeGreaterThan(0);
    expect(
      fromLint.filter(({ to }) => to !== LINT_FILTER && !LINT_MAY_IMPORT.includes(folderOf(to)!)),
    ).toEqual([]);
    const toLint = imports.filter(({ from, to }) => folderOf(to) === "lint" && folderOf(from) !== "lint");
    expect([...new Set(toLint.map(({ from }) => from))]).toEqual(["mci/src/index.ts"]);
  });

  test.each(Object.keys(MAY_IMPORT))("%s has no import cycle", (name) => {
    expect(cycleIn(edgesOf(name, ({ typeOnly }) => !typeOnly))).toBeUndefined();
  });

  test.each(Object.keys(MAY_IMPORT))("%s has no cycle of type imports either", (name) => {
    expect(cycleIn(edgesOf(name, () => true))).toBeUndefined();
  });

  test("the service points one way: its domain knows no HTTP, no protocol and no route", () => {
    const folder = (file: string) => (packageOf(file) === "council-server" ? file.split("/")[2]! : "");
    const domain = imports.filter(
      ({ from }) => from.startsWith("council-server/src/") && !EDGES.includes(folder(from)),
    );
    expect(domain.length).toBeGreaterThan(50);
    expect(
      domain.filter(({ to }) => to.startsWith("council-server/src/") && EDGES.includes(folder(to))),
    ).toEqual([]);
  });

  test("every statement on the tables of tasks is in the task store, whose parts nothing else imports", () => {
    const naming = sources.filter((file) =>
      /\bcouncil\.task(s|_\w+)\b/.test(readFileSync(packages + file, "utf8")),
    );
    expect(naming.length).toBeGreaterThan(5);
    expect(naming.filter((file) => !file.startsWith(TASK_STORE_ROOM))).toEqual([]);
    const fromOutside = imports.filter(
      ({ from, to }) => to.startsWith(TASK_STORE_ROOM) && !from.startsWith(TASK_STORE_ROOM),
    );
    expect(fromOutside.filter(({ to, typeOnly }) => !typeOnly && !TASK_STORE_ENTRIES.includes(to))).toEqual(
      [],
    );
  });

  test("no two files of tasks have the same name", () => {
    const names = sources.filter((file) => file.includes("/tasks/")).map((file) => file.split("/").at(-1)!);
    expect(names.length).toBeGreaterThan(40);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test("the engine of the council knows no web server, database, file system or environment", () => {
    const text = sources
      .filter((file) => packageOf(file) === "council")
      .map((file) => readFileSync(packages + file, "utf8"));
    expect(
      text.filter((code) => /process\.env|node:(fs|http|https|net|sqlite|child_process)/.test(code)),
    ).toEqual([]);
  });

  test("the library prints nothing and reads the process environment only where programs are started", () => {
    const offenders = sources.filter((file) => {
      const code = readFileSync(packages + file, "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
      return (
        packageOf(file) === "mci" &&
        (/console\.|process\.std(out|err)\.write/.test(code) || /process\.env/.test(code))
      );
    });
    expect(offenders).toEqual(["mci/src/execute/cli/cli.ts", "mci/src/mcp/stdio/server-process.ts"]);
  });
});

function importsOf(file: string): Import[] {
  const code = readFileSync(packages + file, "utf8");
  const pattern = /^\s*(?:import|export)\s+(type\s)?[^;]*?from\s+"([^"]+)"|import\("([^"]+)"\)/gm;
  return [...code.matchAll(pattern)].map(([, type, fixed, lazy]) => {
    const target = fixed ?? lazy!;
    const to = target.startsWith(".")
      ? relative(packages, resolve(packages, dirname(file), target))
          .split(sep)
          .join("/")
      : target;
    return { from: file, to, typeOnly: type !== undefined };
  });
}

function edgesOf(name: string, counts: (edge: Import) => boolean): Map<string, string[]> {
  const edges = new Map<string, string[]>();
  for (const edge of imports) {
    if (packageOf(edge.from) === name && isLocal(edge.to) && counts(edge))
      edges.set(edge.from, [...(edges.get(edge.from) ?? []), edge.to]);
  }
  return edges;
}

function isLocal(to: string): boolean {
  return Object.keys(MAY_IMPORT).some((name) => to.startsWith(`${name}/`));
}

function packageOf(file: string): string {
  return file.split("/")[0]!;
}

function stageOf(file: string): string | undefined {
  const folder = folderOf(file);
  return isStage(folder) ? folder : undefined;
}

function isStage(folder: string | undefined): boolean {
  return folder !== undefined && STAGES.includes(folder);
}

/** The folder of a file of the library. */
function folderOf(file: string): string | undefined {
  const [name, src, folder] = file.split("/");
  return name === "mci" && src === "src" ? folder : undefined;
}

function cycleIn(edges: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (file: string, trail: string[]): string[] | undefined => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
    if (done.has(file)) return undefined;
    done.add(file);
    for (const next of edges.get(file) ?? []) {
      const cycle = visit(next, [...trail, file]);
      if (cycle) return cycle;
    }
    return undefined;
  };
  for (const file of edges.keys()) {
    const cycle = visit(file, []);
    if (cycle) return cycle;
  }
  return undefined;
}
