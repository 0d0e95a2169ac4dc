import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { COMPILE_CACHE } from "../programs/programs.ts";

const COMMANDS = fileURLToPath(new URL("./commands.ts", import.meta.url));

/** One run of the Inspector: its options, and the command line of the server, if it is not at an address. */
export interface Inspection {
  readonly options: readonly string[];
  readonly server?: readonly string[];
}

/** What the official Inspector, from the command line, gets from servers: the result of each run, in order. */
export async function inspect(
  inspections: readonly Inspection[],
  { cwd, env }: { readonly cwd?: string; readonly env: Readonly<Record<string, string>> },
) {
  const commands = inspections.map(({ options, server = [] }) => [
    ...options,
    ...["--format", "json", "--quiet", "--"],
    ...server,
  ]);
  const child = spawn(process.execPath, [COMMANDS, JSON.stringify(commands)], {
    cwd,
    env: { PATH: process.env["PATH"], ...COMPILE_CACHE, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | string | null>((resolve) => {
    child.once("close", resolve);
    child.once("error", ({ message }) => resolve(message));
  });
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  expect(code, stderr).toBe(0);
  const outputs = stdout.split("\n---\n").slice(0, -1);
  return { results: outputs.map((output) => JSON.parse(output).result), warnings: stderr };
}
