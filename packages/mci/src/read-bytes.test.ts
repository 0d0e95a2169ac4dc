import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { readBytes, readBytesSync } from "./read-bytes.ts";

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

test.each([
  ["in one piece", 150_000, 150_000, 150_000],
  ["in chunks, up to its end", 1_000_000, 40_000, 150_000],
  ["in chunks, as far as wanted", 90_000, 40_000, 90_000],
])("a larger file is read %s", async (_, size, maxChunk, expected) => {
  const text = Array.from({ length: 15_000 }, (_, line) => `line ${String(line).padStart(4)}`).join("");
  const fd = openSync(join(temporaryFolder({ file: text }), "file"), "r");
  onTestFinished(() => closeSync(fd));
  expect((await readBytes(fd, size, maxChunk)).toString()).toBe(text.slice(0, expected));
});
