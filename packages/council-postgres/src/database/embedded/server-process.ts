import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { isAlive } from "@mci-ts/primitives/is-alive";

/** Whether the process is a PostgreSQL server of the data directory, another program, or gone. */
export async function isServerOf(pid: number, data: string): Promise<"server" | "other" | "none"> {
  if (!isAlive(pid)) return "none";
  const command = await commandLine(pid);
  // Unknown: better to wait for a server than to start a second one on the same files.
  if (command === undefined) return "server";
  return command.includes(data) ? "server" : "other";
}

async function commandLine(pid: number): Promise<string | undefined> {
  try {
    if (process.platform === "linux") return await readFile(`/proc/${pid}/cmdline`, "utf8");
    if (process.platform === "win32") return undefined;
    return (await promisify(execFile)("ps", ["-p", String(pid), "-o", "args="])).stdout;
  } catch {
    return undefined;
  }
}
