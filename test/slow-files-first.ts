import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * A worker is shared only while the next file is of the same project, so the projects follow each other; short files fill the
 * end. The one file of the browser takes longest of all.
 */
const PROJECTS = ["browser", "rules", "stories", "unit"];

/** The files that take longest by far. Started last, they would run alone at the end, on one core. */
const SLOW = [
  "test/linear-time/linear-time.test.ts",
  "conformance/conformance.test.ts",
  "packages/cli/test/conformance/alpha.test.ts",
  "packages/mci/test/adapters/frameworks.test.ts",
  "packages/mci/test/mcp/leaving.test.ts",
  "packages/cli/test/serve/stop.test.ts",
  "packages/server/test/load.test.ts",
  "packages/server/test/clients/python.test.ts",
  "packages/cli/test/serve/http.test.ts",
  "packages/server/test/main.test.ts",
  "test/docs/pages.test.ts",
  "test/packages.test.ts",
  "packages/server/test/tasks.test.ts",
];

/** Vitest's own order, which knows durations from the second run on, behind the slow files of each project. */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const project = (file: TestSpecification) => PROJECTS.indexOf(file.project.name);
    const slow = ({ moduleId }: TestSpecification) => {
      const index = SLOW.findIndex((path) => moduleId.endsWith(path));
      return index < 0 ? SLOW.length : index;
    };
    return (await super.sort(files)).sort((a, b) => project(a) - project(b) || slow(a) - slow(b));
  }
}
