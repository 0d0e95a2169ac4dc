import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cpuMs } from "../../../../../test/cpu-time.ts";
import { temporaryFolder } from "../../../../../test/temporary-folder.ts";
import type { Part } from "../../template-api.ts";
import type { PathRules } from "../executor.ts";
import type { Argument } from "./args.ts";
import { rejectOutsidePaths } from "./paths.ts";

const author = (text: string): Part => ({ text, origin: "author" });
const props = (text: string): Part => ({ text, origin: "props" });
const env = (text: string): Part => ({ text, origin: "env" });

/** `root/base` is allowed; `root/outside` is not; `base/link` and `base/leak` lead there. */
function folders() {
  const root = temporaryFolder();
  for (const folder of ["base/data", "outside/deep"]) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, "outside/file"), "");
  writeFileSync(join(root, "base/data/file"), "");
  for (const name of [".env", "data/.env.local", "mci.json", "other.mci.yaml"])
    writeFileSync(join(root, "base", name), "");
  symlinkSync(join(root, "outside/deep"), join(root, "base/link"));
  symlinkSync("../outside/file", join(root, "base/leak"));
  symlinkSync("../outside/new", join(root, "base/dangling"));
  const base = join(root, "base");
  const rules: PathRules = { baseDir: base, enableAnyPaths: false, directoryAllowList: [] };
  const isRefused = (item: Argument, changes: Partial<PathRules> = {}, cwd = base) => {
    try {
      rejectOutsidePaths([item], cwd, { paths: { ...rules, ...changes } });
      return false;
    } catch (error) {
      return (error as Error).message.startsWith("File path access outside context directory and allow-list");
    }
  };
  return { root, base, isRefused };
}

describe("a value that leads outside the allowed directories is refused", () => {
  test.each([
    "/etc/passwd",
    "/etc",
    "/etc/",
    "/",
    "//etc/passwd",
    "/etc/./passwd",
    "/etc/a-new-file",
    "/etc/new/folder/file",
    "..",
    "../outside/file",
    "../outside/new",
    "data/../../outside/file",
    "data/../..",
    "leak",
    "./leak",
    "dangling",
    "link/x",
    "link://,",
    "x=leak://host",
    "link/../file",
    "missing/../../outside/file",
    "@/etc/passwd",
    "<../outside/file",
    "@leak",
    "x=/etc/passwd",
    "x=@leak",
    "f=@/etc/passwd;type=text/plain",
    "/etc:/mnt:ro",
    "host:/etc/passwd",
    "type=bind,src=/etc,dst=/x",
    "a,../outside/file",
    "file:///etc/passwd",
    "file:/etc/passwd",
    "FILE://localhost/etc/passwd",
    "file:///%65tc/passwd",
    "file:///missing,file:///%65tc/passwd",
    "sqlite:///etc/passwd",
    "a://b,/etc/passwd",
    "--file=/etc/passwd",
    "a,b,link/secret.txt",
    "a;b;link/secret.txt",
    "a:b:leak",
    "a,b,leak",
    `${"./".repeat(2000)}link/../file`,
    `${"./".repeat(50_000)}link/../file`,
    "~",
    "~/secrets",
    ...(process.platform === "linux" ? ["~root", "x=~root/.ssh/id_rsa"] : []),
    "$HOME/.ssh/id_rsa",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as a caller writes it
    "x=${HOME}/.ssh",
    ".env",
    "a,data/.env.local",
    "mci.json",
    "data/../other.mci.yaml",
    "-f/etc/passwd",
  ])("%s [C-cwd]", (value) => {
    const { isRefused } = folders();
    expect(isRefused([props(value)])).toBe(true);
    expect(isRefused([props(value)], { enableAnyPaths: true })).toBe(false);
  });

  test("also behind text of the author", () => {
    const { isRefused } = folders();
    for (const item of [
      [author("--file="), props("/etc/passwd")],
      [author("--file="), props("leak")],
      [author("-o"), props("/etc/passwd")],
      [author("@"), props("leak")],
      [author("./data/"), props("../../outside/file")],
      [author("--in=./data/"), props("../../outside/file")],
      [author("x=y=./"), props("leak")],
      [author("./"), props("link"), author("/x")],
      [author("/usr/share/"), props("../../etc/passwd")],
      [author("/"), props("etc/passwd")],
      [author("file://"), props("/etc/passwd")],
    ]) {
      expect(isRefused(item), JSON.stringify(item)).toBe(true);
    }
  });

  test("also before text of the author, and beside other values", () => {
    const { isRefused } = folders();
    for (const item of [
      [props("/etc"), author("/passwd")],
      [props("/etc/passwd"), author(":ro")],
      [props("/et"), props("c/passwd")],
      [props(".."), author("/outside/file")],
      [props("data"), author("/"), props("../../outside/file")],
    ]) {
      expect(isRefused(item), JSON.stringify(item)).toBe(true);
    }
  });

  test("seen from the working directory of the call", () => {
    const { base, isRefused } = folders();
    expect(isRefused([props("../..")], {}, join(base, "data"))).toBe(true);
    expect(isRefused([props("..")], {}, join(base, "data"))).toBe(false);
  });
});

