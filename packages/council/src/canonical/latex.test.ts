import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cpuMs } from "../../../../test/cpu-time.ts";
import { canonical } from "./canonical.ts";
import { withoutLatex } from "./latex.ts";

describe("[B-forms] LaTeX", () => {
  test.each([
    ["$2000\\text{ m}$", "2000 m"],
    ["$2000\\,\\mathrm{m}$", "2000 m"],
    ["\\frac{1}{2}", "1/2"],
    ["$\\dfrac{3}{4}$", "3/4"],
    ["\\boxed{\\frac12}", "1/2"],
    ["$\\boxed{\\text{Canberra}}$", "Canberra"],
    ["\\[\\boxed{42}\\]", "42"],
    ["1{,}234{,}000", "1,234,000"],
    ["1\\,234\\,000", "1,234,000"],
    ["20\\%", "20%"],
    ["$\\$5$", "$5"],
    ["$25^\\circ\\text{C}$", "25°C"],
    ["$2\\pi$", "2π"],
    ["\\(\\sqrt{2}\\)", "√2"],
    ["$x^{10}$", "x^10"],
    ["\\fbox{42}", "42"],
    ["1\\frac{1}{2}", "1 1/2"],
  ])("%j is %j", (latex, plain) => {
    expect(withoutLatex(latex)).toBe(plain);
    expect(canonical(latex).key).toBe(canonical(plain).key);
  });

  test.each(["$\\boxed{42}$.", "\\(\\boxed{42}\\).", "\\[\\boxed{\\text{42}}\\]"])(
    "in a sentence: the answer is %s",
    (latex) => {
      expect(canonical(`Therefore, the final answer is: ${latex}`).key).toBe(canonical("42").key);
    },
  );

  test.each([
    "\\d+",
    "\\$5",
    "C:\\text\\new",
    "\\frac{a+b}{c}",
    "\\begin{matrix}1\\end{matrix}",
    "f(x) = \\{1\\}",
    "a\\%b",
    "\\,",
  ])("what is not all known stays as it is: %j", (text) => {
    expect(withoutLatex(text)).toBe(text);
  });

  test.each([
    ["How is one half written in LaTeX?", "\\frac{1}{2}", "1/2"],
    ["Which regex matches the price $5?", "\\$5", "$5"],
    ["", "\\frac{1}{2}", "\\frac{1}{3}"],
    ["", "$x^{10}$", "$x^{1}0$"],
    ["", "\\sqrt{2}", "2"],
    ["", "\\boxed{4}2", "42"],
    ["", "\\sqrt{2}3", "\\sqrt{23}"],
    ["", "1\\frac{1}{2}", "\\frac{11}{2}"],
    ["", "\\frac{1}{2}3", "\\frac{1}{23}"],
    ["", "\\frac123", "\\frac{1}{23}"],
  ])("%s %j is not %j", (question, a, b) => {
    expect(canonical(a, question).key).not.toBe(canonical(b, question).key);
  });

  test("whatever follows a backslash, it takes no time", () => {
    fc.assert(fc.property(fc.string(), (text) => void withoutLatex(`$\\text{${text}}$`)));
    for (const part of ["\\text{", "\\frac{1}{", "{,}", "$\\$", "\\boxed{\\text{"]) {
      const began = cpuMs();
      withoutLatex(part.repeat(300 / part.length));
      expect(cpuMs() - began).toBeLessThan(100);
    }
  });
});

test("[V-equivalence] no two answers of the corpus that differ have one canonical form", () => {
  const file = new URL("../../../../live/corpus/answer-pairs.jsonl", import.meta.url);
  const pairs = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { question: string; a: string; b: string; same: boolean });
  const merged = pairs.filter(
    ({ question, a, b, same }) => !same && canonical(a, question).key === canonical(b, question).key,
  );
  expect(merged).toEqual([]);
});
