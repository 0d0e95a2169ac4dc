/**
 * The whole check: build, then types, lint and tests side by side. Ends with the slowest test files and the one line that sums up the
 * suite: "N passed, N failed"; with a non-zero code if any part fails.
 *
 *     npm test -- --durations    also measures the processor time of each test file and of the processes it starts
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCosts, slowestByCpu, slowestByTime, type TimedFile } from "./slowest-files.ts";

const results = mkdtempSync(join(tmpdir(), "mci-test-"));
const report = join(results, "report.json");
const costs = join(results, "durations.jsonl");
const durations = process.argv.includes("--durations");
if (durations) process.env["MCI_TEST_DURATIONS"] = costs;

// The type checker is a Go program: with fewer collections it needs a third less processor time, and a tenth more memory.
process.env["GOGC"] ??= "400";

type Step = readonly [title: string, command: string, ...args: string[]];

/** One group after another; the steps of a group side by side. The first shows its output as it comes, the others after it. */
const groups: readonly (readonly Step[])[] = [
  [["Build", "node", "scripts/build.ts", "--if-changed"]],
  [
    ["Tests", "vitest", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
    // Each further checker repeats much of the work of the first.
    ["Types", "tsc", "--noEmit", "--checkers", "1"],
    ["Types of the console", "tsc", "--noEmit", "--checkers", "1", "-p", "packages/console"],
    ["Lint and format", "biome", "check", "--error-on-warnings", "."],
  ],
];

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numFailedTestSuites: number;
  readonly testResults: readonly TimedFile[];
}

let failedSteps = 0;
for (const group of groups) {
  const finished = group.map((step, index) => run(step, index === 0));
  for (const step of finished) summarize(await step);
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

interface Finished {
  readonly title: string;
  /** What was not shown yet. */
  readonly output: string | undefined;
  /** The exit code, or why it did not start. */
  readonly code: unknown;
}

async function run([title, command, ...args]: Step, isShown: boolean): Promise<Finished> {
  if (isShown) console.log(`\n## ${title}`);
  const child = spawn(command, args, {
    stdio: isShown ? "inherit" : ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => (output += text));
  const [code]: unknown[] = await once(child, "close").catch((error: Error) => [error.message]);
  return { title, output: isShown ? undefined : output, code };
}

function summarize({ title, output, code }: Finished): void {
  if (output !== undefined) console.log(`\n## ${title}\n${output.trimEnd()}`);
  if (code === 0) return;
  failedSteps++;
  console.error(`${title}: failed (exit code ${code})`);
}

function readReport(): Report {
  try {
    return JSON.parse(readFileSync(report, "utf8"));
  } catch {
    return { numPassedTests: 0, numFailedTests: 1, numFailedTestSuites: 1, testResults: [] };
  }
}
