import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { PACKAGE_SOURCES } from "./scripts/package-sources.ts";
import { SlowFilesFirst } from "./test/slow-files-first.ts";

/** One file of the page's tests if it is named, else all of them as two (packages/console/test/support/halves.ts says why). */
const pageTests = process.argv.some((arg) => /console\/test\/\w+\.test/.test(arg)) ? "*" : "*-half";

// Tests run from source: edit, test, no build between. The processes that stories start run from a bundle made first.
export default defineConfig({
  resolve: {
    // Exactly these names: a path below them (mci-ts/schema.json) is resolved as for everybody else.
    alias: Object.entries(PACKAGE_SOURCES).map(([name, file]) => ({
      find: new RegExp(`^${name}$`),
      replacement: fileURLToPath(new URL(`./packages/${file}`, import.meta.url)),
    })),
  },
  test: {
    // For a machine that other work slows down; a test that waits for something too slow says so itself.
    testTimeout: 60_000,
    hookTimeout: 90_000,
    expect: { poll: { timeout: 20_000 } },
    setupFiles: [
      "test/clean-up/setup.ts",
      ...(process.env["MCI_TEST_DURATIONS"] ? ["test/durations.ts"] : []),
    ],
    // Most stories wait for processes and clocks, so more of them than there are cores run side by side.
    maxWorkers: Math.max(5, availableParallelism()),
    // Helper threads of the garbage collector would take the cores from the other workers.
    execArgv: ["--single-threaded-gc", "--max-semi-space-size=16"],
    sequence: { sequencer: SlowFilesFirst },
    // One project, and files share their workers: a worker serves only files of one project, and to import the libraries anew
    // costs more than most of the files.
    isolate: false,
    globalSetup: "test/programs/build.ts",
    // On a shared machine a process may start too late for a test that waits for it; a defect fails every time. `setup.ts` takes
    // unit tests out.
    retry: process.env["CI"] ? 2 : 0,
    include: [
      "packages/*/{src,serve}/**/*.test.ts",
      // Whole flows with real processes, sockets and packages.
      "packages/!(console)/test/**/*.test.ts",
      "{bench,chaos,compare,examples,live,test/docs}/**/*.test.ts",
      "test/packages.test.ts",
      // The web page in a real browser.
      `packages/console/test/${pageTests}.test.ts`,
      // The behaviour as data, and the rules of the repository.
      "conformance/**/*.test.ts",
      "test/import-rules.test.ts",
      "test/{hostile,linear-time,requirements}/*.test.ts",
    ],
  },
});
