import { describe, expect, test } from "vitest";
import { diffLines, diffWords } from "./diff.ts";

const apply = (parts: ReturnType<typeof diffWords>, left: "removed" | "added") =>
  parts
    .filter(({ kind }) => kind !== left)
    .map(({ text }) => text)
    .join("");

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
    expect(diffLines('{\n  "k": 3\n}', '{\n  "k": 5\n}')).toEqual([
      { kind: "same", text: "{\n" },
      { kind: "removed", text: '  "k": 3\n' },
      { kind: "added", text: '  "k": 5\n' },
      { kind: "same", text: "}" },
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
});
