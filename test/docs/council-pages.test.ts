import { execFile } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readConfig } from "../../packages/council-server/src/config/config.ts";
import { type CouncilServer, serve } from "../../packages/council-server/src/server.ts";
import { type FakeProvider, startFakeProvider } from "../../packages/fake-provider/src/server.ts";
import { program } from "../programs/programs.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { readPage, readPages, root } from "./markdown.ts";

/*
 * The requests on the pages of the council are sent to a service that asks a simulated provider.
 */

const ADDRESS = "http://127.0.0.1:8338";
const requests = readPages()
  .filter(({ path }) => path.startsWith("docs/council/"))
  .flatMap(({ path, blocks }) => blocks.map((block) => ({ path, ...block })))
  .filter(({ language, text }) => ["sh", "ts"].includes(language) && text.includes(ADDRESS))
  // A task would start a PostgreSQL of its own; packages/council-server/test/tasks.test.ts sends that example.
  .filter(({ text }) => ![`${ADDRESS}/tasks`, `${ADDRESS}/schedules`].some((path) => text.includes(path)));

let provider: FakeProvider;
let council: CouncilServer;
const folder = temporaryFolder({ "package.json": { type: "module" } }, afterAll);
// So that scripts find their packages.
symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));

beforeAll(async () => {
  provider = await startFakeProvider();
  const settings = { PORT: "0", MAKER_API_URL: provider.url, MAKER_API_MODEL: "sim" };
  council = await serve(readConfig(settings), { log: () => {} });
});
afterAll(async () => {
  await council.close();
  await provider.close();
});

it("there are requests to send", () => {
  expect(requests.length).toBeGreaterThan(3);
});

it.each(requests)(
  "$path: the request of line $line gets an answer",
  async ({ language, text, line, path }) => {
    const here = text.replaceAll(ADDRESS, council.url);
    const file = join(folder, `${path.replaceAll("/", ".")}-${line}.${language === "ts" ? "ts" : "sh"}`);
    writeFileSync(file, here.replace(/^curl /gm, "curl -sS --fail-with-body "));
    const before = provider.stats.arrivals;
    const { stdout } = await promisify(execFile)(language === "ts" ? process.execPath : "sh", [file]);
    expect(stdout.trim()).not.toBe("");
    expect(provider.stats.arrivals).toBeGreaterThan(before);
  },
);

const evaluation = readPage("docs/council/evaluation.md");
const commands = evaluation.blocks
  .flatMap(({ text }) => text.split("\n"))
  .filter((line) => line.startsWith("npx mci-council eval "));
for (const { file, text } of evaluation.blocks)
  if (file !== undefined) writeFileSync(join(folder, file), text);

it.each(commands)("docs/council/evaluation.md: %s", async (command) => {
  const args = [program("packages/council-server", "main.js"), ...command.split(" ").slice(2)];
  const env = { ...process.env, MAKER_API_URL: provider.url, MAKER_API_MODEL: "sim" };
  const { stderr, stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env });
  expect(stderr).toMatch(/questions, \d methods, \d models: \d+/);
  if (!command.includes("--dry-run")) expect(stdout).toContain("Accuracy");
});
