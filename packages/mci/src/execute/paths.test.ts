import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, posix, win32 } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { ToolError } from "../errors.ts";
import type { PathRules } from "./executor.ts";
import { isInside, realPath, resolvePath } from "./paths.ts";

const SENTENCE =
  "File path access outside context directory and allow-list is not allowed unless enableAnyPaths is true. Path: ";

/** `base` is allowed, `other` lies beside it. */
function folders() {
  const root = temporaryFolder();
  for (const folder of ["base/docs", "base-old", "other/deep"])
    mkdirSync(join(root, folder), { recursive: true });
  for (const file of ["base/in.txt", "base-old/old.txt", "other/out.txt"])
    writeFileSync(join(root, file), file);
  const rules: PathRules = { baseDir: join(root, "base"), enableAnyPaths: false, directoryAllowList: [] };
  return { root, base: join(root, "base"), other: join(root, "other"), rules };
}

function refusal(given: string, rules: PathRules): string {
  try {
    return `allowed: ${resolvePath(given, rules)}`;
  } catch (error) {
    return error instanceof ToolError && error.code === "path_refused" ? error.message : String(error);
  }
}

describe("containment", () => {
  test.each([
    ["/data", "/data", true],
    ["/data", "/data/a/b", true],
    ["/data", "/data-old/a", false],
    ["/data", "/", false],
    ["/data", "/data/..a", true],
    ["/data/..a", "/data", false],
    ["/", "/etc", true],
  ])("on POSIX, %s holds %s: %s [F-base]", (root, target, expected) => {
    expect(isInside(root, target, posix)).toBe(expected);
  });

  test.each([
    ["C:\\data", "C:\\data\\a", true],
    ["C:\\data", "c:\\DATA\\a", true],
    ["C:\\data", "C:\\data-old\\a", false],
    ["C:\\data", "D:\\data\\a", false],
    ["C:\\data", "\\\\server\\share\\data", false],
    ["C:\\", "C:\\Windows", true],
    ["\\\\server\\share", "\\\\server\\share\\a", true],
    ["\\\\server\\share", "\\\\server\\other\\a", false],
  ])("on Windows, %s holds %s: %s [P-windows]", (root, target, expected) => {
    expect(isInside(root, target, win32)).toBe(expected);
  });
});

describe("a path of a tool", () => {
  test("is relative to the MCI file's directory, wherever the process stands [F-base]", () => {
    const { base, rules } = folders();
    expect(resolvePath("in.txt", rules)).toBe(join(base, "in.txt"));
    expect(resolvePath("docs/../in.txt", rules)).toBe(join(base, "in.txt"));
    expect(resolvePath(".", rules)).toBe(base);
  });

  test("is refused outside, in the words of the specification, with the path as it was given [C-result]", () => {
    const { other, rules } = folders();
    for (const given of [
      "../other/out.txt",
      "docs/../../other/out.txt",
      "../base-old/old.txt",
      join(other, "out.txt"),
      "/",
    ]) {
      expect(refusal(given, rules)).toBe(SENTENCE + given);
    }
  });

  test("is refused in the same words whether it exists or not [P-oracle]", () => {
    const { other, rules } = folders();
    for (const given of [
      "../other/missing",
      join(other, "missing/deeper"),
      "/root/missing",
      "../nothing-here",
    ]) {
      expect(refusal(given, rules)).toBe(SENTENCE + given);
    }
  });

  test("is judged by where its symbolic links lead [F-base]", () => {
    const { base, other, rules } = folders();
    symlinkSync(other, join(base, "out"));
    symlinkSync("../other/out.txt", join(base, "out.txt"));
    symlinkSync("in.txt", join(base, "again.txt"));
    expect(refusal("out/out.txt", rules)).toBe(`${SENTENCE}out/out.txt`);
    expect(refusal("out.txt", rules)).toBe(`${SENTENCE}out.txt`);
    expect(refusal("out/new.txt", rules)).toBe(`${SENTENCE}out/new.txt`);
    expect(resolvePath("again.txt", rules)).toBe(join(base, "in.txt"));
  });

  test("is refused when a symbolic link leads to a missing file outside", () => {
    const { base, rules } = folders();
    symlinkSync("../other/missing.txt", join(base, "dangling"));
    symlinkSync("dangling", join(base, "twice"));
    expect(refusal("twice", rules)).toBe(`${SENTENCE}twice`);
  });

  test("ends with the link itself when links form a loop", () => {
    const { base, rules } = folders();
    symlinkSync("b", join(base, "a"));
    symlinkSync("a", join(base, "b"));
    expect(resolvePath("a/x", rules)).toMatch(/[ab]\/x$/);
  });

  test("may lie in a directory of the allow list, absolute or relative to the MCI file [P-any]", () => {
    const { base, other, rules } = folders();
    symlinkSync(other, join(base, "link"));
    for (const entry of [other, "../other", "link"]) {
      const open = { ...rules, directoryAllowList: ["./missing", entry] };
      expect(resolvePath("../other/out.txt", open)).toBe(join(other, "out.txt"));
      expect(refusal("../base-old/old.txt", open)).toBe(`${SENTENCE}../base-old/old.txt`);
    }
  });

  test("may lie anywhere with enableAnyPaths [P-any]", () => {
    const { other, rules } = folders();
    expect(resolvePath("../other/out.txt", { ...rules, enableAnyPaths: true })).toBe(join(other, "out.txt"));
  });

  test("is found when the MCI file's directory is itself reached through a link", () => {
    const { root, base } = folders();
    symlinkSync(base, join(root, "current"));
    const rules = { baseDir: join(root, "current"), enableAnyPaths: false, directoryAllowList: [] };
    expect(resolvePath("in.txt", rules)).toBe(join(base, "in.txt"));
    expect(resolvePath(join(base, "in.txt"), rules)).toBe(join(base, "in.txt"));
  });

  test("with a NUL or of absurd length is refused", () => {
    const { rules } = folders();
    expect(refusal("in.txt\0.png", rules)).toBe("A path must not contain a NUL character.");
    expect(refusal("a/".repeat(100_000), rules)).toBe("A path must be shorter than 4096 characters.");
  });
});

test("climbing after a link climbs from the link's target, as the system does", () => {
  const { base, other } = folders();
  symlinkSync(join(other, "deep"), join(base, "link"));
  expect(realPath(`${base}/link/../out.txt`)).toEqual({
    real: join(other, "out.txt"),
    existing: join(other, "out.txt"),
  });
  expect(realPath(`${base}/link/../new/x`)).toEqual({ real: join(other, "new/x"), existing: other });
});
