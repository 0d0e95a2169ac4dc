import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Outcome } from "@mci-ts/council";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { describeOutcomes, readOutcomes, warnOfOutcomes } from "./outcomes.ts";

const OUTCOME: Outcome = {
  ...{ model: "small", strategy: "vote, options and wording", kind: "text" },
  ...{ leader_votes: 2, votes: 3, right_votes: 2, right: true },
};
const many = (count: number, model: string) => Array.from({ length: count }, () => ({ ...OUTCOME, model }));

function read(text: string) {
  const file = join(temporaryFolder(), "outcomes.jsonl");
  writeFileSync(file, text);
  const problems: string[] = [];
  const warnings: string[] = [];
  const outcomes = readOutcomes(file, problems, warnings);
  const short = (all: readonly string[]) => all.map((one) => one.replace(file, "FILE"));
  return { outcomes, problems: short(problems), warnings: short(warnings) };
}

describe("MCI_OUTCOMES", () => {
  it("reads one outcome per line, with a byte order mark, Windows line ends and empty lines", () => {
    const line = JSON.stringify(OUTCOME);
    expect(read(`\uFEFF${line}\r\n\r\n${line}`)).toEqual({
      outcomes: [OUTCOME, OUTCOME],
      problems: [],
      warnings: [],
    });
  });

  it.each([
    ["half a line", `${JSON.stringify(OUTCOME)}\n{"model": "sm`, "FILE, line 2: not JSON"],
    [
      "another file",
      '{"question": "a"}',
      "FILE, line 1: model must be text of 1 to 2000 characters; it is missing",
    ],
    ["a list", "[]", "FILE, line 1: must be an object"],
    [
      "more votes for one answer than votes",
      { leader_votes: 4 },
      "leader_votes must not be above votes; it is 4",
    ],
    ["more right votes than votes", { right_votes: 4 }, "right_votes must not be above votes; it is 4"],
    ["a text instead of a truth value", { right: "yes" }, 'right must be true or false; it is "yes"'],
  ])("names the line of %s", (_, change, problem) => {
    const text = typeof change === "string" ? change : JSON.stringify({ ...OUTCOME, ...change });
    expect(read(text).problems[0]).toContain(problem);
  });

  it("a file of something else has few problems, and says which file is meant", () => {
    const { problems } = read('{"question": "a"}\n'.repeat(1000));
    expect(problems).toHaveLength(6);
    expect(problems.at(-1)).toMatch(
      /^MCI_OUTCOMES: FILE: \d+ more; it must be the outcomes\.jsonl of mci-council eval$/,
    );
  });

  it("an empty file is a warning, a missing one a problem", () => {
    expect(read("\n").warnings).toEqual([
      "MCI_OUTCOMES: FILE has no outcomes, so no vote states a confidence from it",
    ]);
    const problems: string[] = [];
    readOutcomes(join(temporaryFolder(), "none.jsonl"), problems, []);
    expect(problems[0]).toMatch(/^MCI_OUTCOMES: .*none\.jsonl cannot be read: ENOENT/);
  });

  it("says whose outcomes there are, and where none are of the model that votes", () => {
    const outcomes = [...many(2, "other"), ...many(21, "small")];
    expect(describeOutcomes(outcomes)).toBe("21 of small, 2 of other");
    const warn = (voter: string, simulated = false) =>
      warnOfOutcomes(outcomes, { names: { voter }, simulated });
    expect(warn("small")).toEqual([]);
    expect(warn("other")).toEqual([
      "MCI_OUTCOMES has 21 of small, 2 of other: votes of other state a confidence from 20 outcomes of a model of that name on",
    ]);
    expect(warn("small", true)[0]).toContain("the simulated model");
    expect(warnOfOutcomes([], { names: { voter: "small" }, simulated: false })).toEqual([]);
  });
});
