import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { CallLog } from "./call-log.ts";
import type { CallStore } from "./call-store.ts";
import { whyNotStored } from "./open-calls.ts";
import { openStoredCalls } from "./stored-calls.ts";

const RESULT = {
  content: [{ type: "text" as const, text: "sent with s3cret" }],
  isError: false,
  metadata: {},
};
const mask = async <T>(value: T): Promise<T> =>
  JSON.parse(JSON.stringify(value).replaceAll("s3cret", "***")) as T;

function place(): string {
  const dir = mkdtempSync(join(tmpdir(), "stored-calls-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return join(dir, "state", "mci", "calls", "x.db");
}

function callOnce(log: CallLog, input: object, options?: { isPrivate: boolean }): number {
  const id = log.start("greet", input, "console", options);
  log.setRequest(id, { type: "text", text: "Hello" });
  log.end(id, { state: "succeeded", duration_ms: 1 }, RESULT);
  return id;
}

describe("calls in a file [UI-calls-stored]", () => {
  test("outlive the process: listed, searched and opened again, without secrets, readable by their owner only", async () => {
    const path = place();
    const first = new CallLog({ store: await openStoredCalls({ path, mask }) });
    const id = callOnce(first, { name: "Ada s3cret" });
    expect(first.detail(id)?.result?.content).toEqual(RESULT.content);
    await first.close();
    expect([statSync(path), statSync(dirname(path))].map(({ mode }) => mode & 0o777)).toEqual([0o600, 0o700]);
    for (const name of readdirSync(dirname(path)))
      expect(readFileSync(join(dirname(path), name), "latin1")).not.toContain("s3cret");

    const second = new CallLog({ store: await openStoredCalls({ path, mask }) });
    expect(second.list()).toMatchObject([
      { id, tool: "greet", state: "succeeded", input: { name: "Ada ***" } },
    ]);
    expect(second.list({ text: "sent with" })).toHaveLength(1);
    expect(second.list({ text: "sent without" })).toHaveLength(0);
    expect(second.detail(id)).toMatchObject({
      request: { type: "text", text: "Hello" },
      result: { content: [{ text: "sent with ***" }] },
    });
    expect(callOnce(second, {})).toBe(id + 1);
    await second.clear();
    expect(second.list()).toEqual([]);
    await second.close();
    const third = await openStoredCalls({ path, mask });
    expect(third.load(500)).toEqual([]);
    expect(readFileSync(path, "latin1")).not.toContain("Ada");
    await third.close();
  });

  test("a call whose tool takes a password, and its number, are in no file", async () => {
    const path = place();
    const log = new CallLog({ store: await openStoredCalls({ path, mask }) });
    const id = callOnce(log, { pin: "hunter2" }, { isPrivate: true });
    expect(log.detail(id)).toMatchObject({ is_private: true, input: { pin: "hunter2" } });
    await log.close();
    const again = new CallLog({ store: await openStoredCalls({ path, mask }) });
    expect(again.list()).toEqual([]);
    expect(callOnce(again, {})).toBe(id + 1);
    await again.close();
  });

  test("one that was running when its process ended says so; of two processes each call has its own number", async () => {
    const path = place();
    const [one, two] = [await openStoredCalls({ path, mask }), await openStoredCalls({ path, mask })];
    const ended = new CallLog({ store: one });
    const id = ended.start("destroy", {}, "console");
    await one.close();
    const next = new CallLog({ store: two });
    expect(next.list()).toMatchObject([
      { id, state: "cancelled", error: expect.stringContaining("not known") },
    ]);
    const three = await openStoredCalls({ path, mask });
    expect(new Set([two, three, two, three].map((store) => store.nextId())).size).toBe(4);
    await Promise.all([two.close(), three.close()]);
  });

  test("is bounded: details of the oldest go first, and the list goes on", async () => {
    const path = place();
    const store = await openStoredCalls({ path, mask, maxChars: 300 });
    const log = new CallLog({ store });
    const ids = [1, 2, 3].map((n) => callOnce(log, { n }));
    await log.close();
    const again = await openStoredCalls({ path, mask });
    expect(again.load(2).map(({ id }) => id)).toEqual(ids.slice(1));
    expect(again.detail(ids[1]!)).toBeUndefined();
    expect(again.detail(ids[2]!)).toContain("sent with");
    expect(again.detail(ids[0]!)).toBeUndefined();
    await again.close();
  });

  test("a file that is damaged, and a store that fails later, leave the calls in memory and say why", async () => {
    const path = place();
    await (await openStoredCalls({ path, mask })).close();
    writeFileSync(path, "not a database, but long enough to be read as one".repeat(200));
    await expect(openStoredCalls({ path, mask })).rejects.toThrow(/database/);
    const broken = {
      place: path,
      load: () => [],
      nextId: () => 7,
      save: (_: unknown, __: unknown, onError: (error: Error) => void) => onError(new Error("disk full")),
    } as unknown as CallStore;
    const log = new CallLog({ store: broken });
    const id = callOnce(log, {});
    expect(log.storage).toEqual({ place: "memory", error: "disk full" });
    expect(log.detail(id)).toMatchObject({ result: RESULT });
    expect(callOnce(log, {})).toBe(id + 1);
  });
});

test("a Node.js without SQLite is told which one has it, any other error in its own words", () => {
  // What an import of `node:sqlite` is answered with there.
  const missing = Object.assign(new Error("No such built-in module: node:sqlite"), {
    code: "ERR_UNKNOWN_BUILTIN_MODULE",
  });
  expect(() => createRequire(import.meta.url)("node:no-such-module")).toThrow(
    expect.objectContaining({ code: missing.code }),
  );
  expect(whyNotStored(missing)).toBe(`that needs Node.js 22.13 or newer, and this is ${process.version}`);
  expect(whyNotStored(new Error("disk full"))).toBe("disk full");
});
