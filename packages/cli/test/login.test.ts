import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { memoryLoginStore } from "mci-ts/login";
import { beforeAll, expect, test } from "vitest";
import {
  type LoginServers,
  personLogsIn,
  startLoginServers,
} from "../../mci/test/login/authorization-server.ts";
import { logIn as logInHere } from "../src/login/log-in.ts";
import { folder, mci, mciCommand } from "./mci.ts";

const silent = () => ({
  ...{ write: () => {}, stream: new PassThrough(), isTTY: false, columns: 80, colour: false },
});

let servers: LoginServers;
beforeAll(async () => {
  servers = await startLoginServers();
  return () => servers.close();
});

const project = () =>
  folder({ "mci.json": { schemaVersion: "1.0", mcp_servers: { notes: { url: servers.url } } } });

/** Starts the command, logs in as a person would, and returns what it printed. */
async function logIn(
  cwd: string,
  args: readonly string[],
  answer: (address: string) => Promise<string | undefined>,
) {
  const child = spawn(...mciCommand(["login", ...args], { cwd }));
  const stderr = text(child.stderr);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const { value: page } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  const typed = await answer(await personLogsIn(page!));
  child.stdin.end(typed === undefined ? "" : `${typed}\n`);
  return { code: await ended, stderr: await stderr };
}

test("[LOGIN-command] a person logs in through the browser; the tools are there, the token is nowhere to be seen", async () => {
  const cwd = project();
  const before = await mci(["list"], { cwd });
  expect(before.stderr).toContain("needs login: mci login notes");
  const { code, stderr } = await logIn(cwd, ["notes", "--no-browser"], async (address) => {
    const page = await fetch(address);
    expect(await page.text()).not.toContain("code=");
    return undefined;
  });
  expect([code, stderr]).toEqual([0, expect.stringContaining("Logged in to 'notes'.")]);
  const stored = readFileSync(join(cwd, ".config", "mci", "logins.json"), "utf8");
  const { access_token: token, refresh_token: refresh } = JSON.parse(stored).logins[0].tokens;
  const outputs = await Promise.all([
    mci(["list"], { cwd }),
    mci(["call", "whoami"], { cwd }),
    mci(["logins"], { cwd }),
    mci(["logins", "--format", "json"], { cwd }),
  ]);
  expect(outputs.map((one) => one.code)).toEqual([0, 0, 0, 0]);
  expect(outputs[0]!.stdout).toContain("whoami");
  expect(outputs[1]!.stdout).toContain("you are in");
  expect(outputs[2]!.stdout).toContain(`notes\t\t${servers.url}\t${servers.issuer}\ttools:read\tvalid until`);
  for (const { stdout, stderr } of outputs)
    for (const secret of [token, refresh]) expect(stdout + stderr).not.toContain(secret);
  expect((await mci(["logout", "other"], { cwd })).stderr).toContain("There is no login 'other'");
  expect((await mci(["logout", "notes"], { cwd })).stderr).toContain("Removed 1 login.");
  expect((await mci(["logins"], { cwd })).stderr).toContain("No logins.");
});

test("[LOGIN-command] the advice to log in names the file where the command would not find it, and works when it is followed", async () => {
  const document = { schemaVersion: "1.0", mcp_servers: { "my notes": { url: servers.url } } };
  const files = { "a file.mci.json": document, "b.mci.json": { schemaVersion: "1.0", tools: [] } };
  const cwd = folder(files);
  const listed = await mci(["list", "--file", "a file.mci.json"], { cwd });
  const advice = "mci login 'my notes' --file 'a file.mci.json'";
  expect(listed.stderr).toContain(`needs login: ${advice}\n`);
  expect(listed.stderr).toContain(`run '${advice}'`);
  const elsewhere = folder({});
  const far = await mci(["list", "--file", join(cwd, "a file.mci.json")], { cwd: elsewhere });
  expect(far.stderr).toContain(`needs login: mci login 'my notes' --file '${join(cwd, "a file.mci.json")}'`);
  const words = ["my notes", "--file", "a file.mci.json", "--no-browser"];
  const { code } = await logIn(cwd, words, async (address) => {
    await fetch(address);
    return undefined;
  });
  expect(code).toBe(0);
});

