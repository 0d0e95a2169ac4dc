/**
 * The whole check, in order: build, types, lint, tests. Ends with the slowest test files and the one line that sums up the
 * suite: "N passed, N failed"; with a non-zero code if any part fails.
 *
 *     npm test -- --durations    also measures the processor time of each test file and of the processes it starts
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCosts, slowestByCpu, slowestByTime, type TimedFile } from "./slowest-files.ts";

const results = mkdtempSync(join(tmpdir(), "mci-test-"));
const report = join(results, "report.json");
const costs = join(results, "durations.jsonl");
const durations = process.argv.includes("--durations");
if (durations) process.env["MCI_TEST_DURATIONS"] = costs;

const steps: readonly (readonly [title: string, command: string, ...args: string[]])[] = [
  ["Build", "node", "scripts/build.ts", "--if-changed"],
  ["Types", "tsc", "--noEmit"],
  ["Types of the console", "tsc", "--noEmit", "-p", "packages/console"],
  ["Lint and format", "biome", "check", "--error-on-warnings", "."],
  ["Tests", "vitest", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
];

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numFailedTestSuites: number;
  readonly testResults: readonly TimedFile[];
}

let failedSteps = 0;
for (const [title, command, ...args] of steps) {
  console.log(`\n## ${title}`);
  const { status } = spawnSync(command, args, { stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) {
    failedSteps++;
    console.error(`${title}: failed (exit code ${status})`);
  }
}

const { numPassedTests, numFailedTests, numFailedTestSuites, testResults } = readReport();
console.log(durations ? slowestByCpu(readCosts(costs), 25) : slowestByTime(testResults, 10));
rmSync(results, { recursive: true, force: true });
// A file that does not even load has no tests to fail, and must not pass for that.
const failed =
  Math.max(numFailedTests, numFailedTestSuites > 0 ? 1 : 0) +
  (failedSteps > 0 && numFailedTests === 0 ? 1 : 0);
console.log(`\n${numPassedTests} passed, ${failed} failed`);
process.exitCode = failed > 0 || failedSteps > 0 || numPassedTests === 0 ? 1 : 0;

function readReport(): Report {
  try {
    return JSON.parse(readFileSync(report, "utf8"));
  } catch {
    return { numPassedTests: 0, numFailedTests: 1, numFailedTestSuites: 1, testResults: [] };
  }
}
