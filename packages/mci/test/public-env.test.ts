import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { MCIClient } from "../src/client.ts";

const dir = temporaryFolder({}, afterAll);

/** A command that prints the variable on both streams, and fails or not. */
const prints = (code: number) => ({
  type: "cli",
  command: "sh",
  args: ["-c", `printf '%s\\n' "$V" >&2; exit ${code}`],
  env: { V: "{{env.V}}" },
});
const fails = { name: "fails", execution: prints(1) };
const warns = { name: "warns", execution: prints(0) };

async function outcome(tool: object, value: string, more: object = {}) {
  const document = { schemaVersion: "1.0", tools: [tool], ...more };
  await using client = await MCIClient.fromObject(document, {
    baseDir: dir,
    env: { V: value, K: "sk-12345" },
  });
  return await client.execute((tool as { name: string }).name);
}

describe("publicEnv", () => {
  test("its values are shown in errors and metadata [S-public]", async () => {
    const more = { publicEnv: ["V", "UNSET"] };
    expect((await outcome(fails, "eu-west.internal", more)).error).toContain("eu-west.internal");
    expect((await outcome(warns, "eu-west.internal", more)).metadata["stderr"]).toBe("eu-west.internal\n");
  });

  test("every other value stays masked [S-cut]", async () => {
    expect((await outcome(fails, "eu-west.internal")).error).not.toContain("eu-west");
    expect((await outcome(fails, "eu-west.internal", { publicEnv: ["W"] })).error).not.toContain("eu-west");
  });

  test("a toolset file cannot make a variable public [S-public]", async () => {
    const toolset = { schemaVersion: "1.0", publicEnv: ["V"], tools: [fails] };
    writeFileSync(join(dir, "set.mci.json"), JSON.stringify(toolset));
    const document = { schemaVersion: "1.0", libraryDir: ".", toolsets: ["set"] };
    await using client = await MCIClient.fromObject(document, {
      baseDir: dir,
      env: { V: "eu-west.internal" },
    });
    expect((await client.execute("fails")).error).not.toContain("eu-west");
  });
});

describe("a variable that is an http or https origin", () => {
  test.each([
    "https://api.example.com",
    "http://127.0.0.1:8080",
    "HTTPS://api.example.com/",
    "http://[::1]:80",
  ])("%s is shown [S-public]", async (value) => {
    expect((await outcome(fails, value)).error).toContain(value);
  });

  test.each([
    "https://user:pass@api.example.com",
    "https://token@api.example.com/",
    "https://hooks.example.com/services/T0/B0/XXXX",
    "https://api.example.com/?key=abcdef",
    "https://api.example.com?key=abcdef",
    "https://api.example.com#abcdef",
    "https://api.example.com\\abcdef",
    "ftp://api.example.com",
    "api.example.com",
  ])("%s is not one, and stays masked [S-cut]", async (value) => {
    const { error } = await outcome(fails, value);
    expect(error).toContain("***");
    expect(error).not.toContain(value);
  });

  test.each([
    { auth: { type: "bearer", token: "{{env.V}}" } },
    { auth: { type: "apiKey", in: "query", name: "k", value: "{{env.V}}" } },
    { auth: { type: "basic", username: "me", password: "{{env.V}}" } },
    { headers: { "X-Key": "{{env.V}}" } },
    { cookies: { session: "{{env.V}}" } },
  ])("is masked where it is a credential: %j [S-cut]", async (settings) => {
    const value = "https://api.example.com";
    const execution = { type: "http", url: "http://127.0.0.1:1/{{env.V}}", ...settings };
    expect((await outcome({ name: "t", execution }, value)).error).not.toContain("api.example.com");
  });

  test("is shown in the error of the call that it is the address of [S-public]", async () => {
    const execution = { type: "http", url: "{{env.V}}/x", headers: { "X-Key": "{{env.K}}" } };
    const { error } = await outcome({ name: "t", execution }, "http://127.0.0.1:1");
    expect(error).toContain("GET http://127.0.0.1:1/x failed");
  });

  test("is shown where a server that is given it fails; a secret beside it is not [S-public]", async () => {
    const script = 'read -r _; printf "%s\\n" "$V $K" >&2; exit 1';
    const server = {
      command: "sh",
      args: ["-c", script],
      env: { V: "{{env.V}}", K: "{{env.K}}" },
    };
    const document = { schemaVersion: "1.0", libraryDir: "lib", mcp_servers: { down: server } };
    const env = { V: "http://127.0.0.1:8080", K: "sk-12345" };
    await using client = await MCIClient.fromObject(document, { baseDir: dir, env });
    expect(JSON.stringify(client.warnings)).toContain("http://127.0.0.1:8080 ***");
  });
});
