import { expect, test } from "vitest";
import { segmentsOf } from "./hidden-characters.ts";

const shown = (text: string) =>
  segmentsOf(text)
    .map((segment) => (segment.hidden === undefined ? segment.text : `[${segment.hidden}]`))
    .join("");

test.each([
  ["DELETE \u202e/1/sgnireffo", "DELETE [U+202E]/1/sgnireffo"],
  ["a\u0000b\rc\u2028d", "a[U+0000]b[U+000D]c[U+2028]d"],
  ["a\u200bb\ufeffc\u00add", "a[U+200B]b[U+FEFF]c[U+00AD]d"],
  ["a\u00a0b\u3000c", "a[U+00A0]b[U+3000]c"],
  ["a\u3164b\u2800c", "a[U+3164]b[U+2800]c"],
  [`ok${" ".repeat(500)}rm -rf`, "ok[500 spaces]rm -rf"],
  [`ok${"\n".repeat(99)}rm -rf`, "ok[99 line breaks]rm -rf"],
  [`e${"\u0301".repeat(40)}x`, "e[40 combining marks]x"],
  ["a\ud800b", "a[U+D800]b"],
  ["\u{e0041}tag", "[U+E0041]tag"],
  ['{\n\t"a": "ä é 你好 שלום 🌍"\n}\n\nb', '{\n\t"a": "ä é 你好 שלום 🌍"\n}\n\nb'],
])("[UI-plan] %j is shown as it is, with what hides as a mark", (text, expected) => {
  expect(shown(text)).toBe(expected);
  expect(
    segmentsOf(text)
      .map((segment) => segment.text)
      .join(""),
  ).toBe(text);
});

test("[UI-plan] long texts take linear time", () => {
  const text = `${" ".repeat(19)}\u0301\n\n\n`.repeat(50_000);
  expect(
    segmentsOf(text)
      .map((segment) => segment.text)
      .join(""),
  ).toBe(text);
});
