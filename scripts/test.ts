/**
 * The whole check, in order: types, lint, tests, packed packages. Stops with a non-zero code if any part fails, and
 * ends with the one line that sums up the suite: "N passed, N failed".
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const report = join(mkdtempSync(join(tmpdir(), "mci-test-")), "report.json");

const steps: readonly (readonly [title: string, command: string, ...args: string[]])[] = [
  ["Types", "tsc", "--noEmit"],
  ["Types of the console", "tsc", "--noEmit", "-p", "packages/console"],
  ["Lint and format", "biome", "check", "--error-on-warnings", "."],
  ["Tests", "vitest", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
];

let failedSteps = 0;
for (const [title, command, ...args] of steps) {
  console.log(`\n## ${title}`);
  const { status } = spawnSync(command, args, { stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) {
    failedSteps++;
    console.error(`${title}: failed (exit code ${status})`);
  }
}

const { numPassedTests, numFailedTests, numFailedTestSuites } = readReport();
// A file that does not even load has no tests to fail, and must not pass for that.
const failed =
  Math.max(numFailedTests, numFailedTestSuites > 0 ? 1 : 0) +
  (failedSteps > 0 && numFailedTests === 0 ? 1 : 0);
console.log(`\n${numPassedTests} passed, ${failed} failed`);
process.exitCode = failed > 0 || failedSteps > 0 || numPassedTests === 0 ? 1 : 0;

function readReport(): { numPassedTests: number; numFailedTests: number; numFailedTestSuites: number } {
  try {
    return JSON.parse(readFileSync(report, "utf8"));
  } catch {
    return { numPassedTests: 0, numFailedTests: 1, numFailedTestSuites: 1 };
  } finally {
    rmSync(join(report, ".."), { recursive: true, force: true });
  }
}
