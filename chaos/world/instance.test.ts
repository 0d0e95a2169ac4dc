import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startInstance } from "./instance.ts";
import { startProxy } from "./proxy.ts";

test("an instance that is stopped closes its way to the database, which would keep the campaign's process alive", async () => {
  const folder = mkdtempSync(join(tmpdir(), "chaos-instance-"));
  const way = await startProxy(1);
  try {
    const instance = await startInstance({
      name: "one",
      command: [process.execPath, "-e", "setInterval(() => undefined, 1000)"],
      env: {},
      way,
      logFile: join(folder, "one.log"),
    });
    expect(await accepts(way.port)).toBe(true);
    await instance.stop(20_000);
    expect(await accepts(way.port)).toBe(false);
  } finally {
    await way.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
