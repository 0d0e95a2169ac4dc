import { spawn } from "node:child_process";
import { join } from "node:path";
import { measureInTurns, type Row } from "./rounds.ts";
import type { Pace } from "./work.ts";

/** A program that is started and ends. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

export interface Folders {
  readonly "mci-ts": string;
  readonly "mci-ts-cli": string;
  readonly "mci-py"?: string;
  readonly mcix?: string;
  readonly utcp?: string;
}

/** From the start of a process to its end: with nothing to do, with the library imported, and with a list to print. */
export async function measureStarts(folders: Folders, dir: string, pace: Pace): Promise<Row[]> {
  const node = (cwd: string, ...args: string[]): Program => ({ command: process.execPath, args, cwd });
  const python = (venv: string, code: string): Program => ({
    command: join(venv, "bin/python"),
    args: ["-c", code],
    cwd: dir,
  });
  const { "mci-py": py, mcix, utcp } = folders;
  const list = ["list", "--file", join(dir, "tools-10.mci.json")];
  const rows: readonly [string, string, Record<string, Program>][] = [
    [
      "start-nothing",
      "start the language alone",
      {
        "mci-ts": node(dir, "-e", "0"),
        ...(py !== undefined && { "mci-py": python(py, "pass") }),
        ...(utcp !== undefined && { utcp: node(dir, "-e", "0") }),
      },
    ],
    [
      "start-import",
      "import the library",
      {
        bare: node(dir, "-e", "0"),
        "mci-ts": node(folders["mci-ts"], "--input-type=module", "-e", `import "mci-ts"`),
        ...(py !== undefined && { "mci-py": python(py, "import mcipy") }),
        ...(utcp !== undefined && {
          utcp: node(utcp, "--input-type=module", "-e", imports("sdk", "http", "text", "mcp")),
        }),
      },
    ],
    [
      "start-list",
      "`mci list`, `mcix list`: 10 tools",
      {
        bare: node(dir, "-e", "0"),
        "mci-ts": node(dir, join(folders["mci-ts-cli"], "node_modules/.bin/mci"), ...list),
        ...(mcix !== undefined && { "mci-py": { command: join(mcix, "bin/mcix"), args: list, cwd: dir } }),
      },
    ],
  ];
  const measured: Row[] = [];
  for (const [id, what, programs] of rows) {
    const outcomes = await measureInTurns(Object.keys(programs), pace.rounds, (name) => run(programs[name]!));
    measured.push({ id, what, unit: "µs", outcomes });
  }
  return measured;
}

function imports(...names: string[]): string {
  return names.map((name) => `import "@utcp/${name}";`).join("");
}

function run({ command, args, cwd }: Program): Promise<number> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: "ignore", timeout: 60_000 });
    child.once("error", reject);
    child.once("exit", (code) => {
      if (code === 0) resolve((performance.now() - start) * 1000);
      else reject(new Error(`exit code ${code}`));
    });
  });
}
