import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isAlive } from "../../../../test/processes.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { until } from "../../../../test/until.ts";
import { MCIClient } from "../../src/client.ts";

/** A client for tools that stand beside the given files. */
async function clientFor(
  tools: object[],
  files: Record<string, string> = {},
  env: Record<string, string> = {},
) {
  const dir = temporaryFolder();
  mkdirSync(join(dir, "project"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  const file = join(dir, "project/tools.mci.json");
  writeFileSync(file, JSON.stringify({ schemaVersion: "1.0", tools }));
  return { client: await MCIClient.load(file, { env }), dir: join(dir, "project") };
}

const anything = { type: "object", additionalProperties: true };

test("a command's errors and metadata hold no value of env that it was given [C-secrets]", async () => {
  const { client } = await clientFor(
    [
      {
        name: "leak",
        execution: {
          type: "cli",
          command: "sh",
          args: ["-c", 'echo "out $TOKEN"; echo "bad token $TOKEN, $OTHER" >&2; exit 1'],
          env: { TOKEN: "{{env.TOKEN}}" },
          inheritEnv: ["OTHER"],
        },
      },
    ],
    {},
    { TOKEN: "t0k3n-value", OTHER: "0ther-value" },
  );
  const result = await client.execute("leak");
  expect(result.error).toBe(
    "Command failed with exit code 1: bad token ***, ***\n\nStandard output:\nout ***",
  );
  expect(result.metadata).toMatchObject({ exit_code: 1, stdout: "out ***\n", error_code: "command_failed" });
  expect(JSON.stringify(result)).not.toMatch(/t0k3n|0ther/);
  await client.close();
});

test("a tool is the same before and after its calls, and calls do not see each other's values", async () => {
  const { client } = await clientFor(
    [
      {
        name: "say",
        inputSchema: anything,
        execution: { type: "cli", command: "echo", args: ["{{props.x}}"] },
      },
      { name: "read", inputSchema: anything, execution: { type: "file", path: "{{props.x}}.txt" } },
      { name: "greet", inputSchema: anything, execution: { type: "text", text: "Hello {{props.x}}" } },
    ],
    { "project/one.txt": "1", "project/two.txt": "2" },
  );
  const before = JSON.stringify(client.tools());
  const texts: string[] = [];
  for (const x of ["one", "two"]) {
    for (const name of ["say", "read", "greet"]) texts.push((await client.execute(name, { x })).text);
  }
  expect(texts).toEqual(["one\n", "1", "Hello one", "two\n", "2", "Hello two"]);
  expect(JSON.stringify(client.tools())).toBe(before);
  await client.close();
});

test("a tool may switch any-paths off where the file switched it on, and the other way round [P-any]", async () => {
  const dir = temporaryFolder();
  writeFileSync(join(dir, "secret.txt"), "secret");
  mkdirSync(join(dir, "project"));
  const execution = { type: "file", path: "../secret.txt" };
  const load = (enableAnyPaths: boolean) => {
    const tools = [
      { name: "as-file", execution },
      { name: "other", execution, enableAnyPaths: !enableAnyPaths },
      { name: "listed", execution, directoryAllowList: [".."], enableAnyPaths: false },
    ];
    const file = join(dir, "project", `${enableAnyPaths}.mci.json`);
    writeFileSync(file, JSON.stringify({ schemaVersion: "1.0", enableAnyPaths, tools }));
    return MCIClient.load(file);
  };
  for (const any of [true, false]) {
    const client = await load(any);
    expect((await client.execute("as-file")).isError).toBe(!any);
    expect((await client.execute("other")).isError).toBe(any);
    expect((await client.execute("listed")).text).toBe("secret");
    await client.close();
  }
});

test("an allow list may depend on env, never on the caller; an empty one says nothing [H-oauth]", async () => {
  const dir = temporaryFolder();
  writeFileSync(join(dir, "secret.txt"), "secret");
  const execution = { type: "file", path: "../secret.txt" };
  const tools = [
    { name: "env", execution, directoryAllowList: ["{{env.DIR}}"] },
    { name: "caller", execution, directoryAllowList: ["{{props.dir}}"] },
    { name: "none", execution, directoryAllowList: [] },
  ];
  const document = { schemaVersion: "1.0", directoryAllowList: [".."], tools };
  const client = await MCIClient.fromObject(document, { baseDir: join(dir, "project"), env: { DIR: dir } });
  expect((await client.execute("env")).text).toBe("secret");
  expect((await client.execute("caller", { dir })).error).toContain("Template variable not found: props.dir");
  expect((await client.execute("none")).text).toBe("secret");
  await client.close();
});

test("closing the client ends what runs before it returns", async () => {
  const { client, dir } = await clientFor([
    {
      name: "wait",
      execution: { type: "cli", command: "sh", args: ["-c", "echo $$ > pid; sleep 300; true"] },
    },
  ]);
  const result = client.execute("wait");
  const pid = () => {
    try {
      return Number(readFileSync(join(dir, "pid"), "utf8"));
    } catch {
      return 0;
    }
  };
  await until(() => pid() > 0);
  await client.close();
  expect(isAlive(pid())).toBe(false);
  expect((await result).metadata["error_code"]).toBe("aborted");
});
