import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readBytesSync } from "./read-sync.ts";

test.each([
  ["a file that has become shorter", 100, "Grüße"],
  ["a file that has become longer", 4, "Grü"],
  ["an empty file", 10, ""],
])("%s is read as far as it goes", (_, size, expected) => {
  const folder = mkdtempSync(join(tmpdir(), "mci-read-"));
  const path = join(folder, "file");
  writeFileSync(path, expected === "" ? "" : "Grüße");
  const fd = openSync(path, "r");
  onTestFinished(() => {
    closeSync(fd);
    rmSync(folder, { recursive: true });
  });
  expect(readBytesSync(fd, size).toString()).toBe(expected);
});