describe("a value is not a path, or an allowed one", () => {
  test.each([
    "",
    ".",
    "word",
    "two words",
    "data/file",
    "data/new",
    "./data/../data/file",
    "/api/v1",
    "/api",
    "^/api/(v1|v2)/.*$",
    "s/a/b/g",
    "HEAD..main",
    "a...b",
    "see ../outside/file for more",
    "https://example.com/etc/passwd",
    "http://home/x",
    "http://etc/passwd",
    "user@example.com",
    "12:30",
    "a=b=c",
    '{"path":"x","n":[1,2]}',
    "a~b/c",
    "$HOMER/x",
    "é/ü",
  ])("%j passes [C-no-path]", (value) => {
    expect(folders().isRefused([props(value)])).toBe(false);
  });

  test("the author and the env may name any path", () => {
    const { isRefused } = folders();
    expect(isRefused([author("/etc/passwd")])).toBe(false);
    expect(isRefused([env("/etc/passwd")])).toBe(false);
    expect(isRefused([author("/etc/hosts:"), props("ro")])).toBe(false);
    expect(isRefused([author("--config=/etc/hosts,name="), props("x")])).toBe(false);
  });

  test("a value may complete a path in a folder the author wrote, but not leave it", () => {
    const { root, isRefused } = folders();
    expect(isRefused([author(`${root}/outside/`), props("file")])).toBe(false);
    expect(isRefused([author(`--in=${root}/outside/f-`), props("1"), author(".txt")])).toBe(false);
    expect(isRefused([author(`${root}/outside/`), props("../base-old")])).toBe(true);
  });

  test("a value cannot leave an existing folder of the author, even where it would be allowed [C-cwd]", () => {
    const { isRefused } = folders();
    expect(isRefused([author("data/"), props("../plain.txt")])).toBe(true);
    expect(isRefused([author("--in=./data/"), props("file")])).toBe(false);
    // The start of a pattern is not a folder.
    expect(isRefused([author("s/"), props("x/../y"), author("/z/")])).toBe(false);
  });

  test("the allow list opens its directories", () => {
    const { root, isRefused } = folders();
    for (const entry of ["../outside", join(root, "outside")]) {
      expect(isRefused([props("../outside/file")], { directoryAllowList: [entry] })).toBe(false);
      expect(isRefused([props("link/x")], { directoryAllowList: [entry] })).toBe(false);
      expect(isRefused([props("/etc/passwd")], { directoryAllowList: [entry] })).toBe(true);
    }
  });
});

test("a hostile list of names is checked in reasonable time", () => {
  const { isRefused } = folders();
  const started = cpuMs();
  expect(isRefused([props("a,".repeat(20_000))])).toBe(false);
  expect(isRefused([props("a/".repeat(20_000))])).toBe(false);
  expect(isRefused([props(Array.from({ length: 7000 }, (_, n) => `x${n}`).join(","))])).toBe(false);
  expect(isRefused([props(`${"/b,".repeat(10_000)}/etc/passwd`)])).toBe(true);
  expect(cpuMs() - started).toBeLessThan(1500);
});
