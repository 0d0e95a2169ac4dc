import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A repository of two authors and three commits, in a temporary directory. */
export function makeRepository(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "mci-example-git-")));
  const git = (...args: string[]) => execFileSync("git", args, { cwd: directory, stdio: "pipe" });
  const commit = (author: string, message: string) => {
    const identity = ["-c", `user.name=${author}`, "-c", `user.email=${author}@example.com`];
    git("add", ".");
    git(...identity, "-c", "commit.gpgsign=false", "commit", "--quiet", "--message", message);
  };
  git("init", "--quiet");
  writeFileSync(join(directory, "plan.md"), "Version 1\n");
  commit("ada", "Start with a plan");
  mkdirSync(join(directory, "src folder"));
  writeFileSync(join(directory, "src folder", "main.txt"), "Hello\n");
  commit("bo", "Add the program; fix: $(nothing)");
  writeFileSync(join(directory, "plan.md"), "Version 2\n");
  commit("ada", "Better plan");
  return directory;
}
