import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest by far. Started last, they would run alone at the end, on one core. */
const SLOW = [
  "packages/console/test/first-half.test.ts",
  "packages/console/test/second-half.test.ts",
  "test/linear-time/linear-time.test.ts",
  "conformance/conformance.test.ts",
  "packages/cli/test/conformance/alpha.test.ts",
  "packages/mci/test/adapters/frameworks.test.ts",
  "packages/mci/test/mcp/leaving.test.ts",
  "packages/cli/test/serve/stop.test.ts",
  "packages/council-server/test/load.test.ts",
  "packages/council-server/test/clients/python.test.ts",
  "packages/cli/test/serve/http.test.ts",
  "packages/council-server/test/main.test.ts",
  "test/docs/pages.test.ts",
  "test/packages.test.ts",
  "packages/council-server/test/tasks.test.ts",
];

/** Vitest's own order, which knows durations from the second run on, behind the slow files. Unit tests are short and fill the end. */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const index = SLOW.findIndex((path) => moduleId.endsWith(path));
  if (index >= 0) return index;
  return /\/packages\/[^/]+\/src\//.test(moduleId) ? SLOW.length + 1 : SLOW.length;
}
