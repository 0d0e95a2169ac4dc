import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { checkExits } from "../checks/instances.ts";
import { startInstance } from "./instance.ts";
import { startProxy } from "./proxy.ts";

test("an instance that is stopped closes its way to the database, which would keep the campaign's process alive", async () => {
  const folder = temporaryFolder();
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
  }
});

test("the reason why an instance ended by itself is what it said, however much follows, and an end without one is a finding", async () => {
  const folder = temporaryFolder();
  const marker = join(folder, "started");
  // The first start says why it ends, the second does not, the third stays.
  const program = `const fs = require("node:fs");
    const before = fs.existsSync(${JSON.stringify(marker)}) ? fs.readFileSync(${JSON.stringify(marker)}, "utf8").length : 0;
    fs.appendFileSync(${JSON.stringify(marker)}, "x");
    if (before === 0) { console.error("instance a was declared dead by another instance: it stops");
      setTimeout(() => { console.error("x".repeat(9000)); process.exitCode = 1; }, 300); }
    else if (before === 1) { console.error("TypeError: x is undefined"); process.exitCode = 1; }
    else setInterval(() => undefined, 1000);`;
  const instance = await startInstance({
    name: "one",
    command: [process.execPath, "-e", program],
    env: {},
    way: await startProxy(1),
    logFile: join(folder, "one.log"),
  });
  try {
    await expect.poll(() => instance.exits.length, { timeout: 20_000 }).toBe(2);
    expect(instance.exits.map(({ reason }) => reason)).toEqual([
      "declared dead by another instance",
      undefined,
    ]);
    const found = checkExits({ instances: [instance] });
    expect(found).toEqual([
      { check: "instances", detail: expect.stringContaining("TypeError: x is undefined") },
    ]);
  } finally {
    await instance.stop(20_000);
  }
});

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
