import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest by far. Started last, they would run alone at the end, on one core. */
const SLOW = [
  "packages/cli/test/conformance/alpha.test.ts",
  "packages/mci/test/adapters/frameworks.test.ts",
  "packages/mci/test/mcp/leaving.test.ts",
  "packages/cli/test/serve/stop.test.ts",
  "packages/server/test/load.test.ts",
  "packages/server/test/clients/python.test.ts",
  "packages/cli/test/serve/http.test.ts",
  "examples/agents/agents.test.ts",
  "packages/server/test/main.test.ts",
  "test/docs/pages.test.ts",
  "test/packages.test.ts",
];

/** Vitest's own order, which knows durations from the second run on, behind the slow files. */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = SLOW.findIndex((path) => moduleId.endsWith(path));
      return index < 0 ? SLOW.length : index;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
