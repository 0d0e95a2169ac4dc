import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LineProcess } from "../prepare/line-process.ts";
import type { Installed } from "../prepare/peers.ts";
import type { Workspace } from "./worker.ts";

/** One implementation that does the work, in a process of its own. */
export interface Contestant {
  readonly name: string;
  start(workspace: Workspace): LineProcess;
}

const file = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

export const bare: Contestant = {
  name: "bare",
  start: (workspace) =>
    new LineProcess(process.execPath, [file("peers/bare.ts"), JSON.stringify(workspace)], workspace.dir),
};

/** Its program is copied to where its packages are installed, so that it finds those and no others. */
export function onNode({ name, folder }: Installed, program: string): Contestant {
  for (const path of [program, "speed/worker.ts"]) cpSync(file(path), join(folder, path));
  return {
    name,
    start: (workspace) =>
      new LineProcess(process.execPath, [join(folder, program), JSON.stringify(workspace)], workspace.dir),
  };
}

export function onPython({ name, folder }: Installed): Contestant {
  return {
    name,
    start: (workspace) =>
      new LineProcess(
        join(folder, "bin/python"),
        [file("peers/mci_py_work.py"), JSON.stringify(workspace)],
        workspace.dir,
      ),
  };
}
