import { execFile, execFileSync, spawn } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { PACKAGES } from "../scripts/bundle.ts";
import { ADAPTERS } from "../scripts/package-sources.ts";

// What users install: the built packages, not the source that all other tests run on.

const root = fileURLToPath(new URL("..", import.meta.url));
const run = promisify(execFile);

/** Published for programs that import them. The command is published, too. */
const LIBRARIES = [
  "packages/mci",
  "packages/council-server",
  "packages/council-postgres",
  "packages/fake-provider",
];
const PUBLISHED = [...LIBRARIES, "packages/cli"];
const npm = (args: readonly string[], cwd: string) =>
  run("npm", args, { cwd, shell: process.platform === "win32" });

const packed = mkdtempSync(join(tmpdir(), "mci-packed-"));
afterAll(() => rmSync(packed, { recursive: true, force: true }));

beforeAll(async () => {
  await run(process.execPath, ["scripts/build.ts", "--if-changed", ...PUBLISHED], { cwd: root });
  // Once for all that looks into what is published.
  const pack = ["pack", ...PUBLISHED.flatMap((dir) => ["-w", dir]), "--ignore-scripts"];
  await npm([...pack, "--pack-destination", packed], root);
}, 180_000);

const manifestOf = (dir: string) => JSON.parse(readFileSync(`${root}${dir}/package.json`, "utf8"));
const tarballOf = (dir: string) => {
  const { name, version } = manifestOf(dir);
  return join(packed, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`);
};

describe.each(LIBRARIES)("%s", (dir) => {
  const { name, dependencies, peerDependencies } = manifestOf(dir);
  const tarball = tarballOf(dir);

  test("passes publint", async () => {
    const pack = { tarball: new Uint8Array(readFileSync(tarball)).buffer };
    const { messages, pkg } = await publint({ pack, strict: true });
    expect(messages).toEqual([]);
    expect(pkg.name).toBe(name);
  }, 60_000);

  test("has types that resolve as its JavaScript does", async () => {
    const result = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
    if (result.types === false) throw new Error("The package has no types");
    // ES modules only: resolvers from before 2022, and their idea of require, do not count.
    const counted = result.problems.filter(
      (problem) => !("resolutionKind" in problem && /^node(10|16-cjs)$/.test(problem.resolutionKind)),
    );
    expect(counted).toEqual([]);
  }, 60_000);

  test("exports exactly what its source does, and nothing of what its chunks share", async () => {
    const { entries } = PACKAGES.find((one) => one.dir === dir)!;
    const published = Object.values(manifestOf(dir).exports as Record<string, string | { default: string }>)
      .map((target) => (typeof target === "string" ? target : target.default))
      .filter((target) => target.endsWith(".js"));
    const names = async (target: string) => {
      const source = entries[target.replace(/^\.\/dist\/|\.js$/g, "")]!;
      // In a process of its own: here, what the built packages import would be our source.
      const script =
        "console.log(JSON.stringify(Object.keys(await import(process.argv[1])).sort())); process.exit()";
      const built = await run(process.execPath, [
        "--input-type=module",
        "-e",
        script,
        `${root}${dir}/${target}`,
      ]);
      const expected = Object.keys(await import(/* @vite-ignore */ `${root}${dir}/${source}`)).sort();
      return [target, { built: JSON.parse(built.stdout), expected }] as const;
    };
    const all = await Promise.all(published.map(names));
    expect(all.length).toBeGreaterThan(0);
    expect(Object.fromEntries(all.map(([target, { built }]) => [target, built]))).toEqual(
      Object.fromEntries(all.map(([target, { expected }]) => [target, expected])),
    );
  }, 60_000);

  test("has declarations that import only what is installed with it", () => {
    const installed = [name, ...Object.keys({ ...dependencies, ...peerDependencies })];
    const types = `${root}${dir}/dist`;
    const imported = readdirSync(types, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".d.ts"))
      .flatMap((file) => [
        ...readFileSync(join(types, file), "utf8").matchAll(/(?:from|import)\s*\(?"([^".][^"]*)"/g),
      ])
      .map(([, target]) => target!);
    expect(imported.length).toBeGreaterThan(0);
    const missing = imported.filter(
      (target) =>
        !target.startsWith("node:") &&
        !installed.some((one) => target === one || target.startsWith(`${one}/`)),
    );
    expect([...new Set(missing)]).toEqual([]);
  });
});

describe("mci-ts, built", () => {
  test("can be imported and required, as one and the same", async () => {
    const script = `
      const { MCIClient } = require("mci-ts");
      import("mci-ts").then((esm) => console.log(typeof MCIClient.load, esm.MCIClient === MCIClient));`;
    expect((await run(process.execPath, ["-e", script], { cwd: `${root}packages/mci` })).stdout).toBe(
      "function true\n",
    );
  });

  test.each(["cjs", "esm"] as const)(
    "is bundled into an application: %s",
    async (format) => {
      const dir = mkdtempSync(join(tmpdir(), "mci-application-"));
      onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
      const text = { name: "t", execution: { type: "text", text: "{{props.a}}", templateEngine: "jinja2" } };
      writeFileSync(join(dir, "mci.yaml"), `schemaVersion: "1.0"\ntools: [${JSON.stringify(text)}]\n`);
      writeFileSync(
        join(dir, "app.mjs"),
        `import { MCIClient } from "mci-ts";
      MCIClient.load(process.argv[2]).then((client) => client.execute("t", { a: "ok" })).then(({ text }) => console.log(text));`,
      );
      mkdirSync(join(dir, "node_modules"));
      symlinkSync(`${root}packages/mci`, join(dir, "node_modules/mci-ts"), "junction");
      const build = await rolldown({ input: join(dir, "app.mjs"), platform: "node", logLevel: "silent" });
      const names = format === "cjs" ? "[name].cjs" : "[name].mjs";
      await build.write({ dir: join(dir, "out"), format, entryFileNames: names, chunkFileNames: names });
      await build.close();
      rmSync(join(dir, "node_modules"), { recursive: true });
      const program = join(dir, "out", names.replace("[name]", "app"));
      expect((await run(process.execPath, [program, join(dir, "mci.yaml")])).stdout).toBe("ok\n");
    },
    60_000,
  );

  test("every adapter exports toTools, and brings only its own framework", async () => {
    // Each adapter gets our files anew, by an address of its own: what they share may bring no framework either.
    const script = `
      import { registerHooks } from "node:module";
      let adapter = "";
      const brought = {};
      registerHooks({ resolve: (name, context, next) => {
        const found = next(name, context);
        const isOurs = found.url.includes("/packages/mci/dist/");
        if (context.parentURL?.includes("/packages/mci/dist/") && !isOurs && !name.startsWith("node:"))
          brought[adapter].add(name);
        return isOurs ? { ...found, url: found.url + "?" + adapter } : found;
      } });
      for (adapter of process.argv.slice(1)) {
        brought[adapter] = new Set();
        const { toTools } = await import("mci-ts/" + adapter);
        if (typeof toTools !== "function") throw new Error(adapter + " has no toTools");
      }
      console.log(JSON.stringify(brought, (_, value) => value instanceof Set ? [...value] : value));`;
    const args = ["--input-type=module", "-e", script, ...ADAPTERS];
    const { stdout } = await run(process.execPath, args, { cwd: `${root}packages/mci` });
    const brought: Record<string, string[]> = JSON.parse(stdout);
    expect(brought["ai-sdk"]).toEqual(["ai"]);
    expect(brought["openai"]).toEqual([]);
    const { dependencies } = JSON.parse(readFileSync(`${root}packages/mci/package.json`, "utf8"));
    const all = Object.values(brought).flat();
    expect(all.filter((name, at) => all.indexOf(name) !== at || Object.hasOwn(dependencies, name))).toEqual(
      [],
    );
  }, 30_000);

  test("exports the JSON Schema of the format", async () => {
    const script = 'console.log(require("mci-ts/schema.json").$schema)';
    const { stdout } = await run(process.execPath, ["-e", script], { cwd: `${root}packages/mci` });
    expect(stdout).toBe("https://json-schema.org/draft/2020-12/schema\n");
  });

  test("loads no dependency before it is needed", async () => {
    const script = `
      import { registerHooks } from "node:module";
      const asked = [];
      registerHooks({ resolve: (name, context, next) => (asked.push(name), next(name, context)) });
      const { MCIClient } = await import("mci-ts");
      const tool = { name: "t", execution: { type: "text", text: "{{props.a}}" } };
      const client = await MCIClient.fromObject({ schemaVersion: "1.0", tools: [tool] });
      const { text } = await client.execute("t", { a: "ok" });
      console.log(text, asked.filter((name) => !name.startsWith(".") && !name.startsWith("node:")).join());`;
    const args = ["--input-type=module", "-e", script];
    expect((await run(process.execPath, args, { cwd: `${root}packages/mci` })).stdout).toBe("ok mci-ts\n");
  });

  test("installs at most 15 packages without its MCP part", () => {
    const lock = JSON.parse(readFileSync(`${root}package-lock.json`, "utf8")).packages;
    const needed = new Set<string>(["mci-ts"]);
    const add = (dependencies: Record<string, string> = {}) => {
      for (const name of Object.keys(dependencies)) {
        if (needed.has(name) || name === "@modelcontextprotocol/client") continue;
        needed.add(name);
        add(lock[`node_modules/${name}`].dependencies);
      }
    };
    add(lock["packages/mci"].dependencies);
    expect([...needed].length).toBeLessThanOrEqual(15);
    expect([...needed]).toContain("undici");
  });

  test("keeps registry addresses out of the lock file", () => {
    expect(readFileSync(`${root}package-lock.json`, "utf8")).not.toMatch(/"resolved": "https?:/);
  });
});

test("the types hold in a strict project for the oldest supported Node.js that checks those of its libraries too", async () => {
  const project = mkdtempSync(join(tmpdir(), "mci-types-"));
  onTestFinished(() => rmSync(project, { recursive: true }));
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
  const library = `
    import { MCIClient } from "mci-ts";
    interface Props { readonly city: string }
    const props: Props = { city: "Rome" };
    await using client = await MCIClient.load("tools.mci.json", { env: process.env });
    const { content } = await client.execute("weather", props);
    export const texts: string[] = content.map((item) => (item.type === "text" ? item.text : item.type));`;
  const service = `
    import { readConfig, serve } from "@mci-ts/council-server";
    const server = await serve(readConfig(process.env));
    export const url: string = server.url;
    export const running: string | undefined = server.service.live("id")?.id;
    await server.close();`;
  writeFileSync(join(project, "library.mts"), library);
  writeFileSync(join(project, "service.mts"), service);
  const strict = ["--strict", "--exactOptionalPropertyTypes", "--skipLibCheck", "false", "--noEmit"];
  const target = ["--lib", "es2023", "--target", "es2022", "--module", "nodenext", "--types", "node"];
  // With one checker: each further one repeats much of the work of the first.
  const options = [...strict, ...target, "--checkers", "1"];
  const tsc = join(root, "node_modules/.bin/tsc");
  const { stdout } = await run(tsc, [...options, "library.mts", "service.mts"], { cwd: project }).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe("");
}, 120_000);

test("the built service has its console inside: a browser gets the page and its parts", async () => {
  const env = { ...process.env, PORT: "0", MCI_DETECT_LOCAL: "0" };
  const service = spawn(process.execPath, [`${root}packages/council-server/bin/mci-council.cjs`], { env });
  onTestFinished(() => void service.kill());
  let said = "";
  for await (const text of service.stdout.setEncoding("utf8")) {
    said += text;
    if (said.includes("\n")) break;
  }
  const url = /http:\/\/\S+/.exec(said)![0];
  const page = await fetch(url, { headers: { accept: "text/html" } });
  expect(page.headers.get("content-type")).toContain("text/html");
  const scripts = [...(await page.text()).matchAll(/(?:src|href)="\.\/([^"]+\.(?:js|css))"/g)];
  expect(scripts.length).toBeGreaterThan(1);
  for (const [, path] of scripts) expect((await fetch(`${url}/${path}`)).status).toBe(200);
}, 60_000);

test("the packed command alone installs, without a registry, and works", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mci-installed-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const places = { app: join(folder, "app"), HOME: join(folder, "home"), TMPDIR: join(folder, "shared") };
  for (const place of Object.values(places)) mkdirSync(place);
  const { app, ...outer } = places;
  writeFileSync(join(app, "package.json"), '{ "name": "app", "private": true }');
  const offline = ["--offline", "--no-audit", "--no-fund", "--loglevel=error"];
  await npm(["install", tarballOf("packages/cli"), ...offline], app);

  const installed = join(app, "node_modules/@mci-ts/cli");
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  expect(manifest.dependencies ?? {}).toEqual({});
  expect(readFileSync(join(installed, "dist/THIRD_PARTY_LICENSES.txt"), "utf8")).toContain("yaml ");

  const { XDG_CACHE_HOME, LOCALAPPDATA, NODE_COMPILE_CACHE, ...env } = process.env;
  const mci = (...args: string[]) =>
    execFileSync(process.execPath, [join(installed, manifest.bin.mci), ...args], {
      cwd: app,
      env: { ...env, ...outer },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  expect(mci("--version")).toBe(`${manifest.version}\n`);
  mci("init");
  expect(mci("validate")).toMatch(/mci\.json: valid/);
  expect(mci("call", "greet", "name=Ada")).toBe("Hello, Ada.\n");
  expect(mci("call", "list_files")).toContain("mci.json");
  expect(mci("add", "weather", "--force")).toContain("Added toolset 'weather'");
  mci("init", "--yaml", "--dir", "yaml");
  expect(mci("envs", "--file", "yaml/mci.yaml")).toContain("GITHUB_API\t");
  expect(JSON.parse(mci("schema")).title).toBeTypeOf("string");
  // What others could write to is not where the compiled code is kept.
  expect(readdirSync(join(outer.HOME, ".cache/mci-ts"))).not.toEqual([]);
  expect(readdirSync(outer.TMPDIR)).toEqual([]);
}, 180_000);