test.each([
  ["in the browser", { isPasted: false }],
  ["with an address that is pasted", { isPasted: true }],
])(
  "[LOGIN-command] a login that is not finished %s says which, how long there was and what to do",
  async (_, way) => {
    const context = {
      ...{ cwd: folder({}), env: {}, stdin: new PassThrough(), signal: new AbortController().signal },
      ...{ stdout: silent(), stderr: silent() },
    };
    const options = { ...way, store: memoryLoginStore(), opensBrowser: false, name: "notes", timeoutMs: 60 };
    const page = new URL("http://127.0.0.1/?state=1");
    const unfinished = logInHere(options, context, async ({ onAuthorize }) => {
      await onAuthorize(page, { name: "notes", resource: "http://127.0.0.1", issuer: "http://127.0.0.1" });
      return "notes";
    });
    await expect(unfinished).rejects.toMatchObject({
      message: "The login to 'notes' was not finished within 0.001 minutes.",
      hint: "Nothing was stored. Log in again, and finish in the browser before that.",
    });
  },
);

test("[LOGIN-processes] two processes that need a new token at once use the refresh token once", async () => {
  const cwd = project();
  await logIn(cwd, ["--paste"], async (address) => address);
  const path = join(cwd, ".config", "mci", "logins.json");
  const stored = JSON.parse(readFileSync(path, "utf8"));
  stored.logins[0].tokens.expiresAt = Date.now() - 1000;
  writeFileSync(path, JSON.stringify(stored));
  servers.grants.length = 0;
  const calls = await Promise.all([1, 2, 3].map(() => mci(["call", "whoami"], { cwd })));
  expect(calls.map(({ code, stdout }) => [code, stdout.trim()])).toEqual(
    Array.from({ length: 3 }, () => [0, "you are in"]),
  );
  expect(servers.grants).toEqual(["refresh_token"]);
});

test("[LOGIN-command] a machine without a browser prints an address and a code", async () => {
  const cwd = project();
  const child = spawn(...mciCommand(["login", "notes", "--device"], { cwd }));
  const stderr = text(child.stderr);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const { value: page } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  await personLogsIn(page!);
  expect([await ended, await stderr]).toEqual([
    0,
    expect.stringMatching(/the code \w{4}-\w{4}.*Logged in to 'notes'/s),
  ]);
  expect((await mci(["call", "whoami"], { cwd })).stdout).toContain("you are in");
});

test("[LOGIN-command] where the browser is elsewhere, its address is pasted; one that is not an address is refused", async () => {
  const cwd = project();
  const { code, stderr } = await logIn(cwd, ["--paste"], async (address) => address);
  expect([code, stderr]).toEqual([0, expect.stringContaining("Logged in to 'notes'.")]);
  const wrong = await logIn(cwd, ["--paste"], async () => "what?");
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("That is not an address")]);
});

test("[LOGIN-command] a login whose settings read a variable that is not set is named with the variable, and works with it", async () => {
  const auth = {
    ...{ type: "oauth2", flow: "authorizationCode", clientId: "{{env.CLIENT_ID}}" },
    ...{ issuer: servers.issuer, scopes: ["tools:read"] },
  };
  const me = { name: "me", execution: { type: "http", url: `${servers.api}/me`, auth } };
  const cwd = folder({ "mci.json": { schemaVersion: "1.0", tools: [me] } });
  for (const name of [[], ["127.0.0.1"]]) {
    const { code, stderr } = await mci(["login", ...name], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain(
      "The login of tool 'me' cannot be read: Template variable not found: env.CLIENT_ID",
    );
  }
  const done = await logIn(cwd, ["--no-browser", "--env", "CLIENT_ID=api-client"], async (address) => {
    await fetch(address);
    return undefined;
  });
  expect([done.code, done.stderr]).toEqual([0, expect.stringContaining("Logged in to")]);
});
