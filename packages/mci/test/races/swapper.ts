import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const INSIDE = "inside";
export const OUTSIDE = "elsewhere";

/** A folder in which another process swaps names, as fast as it can, between a place that is allowed and one that is not. */
export interface Swapper {
  /**
   * Allowed. `base/link` leads to `base/real` or to `outside`; `base/folder` is a folder, or a link to `outside` for a moment.
   * All have the same files with different contents.
   */
  readonly base: string;
  readonly outside: string;
  stop(): void;
}

const SWAPS = `
  const { symlinkSync, renameSync } = require("node:fs");
  const [link, folder, ...targets] = process.argv.slice(1);
  process.send("ready");
  process.on("disconnect", () => process.exit());
  let turn = 0;
  const swap = () => {
    for (let i = 0; i < 200; i++) {
      const next = link + "." + turn;
      symlinkSync(targets[turn++ % 2], next);
      renameSync(next, link);
      // The folder itself has been checked when a link takes its name.
      renameSync(folder, folder + ".aside");
      renameSync(folder + ".link", folder);
      renameSync(folder, folder + ".link");
      renameSync(folder + ".aside", folder);
    }
    setImmediate(swap);
  };
  swap();`;

export async function startSwapper(
  files: (content: string) => Readonly<Record<string, string>>,
): Promise<Swapper> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "mci-race-")));
  const [base, outside] = [join(root, "base"), join(root, "outside")];
  for (const [folder, content] of [
    [join(base, "real"), INSIDE],
    [join(base, "folder"), INSIDE],
    [outside, OUTSIDE],
  ] as const) {
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(files(content))) writeFileSync(join(folder, name), text);
  }
  symlinkSync(join(base, "real"), join(base, "link"));
  symlinkSync(outside, join(base, "folder.link"));
  const child = spawn(
    process.execPath,
    ["-e", SWAPS, join(base, "link"), join(base, "folder"), join(base, "real"), outside],
    {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    },
  );
  await new Promise<void>((resolve) => child.once("message", () => resolve()));
  return { base, outside, stop: () => stop(child, root) };
}

function stop(child: ChildProcess, root: string): void {
  child.kill("SIGKILL");
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
}
