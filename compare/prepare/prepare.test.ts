import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { cached } from "./cache.ts";
import { command } from "./command.ts";
import { LineProcess } from "./line-process.ts";

describe("a folder that is filled once", () => {
  const name = () => {
    const fresh = `test-${randomUUID()}`;
    onTestFinished(() =>
      rmSync(new URL(`../.cache/${fresh}`, import.meta.url), { recursive: true, force: true }),
    );
    return fresh;
  };

  test("is filled again only when its key changes", async () => {
    const folder = name();
    let fills = 0;
    const fill = async (path: string) => writeFileSync(join(path, "content"), String(++fills));
    await cached(folder, ["a"], fill);
    await cached(folder, ["a"], fill);
    expect(fills).toBe(1);
    const path = await cached(folder, ["b"], fill);
    expect(readFileSync(join(path, "content"), "utf8")).toBe("2");
  });

  test("that could not be filled is removed, and tried again", async () => {
    const folder = name();
    const failing = cached(folder, 1, async () => {
      throw new Error("no network");
    });
    await expect(failing).rejects.toThrow("no network");
    const path = await cached(folder, 1, async (path) => writeFileSync(join(path, "content"), ""));
    expect(existsSync(join(path, "content"))).toBe(true);
  });
});

describe("a command", () => {
  const node = (code: string) => command(process.execPath, ["-e", code], tmpdir());

  test("gives its output", async () => expect(await node("console.log(6 * 7)")).toBe("42\n"));

  test("that fails says why, and not which registry it asked", async () => {
    const failing = node(
      "console.error('a\\nnpm error 404 Not Found - GET https://registry.example/x\\nb'); process.exit(1)",
    );
    await expect(failing).rejects.toThrow("npm error 404 Not Found - GET the registry");
  });
});

describe("a process that is asked line by line", () => {
  const start = (code: string) => new LineProcess(process.execPath, ["-e", code], tmpdir());
  const echo = "process.stdin.on('data', (line) => process.stdout.write(line))";

  test("answers, and ends when it is closed", async () => {
    const peer = start(echo);
    expect(await peer.ask({ n: 1 }, 10_000)).toEqual({ n: 1 });
    expect(await peer.ask({ n: 2 }, 10_000)).toEqual({ n: 2 });
    await peer.close();
    await expect(peer.ask({}, 1000)).rejects.toThrow("the process ended");
  });

  test("that does not answer in time is ended", async () => {
    const peer = start("setInterval(() => {}, 1000)");
    await expect(peer.ask({}, 200)).rejects.toThrow("took longer than 200 ms");
    await peer.close();
  });
});
