import { mergeConfig } from "vitest/config";
import config from "./vitest.config.ts";

// For the edit loop: the unit tests beside their files, the conformance cases and the rules of the repository. No
// packed packages, no long-running processes; `npm test` has them.
const quick = mergeConfig(config, {});
quick.test.include = [
  "packages/*/src/**/*.test.ts",
  "{conformance,test/requirements}/**/*.test.ts",
  "test/*.test.ts",
];
quick.test.exclude = [...(quick.test.exclude ?? []), "test/packages.test.ts", "**/node_modules/**"];
export default quick;
