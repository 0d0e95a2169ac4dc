import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { ApiFailure, type SavedTest, type SavedTests } from "@mci-ts/console/tools";
import { withFileLock } from "../edit/file-lock.ts";
import { writeAtomic } from "../edit/write-atomic.ts";
import { testsFile } from "../project/tests-file.ts";

/** The length of one test as JSON. A larger one is for a program. */
const MAX_TEST_CHARS = 200_000;

/**
 * Adds a test, or replaces the one of the same tool with the same input. Nothing is written that holds the value of a variable: the file
 * is beside the other one, and will be committed with it.
 */
export async function saveTest(file: string, test: SavedTest, mask: <T>(value: T) => T): Promise<SavedTests> {
  const text = JSON.stringify(test);
  if (text.length > MAX_TEST_CHARS)
    throw new ApiFailure(409, "too_large", `The result has ${text.length} characters: too many for a test.`);
  if (JSON.stringify(mask(test)) !== text)
    throw new ApiFailure(
      409,
      "secret_in_test",
      "The input or the result holds the value of a variable, which must not be in a file of tests.",
    );
  const path = testsFile(file);
  createIfMissing(path);
  return withFileLock(path, (requireLock) => {
    const before = readTests(path);
    const at = before.findIndex(
      ({ tool, input }) => tool === test.tool && isDeepStrictEqual(input, test.input),
    );
    const tests = at === -1 ? [...before, test] : before.with(at, { ...before[at], ...test });
    writeAtomic(path, `${JSON.stringify(tests, undefined, 2)}\n`, requireLock);
    return { path, tests: tests.length };
  });
}

function createIfMissing(path: string): void {
  try {
    writeFileSync(path, "[]\n", { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function readTests(path: string): SavedTest[] {
  const broken = (why: string) =>
    new ApiFailure(409, "invalid_tests", `${basename(path)} is left as it is: ${why}.`);
  let tests: unknown;
  try {
    tests = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw broken((error as Error).message);
  }
  if (!Array.isArray(tests)) throw broken("it is not a list of tests");
  return tests as SavedTest[];
}
