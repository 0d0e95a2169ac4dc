import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { echo, file, greet } from "./files.ts";
import { mciHere } from "./in-process.ts";
import { folder, mciCommand } from "./mci.ts";

const has = (shell: string) => spawnSync(shell, ["-c", "exit"]).error === undefined;

/** A folder with tools, the shell's script, and `mci` as a program. */
async function project(shell: string): Promise<string> {
  const cwd = folder({
    "mci.json": {
      ...file(greet, echo),
      mcp_servers: {
        s: { command: process.execPath, args: ["-e", "require('fs').writeFileSync('started','')"] },
      },
    },
    "other.mci.json": file({ ...echo, name: "elsewhere" }),
  });
  const { stdout } = await mciHere(["completion", shell], { cwd });
  writeFileSync(join(cwd, "script"), stdout);
  const [program, args] = mciCommand([], { cwd });
  const words = [program, ...args].map((word) => `'${word}'`).join(" ");
  writeFileSync(join(cwd, "mci-program"), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  return cwd;
}

test("[C-completion] bash completes commands, options, choices, and names of tools without starting servers", async () => {
  const cwd = await project("bash");
  const complete = (line: string) => {
    const words = line.split(" ");
    const array = words.map((word) => `'${word}'`).join(" ");
    const script = `mci() { ./mci-program "$@"; }; source ./script; COMP_WORDS=(${array}); COMP_CWORD=${words.length - 1}; _mci; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return spawnSync("bash", ["-c", script], { cwd, encoding: "utf8" }).stdout.trim().split("\n");
  };
  expect(complete("mci va")).toEqual(["validate"]);
  expect(complete("mci inst")).toEqual(["install"]);
  expect(complete("mci list --fo")).toEqual(["--format"]);
  expect(complete("mci list --format j")).toEqual(["json"]);
  expect(complete("mci completion f")).toEqual(["fish"]);
  expect(complete("mci call g")).toEqual(["greet"]);
  expect(complete("mci call --file other")).toContain("other.mci.json");
  expect(spawnSync("ls", { cwd, encoding: "utf8" }).stdout).not.toContain("started");
});

test("a shell that is not known is answered with those that are", async () => {
  const { code, stderr } = await mciHere(["completion", "tcsh"], { cwd: folder({}) });
  expect(code).toBe(2);
  expect(stderr).toContain("hint: Use one of: bash, zsh, fish.\n");
});

test("names of tools come from the file that is named", async () => {
  const cwd = await project("bash");
  const { stdout } = await mciHere(["completion", "tools", "--file", "other.mci.json"], { cwd });
  expect(stdout).toBe("elsewhere\n");
});

test.skipIf(!has("fish"))(
  "[C-completion] fish completes the same (skipped where fish is not installed)",
  async () => {
    const cwd = await project("fish");
    const complete = (line: string) =>
      spawnSync(
        "fish",
        [
          "--no-config",
          "-c",
          `function mci; ./mci-program $argv; end; source ./script; complete -C '${line}'`,
        ],
        { cwd, encoding: "utf8" },
      )
        .stdout.trim()
        .split("\n")
        .map((word) => word.split("\t")[0]);
    expect(complete("mci va")).toEqual(["validate"]);
    expect(complete("mci list --format j")).toEqual(["json"]);
    expect(complete("mci call g")).toEqual(["greet"]);
    expect(complete("mci list --verb")).toEqual(["--verbose"]);
  },
);

test.skipIf(!has("zsh"))(
  "[C-completion] the zsh script is well-formed (skipped where zsh is not installed)",
  async () => {
    const cwd = await project("zsh");
    expect(spawnSync("zsh", ["-n", "script"], { cwd, encoding: "utf8" })).toMatchObject({
      status: 0,
      stderr: "",
    });
    const load = "autoload -Uz compinit && compinit -u -D && source ./script && print $_comps[mci]";
    expect(spawnSync("zsh", ["-f", "-c", load], { cwd, encoding: "utf8" }).stdout).toBe("_mci\n");
  },
);
