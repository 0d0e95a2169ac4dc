import { describe, expect, test } from "vitest";
import { diffLines, diffWords } from "./diff.ts";

const apply = (parts: ReturnType<typeof diffWords>, left: "removed" | "added") =>
  parts
    .filter(({ kind }) => kind !== left)
    .map(({ text }) => text)
    .join("");

const shown = (before: string, after: string) =>
  diffLines(before, after)
    .map(({ kind, text }) => `${{ same: " ", removed: "-", added: "+" }[kind]}${text}`)
    .join("|");

describe("differences of texts [UI-compare]", () => {
  test("are as short as they can be", () => {
    expect(diffWords("the quick fox", "the slow fox")).toEqual([
      { kind: "same", text: "the " },
      { kind: "removed", text: "quick" },
      { kind: "added", text: "slow" },
      { kind: "same", text: " fox" },
    ]);
    expect(diffWords("same", "same")).toEqual([{ kind: "same", text: "same" }]);
    expect(diffWords("", "new")).toEqual([{ kind: "added", text: "new" }]);
  });

  test("of texts with hardly a word in common are the one, then the other", () => {
    const [before, after] = ["Is moment.js or date-fns better?", "Should a team of five split or not?"];
    expect(diffWords(before, after)).toEqual([
      { kind: "removed", text: before },
      { kind: "added", text: after },
    ]);
  });

  test("lead from one text to the other, whatever the texts, within a bounded time", () => {
    let seed = 7;
    const random = (most: number) => {
      seed = (seed * 48271) % 2147483647;
      return seed % most;
    };
    const text = (length: number) => Array.from({ length }, () => "abc ✓\n"[random(6)]).join("");
    for (let round = 0; round < 200; round++) {
      const [a, b] = [text(random(40)), text(random(40))];
      expect([apply(diffWords(a, b), "added"), apply(diffWords(a, b), "removed")]).toEqual([a, b]);
    }
    const [a, b] = ["x", "y"].map((word) =>
      Array.from({ length: 20_000 }, (_, n) => `${word}${n}`).join(" "),
    );
    expect(apply(diffWords(a!, b!), "removed")).toBe(b);
  });

  test.each([
    ["a\nb\nc", "a\nb\nc", " a| b| c"],
    ["a\nb\nc", "a\nx\nc", " a|-b|+x| c"],
    ["a\nb", "a\nb\nc", " a| b|+c"],
    ["x\na\nb", "a\nb", "-x| a| b"],
    ["a\nb\nc\nd", "b\nz\nd", "-a| b|-c|+z| d"],
    ["", "a", "-|+a"],
  ])("by lines [UI-call-detail]: %j to %j", (before, after, expected) => {
    expect(shown(before, after)).toBe(expected);
  });

  test("texts too large to compare are shown as replaced, and both are whole [UI-call-detail]", () => {
    const [a, b] = ["a", "b"].map((letter) => Array.from({ length: 3000 }, (_, i) => letter + i).join("\n"));
    const lines = diffLines(`same\n${a}`, `same\n${b}`);
    expect(lines.filter(({ kind }) => kind === "removed").length).toBe(3000);
    expect(lines.filter(({ kind }) => kind === "added").length).toBe(3000);
  });
});
