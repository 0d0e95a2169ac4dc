import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder } from "../../test/mci.ts";
import { canStart } from "./which.ts";

test("a bare name is looked for on PATH, a path from the file's folder; it must be an executable file", () => {
  const cwd = folder({ "bin/tool": "", "bin/data": "", "bin/dir/x": "", "run.sh": "" });
  for (const file of ["bin/tool", "run.sh"]) chmodSync(join(cwd, file), 0o755);
  const options = { cwd, env: { PATH: `/nowhere::${join(cwd, "bin")}` } };
  const found = [
    "tool",
    "data",
    "dir",
    "run.sh",
    "./run.sh",
    "bin/tool",
    "bin/data",
    join(cwd, "run.sh"),
    "",
  ].filter((name) => canStart(name, options));
  expect(found).toEqual(["tool", "./run.sh", "bin/tool", join(cwd, "run.sh")]);
  expect(canStart("tool", { cwd, env: {} })).toBe(false);
});

test("on Windows the extensions of PATHEXT are tried, and Path is PATH", () => {
  const cwd = folder({ "bin/tool.CMD": "" });
  chmodSync(join(cwd, "bin/tool.CMD"), 0o755);
  expect(canStart("tool", { cwd, env: { Path: join(cwd, "bin"), PATHEXT: ".EXE;.CMD" } }, "win32")).toBe(
    true,
  );
  expect(canStart("tool", { cwd, env: { Path: join(cwd, "bin"), PATHEXT: ".EXE" } }, "win32")).toBe(false);
});
