import { describe } from "vitest";

/*
 * All tests of the page as two files, so in two workers with a browser each: to load the servers and to start another Chromium
 * takes more processor time than most of the files, but a page waits more than it computes, so two halves take little more than
 * half of the time. `vitest run packages/console/test/NAME.test.ts` runs one of them alone.
 */
const FIRST = {
  screens: () => import("../screens.test.ts"),
  tasks: () => import("../tasks.test.ts"),
  hostile: () => import("../hostile.test.ts"),
  council: () => import("../council.test.ts"),
  forms: () => import("../forms.test.ts"),
  security: () => import("../security.test.ts"),
  inputs: () => import("../inputs.test.ts"),
  keyboard: () => import("../keyboard.test.ts"),
  listening: () => import("../listening.test.ts"),
  details: () => import("../details.test.ts"),
  calls: () => import("../calls.test.ts"),
  plans: () => import("../plans.test.ts"),
  navigation: () => import("../navigation.test.ts"),
};

const SECOND = {
  api: () => import("../api.test.ts"),
  sources: () => import("../sources.test.ts"),
  servers: () => import("../servers.test.ts"),
  tools: () => import("../tools.test.ts"),
  runs: () => import("../runs.test.ts"),
  evaluate: () => import("../evaluate.test.ts"),
  failures: () => import("../failures.test.ts"),
  login: () => import("../login.test.ts"),
  scale: () => import("../scale.test.ts"),
  previews: () => import("../previews.test.ts"),
  pictures: () => import("../pictures.test.ts"),
  gallery: () => import("../gallery.test.ts"),
};

export const HALVES = { "first-half": FIRST, "second-half": SECOND };

/** The tests of the files of this half, each file as a group. */
export function describeHalf(half: keyof typeof HALVES): void {
  for (const [name, load] of Object.entries(HALVES[half]))
    describe(name, async () => {
      await load();
    });
}
