import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { readBytesSync } from "./read-sync.ts";

test.each([
  ["a file that has become shorter", 100, "Grüße"],
  ["a file that has become longer", 4, "Grü"],
  ["an empty file", 10, ""],
])("%s is read as far as it goes", (_, size, expected) => {
  const folder = temporaryFolder({ file: expected === "" ? "" : "Grüße" });
  const fd = openSync(join(folder, "file"), "r");
  onTestFinished(() => closeSync(fd));
  expect(readBytesSync(fd, size).toString()).toBe(expected);
});
