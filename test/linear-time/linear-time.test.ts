import { beforeAll, describe, expect, test } from "vitest";
import { type Built, collectRegexes, type Found, recordBuilt } from "./collect.ts";
import { sweep } from "./sweep.ts";

// Callers, servers and authors send texts of any length: no pattern that reads one may take more than linear time.

/** Patterns that may take longer, each with the reason why no long text reaches it. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "fake-provider/src/fill-schema.ts": "the simulated provider reads prompts that the service wrote",
};

/** Files that build patterns when they are loaded: loading them shows the patterns. */
const BUILT_WHEN_LOADED = [
  "council/src/prompts/kinds.ts",
  "council/src/routing/patterns.ts",
  "council/src/sampling/read-reply.ts",
  "mci/src/schema/execution.ts",
  "mci/src/template/own-variable.ts",
];

/** Files that build a pattern from a value: an example of it, or the reason why it needs none. */
const BUILT_FROM_VALUES: Readonly<Record<string, RegExp | string>> = {
  "console/src/council/run/votes/seats.tsx": /"answer"\s*:\s*"((?:[^"\\]|\\.)*)/,
  "console/serve/tools/calls/match-text.ts": /a word/i,
  "console/src/parts/text/highlighted.tsx": /(a word|another)/gi,
  "console/src/parts/form/pattern.ts":
    "the pattern is short, without repeated groups, and the text has at most 200 characters",
  "council/src/routing/cjk-choices.ts": "reads the last 200 characters of a question",
  "mci/src/client/call.ts": /(^- |\(it requires |, )a name(?=[:.,[)]|$)/gm,
  "mci/src/lint/rules/unused-properties.ts": /(?<!\w)a_name(?!\w)/,
  "mci/src/load/content/instructions.ts":
    /(?!(?<=\p{scx=Arab})[\u200c\u200d](?=\p{scx=Arab})|(?<=\p{ExtPict})\u200d(?=\p{ExtPict}))[\p{Cc}\p{Cf}\p{DI}]/gu,
  "mci/src/load/parse/yaml-offsets.ts": /(?:\r?\n {0,4})+/y,
  "mci/src/openapi/schema/keywords.ts": "only compiled, to see whether it is valid",
  "mci/src/schema/fields.ts": /^\d+$|\{\{|\{!!/,
  "primitives/src/linear-pattern.ts": "patterns of schemas: hostile-schemas.test.ts has their limits",
  "fake-provider/src/fill-schema.ts": EXCEPTIONS["fake-provider/src/fill-schema.ts"]!,
};

describe("regular expressions take linear time", { timeout: 180_000 }, () => {
  let found: Found[];
  let built: Built[];
  beforeAll(() => {
    ({ found, built } = collectRegexes());
  });

  test("the sweep finds known slow patterns, and only those", async () => {
    const slow = [/\s+$/, /(a+)+$/, /<!--[\s\S]*?-->/];
    const fast = [/(?<!\s)\s+$/, /^\s*[[{]/, /\{\{|\{!!|@/g, /a{1,20}b/, /"(?:\\.|[^"\\\n])*"?/g];
    const reported = (await sweep([...slow, ...fast])).map(({ regex }) => regex);
    expect(reported).toEqual(slow);
  });

  test("every pattern in the sources", async () => {
    expect(found.length).toBeGreaterThan(500);
    const slow = await sweep(found);
    expect(
      slow
        .filter(({ regex }) => !(regex.file in EXCEPTIONS))
        .map(({ regex: { file, line, source, flags }, text }) => ({
          place: `packages/${file}:${line}`,
          regex: `/${source}/${flags}`,
          text,
        })),
    ).toEqual([]);
    // An exception that is needed no more goes.
    expect([...new Set(slow.map(({ regex }) => regex.file))]).toEqual(Object.keys(EXCEPTIONS));
  });

  test("every pattern that is built from parts", async () => {
    expect([...new Set(built.map(({ file }) => file))].sort()).toEqual(
      [...BUILT_WHEN_LOADED, ...Object.keys(BUILT_FROM_VALUES)].sort(),
    );
    const loaded = await recordBuilt(BUILT_WHEN_LOADED);
    expect(new Set(loaded.map(({ file }) => file))).toEqual(new Set(BUILT_WHEN_LOADED));
    const examples = Object.entries(BUILT_FROM_VALUES).flatMap(([file, example]) =>
      typeof example === "string" ? [] : [{ file, source: example.source, flags: example.flags }],
    );
    expect(await sweep([...loaded, ...examples])).toEqual([]);
  });
});
