import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";

/*
 * All tests of the page as one file, so in one worker and one browser: to load the servers and to start another Chromium
 * takes more processor time than most of the files. `vitest run packages/console/test/NAME.test.ts` runs one of them alone.
 */
const FILES = {
  api: () => import("./api.test.ts"),
  screens: () => import("./screens.test.ts"),
  tasks: () => import("./tasks.test.ts"),
  tools: () => import("./tools.test.ts"),
  calls: () => import("./calls.test.ts"),
  navigation: () => import("./navigation.test.ts"),
  council: () => import("./council.test.ts"),
  runs: () => import("./runs.test.ts"),
  forms: () => import("./forms.test.ts"),
  failures: () => import("./failures.test.ts"),
  hostile: () => import("./hostile.test.ts"),
  security: () => import("./security.test.ts"),
  login: () => import("./login.test.ts"),
  scale: () => import("./scale.test.ts"),
  previews: () => import("./previews.test.ts"),
};

for (const [name, load] of Object.entries(FILES))
  describe(name, async () => {
    await load();
  });

test("each file of tests in this folder is listed, or it would never run", () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".test.ts"));
  const listed = [...Object.keys(FILES), "all"].map((name) => `${name}.test.ts`);
  expect(files.toSorted()).toEqual(listed.toSorted());
});
