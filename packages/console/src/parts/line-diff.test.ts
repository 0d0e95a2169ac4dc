import { expect, test } from "vitest";
import { diffLines } from "./line-diff.ts";

const shown = (before: string, after: string) =>
  diffLines(before, after)
    .map(({ kind, text }) => `${{ same: " ", removed: "-", added: "+" }[kind]}${text}`)
    .join("|");

test.each([
  ["a\nb\nc", "a\nb\nc", " a| b| c"],
  ["a\nb\nc", "a\nx\nc", " a|-b|+x| c"],
  ["a\nb", "a\nb\nc", " a| b|+c"],
  ["x\na\nb", "a\nb", "-x| a| b"],
  ["a\nb\nc\nd", "b\nz\nd", "-a| b|-c|+z| d"],
  ["", "a", "-|+a"],
])("[UI-call-detail] %j to %j", (before, after, expected) => {
  expect(shown(before, after)).toBe(expected);
});

test("[UI-call-detail] texts too large to compare are shown as replaced, and both are whole", () => {
  const [a, b] = ["a", "b"].map((letter) => Array.from({ length: 3000 }, (_, i) => letter + i).join("\n"));
  const lines = diffLines(`same\n${a}`, `same\n${b}`);
  expect(lines.filter(({ kind }) => kind === "removed").length).toBe(3000);
  expect(lines.filter(({ kind }) => kind === "added").length).toBe(3000);
});
