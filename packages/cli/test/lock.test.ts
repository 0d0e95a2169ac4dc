import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { echo, file, greet } from "./files.ts";
import { mciHere } from "./in-process.ts";
import { folder } from "./mci.ts";

test("[C-lock] tools are locked and compared, and each change is named", async () => {
  const cwd = folder({ "mci.json": file(greet, echo) });
  const missing = await mciHere(["lock", "--check"], { cwd });
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining("Run 'mci lock' first.") });

  const written = await mciHere(["lock"], { cwd });
  expect(written).toMatchObject({ code: 0, stderr: "Wrote mci.lock.json: 2 tools\n" });
  const text = readFileSync(join(cwd, "mci.lock.json"), "utf8");
  expect(Object.keys(JSON.parse(text).tools)).toEqual(["echo", "greet"]);
  expect(await mciHere(["lock", "--check"], { cwd })).toMatchObject({ code: 0, stdout: "" });

  writeFileSync(
    join(cwd, "mci.json"),
    JSON.stringify(file({ ...greet, description: "Other" }, { ...echo, name: "echo2" })),
  );
  const checked = await mciHere(["lock", "--check"], { cwd });
  expect(checked.code).toBe(1);
  expect(checked.stdout).toBe(
    "removed  echo (main)\nadded    echo2 (main)\nchanged  greet (main): description\n",
  );
  const json = await mciHere(["lock", "--check", "--format", "json"], { cwd });
  expect(JSON.parse(json.stdout).changes).toHaveLength(3);
  expect(readFileSync(join(cwd, "mci.lock.json"), "utf8")).toBe(text);
});

test("[C-lock] only what is in the lock is served", async () => {
  const cwd = folder({ "mci.json": file(greet, echo) });
  const unlocked = await mciHere(["run", "--locked"], { cwd });
  expect(unlocked).toMatchObject({ code: 1, stderr: expect.stringContaining("Run 'mci lock' to write it") });
  await mciHere(["lock"], { cwd });
  writeFileSync(join(cwd, "mci.json"), JSON.stringify(file({ ...greet, description: "Other" }, echo)));
  const served = await mciHere(["run", "--locked"], { cwd });
  expect(served.stderr).toContain("Tool 'greet' (main) changed since it was locked: description");
  expect(served.stderr).toContain("Serving 1 tool of mci.json");
});
