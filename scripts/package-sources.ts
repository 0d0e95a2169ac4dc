import { readdirSync, readFileSync } from "node:fs";
import primitives from "../packages/primitives/package.json" with { type: "json" };

const adapters = new URL("../packages/mci/src/adapters/", import.meta.url);

/** The agent frameworks that `mci-ts/NAME` is an adapter for: the files that export `toTools`. */
export const ADAPTERS: readonly string[] = readdirSync(adapters)
  .filter((file) => /^export function toTools\(/m.test(readFileSync(new URL(file, adapters), "utf8")))
  .map((file) => file.replace(/\.ts$/, ""))
  .sort();

/** Each file of the primitives is an entry point of its own. */
const PRIMITIVES = Object.keys(primitives.exports).map((entry) => entry.slice("./".length));

/** The source file behind each name that our packages import each other by, below `packages`. `tsconfig.json` has the same for the compiler. */
export const PACKAGE_SOURCES: Readonly<Record<string, string>> = {
  "mci-ts": "mci/src/index.ts",
  "mci-ts/authoring": "mci/src/authoring.ts",
  "mci-ts/login": "mci/src/login/index.ts",
  "mci-ts/openapi": "mci/src/openapi/index.ts",
  "mci-ts/proxy": "mci/src/proxy/fetch.ts",
  "mci-ts/code": "mci/src/code/index.ts",
  "mci-ts/search": "mci/src/search/index.ts",
  ...Object.fromEntries(ADAPTERS.map((name) => [`mci-ts/${name}`, `mci/src/adapters/${name}.ts`])),
  "@mci-ts/console": "console/serve/files.ts",
  "@mci-ts/console/tools": "console/serve/tools/index.ts",
  "@mci-ts/council": "council/src/index.ts",
  "@mci-ts/council/answer-key": "council/src/answer-key.ts",
  "@mci-ts/council/example-task": "council/src/tasks/example-task.ts",
  "@mci-ts/council/expected-votes": "council/src/voting/expected-votes.ts",
  "@mci-ts/council/what-if": "council/src/voting/what-if.ts",
  "@mci-ts/council-eval": "council-eval/src/index.ts",
  "@mci-ts/council-eval/console": "council-eval/src/console.ts",
  "@mci-ts/council-postgres": "council-postgres/src/index.ts",
  "@mci-ts/council-server": "council-server/src/index.ts",
  // Types of the API for the console. They are not published.
  "@mci-ts/council-server/api": "council-server/src/api/types.ts",
  "@mci-ts/fake-provider": "fake-provider/src/index.ts",
  "@mci-ts/http-guard": "http-guard/src/index.ts",
  "@mci-ts/http-guard/mcp": "http-guard/src/mcp/index.ts",
  ...Object.fromEntries(
    PRIMITIVES.map((name) => [`@mci-ts/primitives/${name}`, `primitives/src/${name}.ts`]),
  ),
};
