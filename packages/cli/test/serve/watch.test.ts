import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isAlive } from "../../../../test/processes.ts";
import { until } from "../../../../test/until.ts";
import { folder } from "../mci.ts";
import { file, nap, text, UPSTREAM, upstream } from "./file.ts";
import {
  type Connected,
  connect,
  connectTo,
  ERAS,
  pids,
  serveHttp,
  startHttp,
  TRANSPORTS,
} from "./support.ts";

const write = (root: string, name: string, content: object | string) =>
  writeFileSync(join(root, name), typeof content === "string" ? content : JSON.stringify(content));

/** A client that counts its list_changed notifications. */
async function watcher(...[transport, era, options]: Parameters<typeof connect>) {
  let notified = 0;
  const onChanged = () => {
    notified++;
  };
  const listChanged = { tools: { autoRefresh: false, debounceMs: 0, onChanged } };
  const connected = await connect(transport, era, { ...options, args: ["--watch"] }, { listChanged });
  return { ...connected, notified: () => notified };
}

const names = async ({ client }: Pick<Connected, "client">) =>
  (await client.listTools(undefined, { cacheMode: "bypass" } as object)).tools.map(({ name }) => name);

const say = async ({ client }: Pick<Connected, "client">, name: string) =>
  (await client.callTool({ name })).content;

describe.each(TRANSPORTS.flatMap((transport) => ERAS.map((era) => [transport, era] as const)))(
  "over %s, %s protocol, with --watch",
  (transport, era) => {
    test("an edit reaches connected clients; a broken one leaves the last good tools and is reported [RUN-watch]", async () => {
      const root = folder({ "mci.json": file(text("a", "one")) });
      const { client, notified, stderr } = await watcher(transport, era, { cwd: root });
      expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true } });
      expect(await names({ client })).toEqual(["a"]);

      write(root, "mci.json", file(text("a", "two"), text("b", "new")));
      await until(() => notified() === 1, "the client to be notified");
      expect(await names({ client })).toEqual(["a", "b"]);
      expect(await say({ client }, "a")).toEqual([{ type: "text", text: "two" }]);

      write(root, "mci.json", '{"schemaVersion": "1.0", "tools": [{"name": "c"}]}');
      await until(() => stderr().includes("Not reloaded: 2 tools as before"), "the report");
      expect(stderr()).toMatch(/mci\.json:1:\d+/);
      expect(await names({ client })).toEqual(["a", "b"]);
      expect(await say({ client }, "b")).toEqual([{ type: "text", text: "new" }]);

      write(root, "mci.json", file(text("c", "mended")));
      await until(() => notified() === 2, "the client to be notified");
      expect(await names({ client })).toEqual(["c"]);
      await expect(client.callTool({ name: "a" })).rejects.toMatchObject({ code: -32_602 });
    });
  },
);

test("toolsets and env files are watched as well, also those that turn up later [RUN-watch]", async () => {
  const root = folder({
    "mci.json": { ...file(text("env", "{{env.WHO | 'default'}}")), toolsets: ["set"] },
    "mci/set.mci.json": file(text("a", "x")),
  });
  const { client, notified, stderr } = await watcher("stdio", "legacy", { cwd: root });
  expect(await names({ client })).toEqual(["env", "a"]);
  write(root, "mci/set.mci.json", file(text("b", "x")));
  await until(() => notified() === 1, "the toolset's change");
  expect(await names({ client })).toEqual(["env", "b"]);
  write(root, ".env", "WHO=Ada");
  await until(() => notified() === 2, "the env file's change");
  expect(await say({ client }, "env")).toEqual([{ type: "text", text: "Ada" }]);

  // A toolset is included before it exists, and then created.
  write(root, "mci.json", { ...file(), toolsets: ["set", "late"] });
  await until(() => stderr().includes("Toolset not found: late"), "the report");
  expect(await names({ client })).toEqual(["env", "b"]);
  mkdirSync(join(root, "mci/late"));
  write(
    root,
    "mci/late/x.mci.yaml",
    "schemaVersion: '1.0'\ntools: [{name: late, execution: {type: text, text: x}}]",
  );
  await until(() => notified() >= 3, "the new toolset");
  expect(await names({ client })).toEqual(["b", "late"]);
  // And a second file in its folder.
  write(root, "mci/late/y.mci.json", file(text("later", "x")));
  await until(() => notified() >= 4, "the new file");
  expect(await names({ client })).toEqual(["b", "late", "later"]);
});

test("a file that is replaced, or gone for a moment, is followed [RUN-watch]", async () => {
  const root = folder({ "mci.json": file(text("a", "x")) });
  const { client, notified, stderr } = await watcher("stdio", "modern", { cwd: root });
  write(root, "new", file(text("b", "x")));
  renameSync(join(root, "new"), join(root, "mci.json"));
  await until(() => notified() === 1, "the replaced file");
  rmSync(join(root, "mci.json"));
  await until(
    () => stderr().includes("mci.json was removed: 1 tool as before, until it is back"),
    "the report",
  );
  expect(await names({ client })).toEqual(["b"]);
  write(root, "mci.json", file(text("c", "x")));
  await until(() => notified() === 2, "the file to come back");
  expect(await names({ client })).toEqual(["c"]);
});

test("calls in flight finish on the tools they began with, whose servers end afterwards", async () => {
  const root = folder({
    "mci.json": {
      ...file(nap("pids", 2.5), upstream("pid")),
      mcp_servers: UPSTREAM,
    },
  });
  const { client, notified } = await watcher("stdio", "legacy", { cwd: root });
  const { content } = await client.callTool({ name: "pid" });
  const server = Number((content[0] as { text: string }).text);
  const call = client.callTool({ name: "nap" });
  await until(() => pids(join(root, "pids")).length === 1, "the call to begin");
  write(root, "mci.json", file(text("b", "new")));
  await until(() => notified() === 1, "the client to be notified");
  expect(await say({ client }, "b")).toEqual([{ type: "text", text: "new" }]);
  expect([server, ...pids(join(root, "pids"))].every(isAlive)).toBe(true);
  expect((await call).content).toEqual([{ type: "text", text: "rested" }]);
  await until(() => !isAlive(server), "the old tools' server to end");
});

test("every client over HTTP is notified, whichever protocol it speaks [RUN-watch]", async () => {
  const root = folder({ "mci.json": file(text("a", "x")) });
  const { url } = await serveHttp({ cwd: root, args: ["--watch"] });
  const notified = new Map<string, number>();
  for (const [era, who] of [
    ...ERAS.map((era) => [era, `${era} 1`] as const),
    ...ERAS.map((era) => [era, `${era} 2`] as const),
  ]) {
    const onChanged = () => void notified.set(who, (notified.get(who) ?? 0) + 1);
    await connectTo(url, era, { listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged } } });
  }
  write(root, "mci.json", file(text("b", "x")));
  await until(() => notified.size === 4, "all to be notified");
  expect([...notified.values()]).toEqual([1, 1, 1, 1]);
});

test("standard error need not be read [RUN-stderr]", async () => {
  const root = folder({ "mci.json": file(text("a", "x")) });
  const { url, child } = await startHttp({ cwd: root, args: ["--watch"] });
  child.stderr?.destroy();
  let notified = 0;
  const onChanged = () => {
    notified++;
  };
  const client = await connectTo(url, "modern", {
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged } },
  });
  write(root, "mci.json", file(text("b", "x")));
  await until(() => notified === 1, "the first edit");
  write(root, "mci.json", file(text("c", "x")));
  await until(() => notified === 2, "the second edit");
  expect(await names({ client })).toEqual(["c"]);
});
