import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { file, folder, text } from "../../test/lint/support.ts";
import { MCIClient } from "../client.ts";
import { lintFile } from "./lint.ts";

const SECRET = "sk-live-4f9a81c2";
const env = { KEY: SECRET, LIB: `lib-${SECRET}` };

test("[I-masked] no problem and no use shows a value of env, wherever a path or a command is made of it", async () => {
  const root = folder({
    "mci.json": {
      schemaVersion: "1.0",
      libraryDir: "{{env.LIB}}",
      toolsets: ["set", "missing"],
      tools: [
        { name: "a", execution: { type: "file", path: "{{env.KEY}}" } },
        { name: "b", execution: { type: "file", path: "dir/{{env.KEY}}/page.md" } },
        { name: "c", execution: { type: "cli", command: "./{{env.KEY}}/run" } },
        { name: "d", execution: { type: "file", path: "/{{env.KEY}}" }, enableAnyPaths: true },
      ],
      mcp_servers: { s: { command: "{{env.KEY}}" } },
    },
    [`dir/${SECRET}/page.md`]: '{{props.none}} {{env.OTHER}} @include("nothing.md")',
    [`lib-${SECRET}/set.mci.json`]: { ...file(text("{{props.none}}")), odd: 1 },
  });
  const result = await lintFile(join(root, "mci.json"), { env });
  const displayed = result.commands.map((use) => use.displayed);
  expect(result.problems.map(({ message }) => message)).toContain(
    `File not found: *** (looked at ${join(root, "***")})`,
  );
  expect(displayed).toEqual(["./***/run", "***"]);
  expect(JSON.stringify([result.problems, result.envs, displayed])).not.toContain(SECRET);
});

test("[I-masked] a file that is only checked does not decide which variables are public", async () => {
  const tool = { name: "a", execution: { type: "file", path: "{{env.KEY}}" } };
  const root = folder({
    "mci.json": { ...file(tool), publicEnv: ["KEY"] },
    "lib.mci.json": { schemaVersion: "1.0", publicEnv: ["KEY"], libraryDir: "{{env.KEY}}", toolsets: ["x"] },
  });
  const { problems } = await lintFile(join(root, "mci.json"), { env });
  expect(problems[0]!.message).toMatch(/^File not found: \*\*\*/);
  const library = join(root, "lib.mci.json");
  expect(JSON.stringify((await lintFile(library, { env })).problems)).not.toContain(SECRET);
  // A load by those who trust the file shows them.
  await expect(MCIClient.load(library, { env })).rejects.toThrow(SECRET);
  const { warnings } = await MCIClient.load(library, { env, validating: true });
  expect(JSON.stringify(warnings)).not.toContain(SECRET);
});

/** What lint says of a document, whether the place outside exists or not. */
async function withAndWithout(
  document: (outside: string) => object,
  extra: (root: string, outside: string) => void = () => {},
) {
  const say = async (exists: boolean) => {
    const root = folder({ "in/mci.json": "{}" });
    const outside = join(root, "out");
    if (exists) {
      mkdirSync(join(outside, "sub"), { recursive: true });
      writeFileSync(join(outside, "keys.json"), '{"private_key_id":"x","{{env.CANARY}}":1}');
      writeFileSync(join(outside, "keys.mci.json"), '{"private_key_id":"x"}');
      writeFileSync(join(outside, "page.md"), "{{env.CANARY}} {{props.none}}");
    }
    extra(join(root, "in"), outside);
    const source = JSON.stringify(document(outside));
    const { problems, envs, commands, files } = await lintFile(join(root, "in/mci.json"), { env, source });
    return JSON.stringify({ problems, envs, commands, files }).replaceAll(root, "");
  };
  const [there, missing] = [await say(true), await say(false)];
  expect(there).not.toMatch(/private_key_id|CANARY/);
  return { there, missing };
}

test.each<[string, (outside: string) => object]>([
  [
    "a library elsewhere",
    (outside) => ({ schemaVersion: "1.0", libraryDir: outside, toolsets: ["keys", "keys.json", "sub"] }),
  ],
  [
    "a library above",
    () => ({ schemaVersion: "1.0", libraryDir: "../out", toolsets: ["keys", "keys.json", "sub"] }),
  ],
  [
    "a root as the library",
    (outside) => ({
      schemaVersion: "1.0",
      libraryDir: "/",
      toolsets: [`.${outside}/keys`, `${outside.slice(1)}/keys.json`],
    }),
  ],
  [
    "a file with any path allowed",
    (outside) => ({
      ...file({ name: "f", execution: { type: "file", path: `${outside}/page.md` } }),
      enableAnyPaths: true,
    }),
  ],
  [
    "a file in an allowed directory",
    (outside) => ({
      ...file({ name: "f", execution: { type: "file", path: "../out/page.md" } }),
      directoryAllowList: [outside],
    }),
  ],
  [
    "an included file",
    () => ({ ...file({ name: "f", execution: { type: "file", path: "include.md" } }), enableAnyPaths: true }),
  ],
  [
    "a file behind a link",
    () => ({
      ...file({ name: "f", execution: { type: "file", path: "link/page.md" } }),
      enableAnyPaths: true,
    }),
  ],
  [
    "a library behind a link",
    () => ({ schemaVersion: "1.0", libraryDir: "link", toolsets: ["keys", "keys.json", "sub"] }),
  ],
])("[I-confined] %s is not read, and nothing tells whether it exists", async (_, document) => {
  const { there, missing } = await withAndWithout(document, (root, outside) => {
    symlinkSync(outside, join(root, "link"));
    writeFileSync(join(root, "include.md"), `@include("${outside}/page.md")`);
  });
  expect(there).toBe(missing);
  expect(there).toMatch(/not checked, because/);
});

test("[I-confined] a toolset in the repository around the file is checked, and so is one in a folder that was named", async () => {
  const shared = { "shared/set.mci.json": { ...file(text("x")), odd: 1 } };
  const document = { schemaVersion: "1.0", libraryDir: "../shared", toolsets: ["set"] };
  const inRepository = folder({ "app/mci.json": document, ".git/HEAD": "", ...shared });
  const alone = folder({ "app/mci.json": document, ...shared });
  const messages = async (root: string, folders?: string[]) =>
    (await lintFile(join(root, "app/mci.json"), { folders: folders ?? [] })).problems.map(
      (problem) => problem.message,
    );
  expect(await messages(inRepository)).toEqual(["Unknown key 'odd'"]);
  expect(await messages(alone)).toEqual([
    "The toolsets were not checked, because libraryDir leads out of the project",
  ]);
  expect(await messages(alone, [join(alone, "shared")])).toEqual(["Unknown key 'odd'"]);
});
