import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { folder } from "./mci.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

test("[C-packed] the packed tarball alone installs, without a registry, and works", {
  timeout: 180_000,
}, () => {
  const cwd = folder({ "app/package.json": { name: "app", private: true } });
  const app = join(cwd, "app");
  const npm = (args: string[], where: string) =>
    execFileSync("npm", [...args, "--offline", "--no-audit", "--no-fund", "--loglevel=error"], {
      cwd: where,
      encoding: "utf8",
    });

  execFileSync(process.execPath, ["scripts/build.ts", "--if-changed", "packages/cli"], { cwd: root });
  const tarball =
    npm(["pack", "--pack-destination", cwd], join(root, "packages/cli")).trim().split("\n").at(-1) ?? "";
  npm(["install", join(cwd, tarball)], app);

  const installed = join(app, "node_modules/@mci-ts/cli");
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  expect(manifest.dependencies ?? {}).toEqual({});
  expect(readFileSync(join(installed, "dist/THIRD_PARTY_LICENSES.txt"), "utf8")).toContain("yaml ");

  const places = { HOME: join(cwd, "home"), TMPDIR: join(cwd, "shared") };
  for (const place of Object.values(places)) mkdirSync(place);
  const { XDG_CACHE_HOME, LOCALAPPDATA, NODE_COMPILE_CACHE, ...env } = process.env;
  const mci = (...args: string[]) =>
    execFileSync(process.execPath, [join(installed, manifest.bin.mci), ...args], {
      cwd: app,
      env: { ...env, ...places },
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
  expect(readdirSync(join(places.HOME, ".cache/mci-ts"))).not.toEqual([]);
  expect(readdirSync(places.TMPDIR)).toEqual([]);
});
