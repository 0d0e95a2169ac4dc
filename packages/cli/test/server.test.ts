import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { file, greet } from "./files.ts";
import { mciHere } from "./in-process.ts";
import { folder, mciCommand } from "./mci.ts";
import { serveHttp } from "./serve/support.ts";

const where = { name: "where", execution: { type: "text", text: "{{env.REGION}}" } };
const served = () => folder({ "mci.json": file(greet, where) });

const leftovers = () => readdirSync(tmpdir()).filter((name) => name.startsWith("mci-server-"));

test("[C-server] a tool of an MCP server over HTTP is called and listed without a file", async () => {
  const { url } = await serveHttp({ cwd: served() });
  const cwd = folder();
  const before = leftovers();
  const call = (...args: string[]) => mciHere(["call", "--server", url, ...args], { cwd });
  expect(await call("greet", "name=Ada", "times=2")).toMatchObject({
    code: 0,
    stdout: "Hello Ada\nHello Ada\n",
  });
  const unknown = await call("gret", "name=Ada");
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("Did you mean 'greet'?")]);
  const ignored = await call("greet", "nam=Ada", "name=x");
  expect([ignored.code, ignored.stderr]).toEqual([2, expect.stringContaining("has no property 'nam'")]);
  const list = await mciHere(["list", "--server", url, "--format", "names"], { cwd });
  expect(list.stdout).toBe("greet\nwhere\n");
  expect(readdirSync(cwd)).toEqual([]);
  expect(leftovers()).toEqual(before);
});

test("[C-server] a command is started with the variables of --env, and ends with the call", async () => {
  const [program, args] = mciCommand(["run", "-f", `${served()}/mci.json`], { cwd: "/" });
  const command = [program, ...args].map((word) => `'${word}'`).join(" ");
  const { code, stdout } = await mciHere(["call", "where", "--server", command, "--env", "REGION=eu west"], {
    cwd: folder(),
    env: { PATH: process.env.PATH ?? "" },
  });
  expect([code, stdout]).toEqual([0, "eu west\n"]);
});

test.each([
  [["--server", "http://127.0.0.1:9/mcp"], 1, /could not be|ECONNREFUSED|bad port/],
  [["--server", "no-such-program-here --x"], 1, /no-such-program-here/],
  [["--server", " "], 2, /--server cannot be empty/],
  [["--server", "http://127.0.0.1:9", "-f", "mci.json"], 2, /exclude each other/],
] as const)("[C-server] %j is an error that says what is wrong", async (args, expected, message) => {
  const { code, stderr } = await mciHere(["call", "greet", ...args], {
    cwd: folder(),
    env: { PATH: process.env.PATH ?? "" },
  });
  expect(code).toBe(expected);
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/looks like a bug|mcp_servers/);
});
