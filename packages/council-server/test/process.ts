import { type ChildProcess, spawn } from "node:child_process";
import { pathToFileURL } from "node:url";
import { cleanUpAfterTest } from "../../../test/clean-up/clean-up.ts";
import { COMPILE_CACHE, program } from "../../../test/programs/programs.ts";

const children = new Set<ChildProcess>();
cleanUpAfterTest(() => {
  // A test that failed midway leaves nothing behind.
  for (const child of children) child.kill("SIGKILL");
  children.clear();
});

const main = program("packages/council-server", "main.js");
/** For `node --import`: the package for PostgreSQL as it is now, not from the last build. */
const postgresHook = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  const url = ${JSON.stringify(pathToFileURL(program("packages/council-postgres", "index.js")).href)};
  registerHooks({ resolve: (name, context, next) =>
    name === "@mci-ts/council-postgres" ? { url, shortCircuit: true } : next(name, context) });`)}`;

/** A child that started as a user would start it. */
export interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  /** Everything it has printed so far. */
  readonly output: () => string;
  readonly exited: Promise<number | null>;
}

/** Starts the service on a free port and waits until it says where it listens. */
export async function startProcess(
  env: Record<string, string>,
  args: readonly string[] = [],
): Promise<Started> {
  const { child, output, exited } = launch({ PORT: "0", ...env }, args);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.on("data", () => {
      const found = /is listening on (\S+)/.exec(output());
      if (found && output().includes("openapi.json")) resolve(found[1]!);
    });
    void exited.then((code) => reject(new Error(`ended with ${code}: ${output()}`)));
  });
  return { child, url, output, exited };
}

export function launch(env: Record<string, string>, args: readonly string[] = []): Omit<Started, "url"> {
  const { PATH = "", HOME = "" } = process.env;
  const hook = "DATABASE_URL" in env ? ["--import", postgresHook] : [];
  const child = spawn(process.execPath, [...hook, main, ...args], {
    env: { PATH, HOME, ...COMPILE_CACHE, MCI_DETECT_LOCAL: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.add(child);
  let text = "";
  for (const stream of [child.stdout!, child.stderr!])
    stream.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")));
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { child, output: () => text, exited };
}
