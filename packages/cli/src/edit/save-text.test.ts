import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder } from "../../test/mci.ts";
import { saveText } from "./save-text.ts";

test("[C-conflict] a file that was changed, made or removed since it was read is left as it is", async () => {
  const file = join(folder({ "f.json": "old" }), "f.json");
  const conflict = "f.json was changed by something else meanwhile; nothing was written.";
  await expect(saveText(file, "mine", "older", "f.json")).rejects.toThrow(conflict);
  await expect(saveText(file, "mine", undefined, "f.json")).rejects.toThrow(conflict);
  expect(readFileSync(file, "utf8")).toBe("old");
  rmSync(file);
  await expect(saveText(file, "mine", "old", "f.json")).rejects.toThrow(conflict);
  expect(existsSync(file)).toBe(false);
});

test("[C-conflict] a file that is as it was read, or not there, is written", async () => {
  const file = join(folder({}), ".env");
  await saveText(file, "A=1", undefined, ".env", { mode: 0o600 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await saveText(file, "A=2", "A=1", ".env");
  expect(readFileSync(file, "utf8")).toBe("A=2");
  writeFileSync(file, "A=3");
  await expect(saveText(file, "A=4", "A=2", ".env")).rejects.toThrow(".env was changed");
});
