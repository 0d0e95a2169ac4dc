import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder, mci } from "../mci.ts";
import { file, text } from "./file.ts";
import { INITIALIZE, notification, rpc } from "./raw.ts";

/** Writes which modules of Node.js the program loaded. */
const HOOK = `process.on("exit", () => require("node:fs").writeFileSync("loaded.txt", process.moduleLoadList.join("\\n")));`;

test("a file with plain tools is served on standard input and output without what only other files need", async () => {
  const cwd = folder({ "mci.json": file(text("hello", "Hello")), "hook.cjs": HOOK });
  const messages = [
    INITIALIZE,
    notification("notifications/initialized", {}),
    rpc("tools/list", {}, 2),
    rpc("tools/call", { name: "hello", arguments: {} }, 3),
  ];
  const { stdout, stderr } = await mci(["run"], {
    cwd,
    env: { NODE_OPTIONS: `--require ${join(cwd, "hook.cjs")}` },
    stdin: messages.map((message) => `${JSON.stringify(message)}\n`).join(""),
  });
  expect(stdout, stderr).toContain('"text":"Hello"');
  const loaded = readFileSync(join(cwd, "loaded.txt"), "utf8").split("\n");
  expect(loaded).toContain("NativeModule fs");
  for (const name of ["http", "child_process"]) expect(loaded).not.toContain(`NativeModule ${name}`);
});
