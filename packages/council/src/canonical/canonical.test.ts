import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../../test/any-character.ts";
import { cpuMs } from "../../../../test/cpu-time.ts";
import { canonical } from "./canonical.ts";

type Pair = [string, string];
const data: Record<string, { same: Pair[]; different: Pair[] }> = JSON.parse(
  readFileSync(new URL("../../test/data/answer-pairs.json", import.meta.url), "utf8"),
  (key, value) => (key === "about" ? undefined : value),
);
const categories = Object.entries(data);
const isSame = ([a, b]: Pair) => canonical(a).key === canonical(b).key;

describe("[B-forms] on labelled pairs of answers", () => {
  const same = categories.flatMap(([category, pairs]) => pairs.same.map((pair) => ({ category, pair })));
  const different = categories.flatMap(([category, pairs]) =>
    pairs.different.map((pair) => ({ category, pair })),
  );

  test("there are at least 750 of them", () => {
    expect(same.length + different.length).toBeGreaterThanOrEqual(750);
  });

  test("no two different answers are counted as one", () => {
    expect(different.filter(({ pair }) => isSame(pair))).toEqual([]);
  });

  test("of the same answers in another spelling, at most 2 % are split; paraphrases are left to the equivalence question", () => {
    const spelled = same.filter(({ category }) => category !== "paraphrase");
    const split = spelled.filter(({ pair }) => !isSame(pair));
    const rate = (part: number, whole: number) =>
      `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`;
    const allSplit = same.filter(({ pair }) => !isSame(pair));
    console.log(
      `answer pairs: false merges ${rate(different.filter(({ pair }) => isSame(pair)).length, different.length)}; ` +
        `false splits ${rate(split.length, spelled.length)} of spellings, ${rate(allSplit.length, same.length)} with paraphrases`,
    );
    if (process.env["SHOW_MISSES"])
      console.log(split.map(({ pair }) => pair.map((text) => [text, canonical(text).key])));
    expect(split.length / spelled.length).toBeLessThanOrEqual(0.02);
  });
});

test.each([
  ["compatibility forms", "ﬁve ㎞", "five km"],
  ["case", "Paris", "PARIS"],
  ["markdown", "**Paris**", "Paris"],
  ["quotes", "“Paris”", "'Paris'"],
  ["articles", "The Eiffel Tower", "eiffel tower"],
  ["numbers", "1,000.50", "1000.5"],
  ["units", "1.5 km", "1500 m"],
  ["dates", "December 13, 2025", "2025-12-13"],
  ["JSON", '{"b":1,"a":[2]}', '{ "a": [2], "b": 1 }'],
  ["code", "```js\nf( a,b );\n```", "```js\n\nf(a, b);\n```"],
])("[B-forms] %s: %j is %j", (_, a, b) => {
  expect(canonical(a).key).toBe(canonical(b).key);
});

test("an answer of signs only is an answer", () => {
  for (const sign of [".", "!", "?", "*", "#", '"', "```", ""]) expect(canonical(sign).key).toMatch(/^\w+:/);
  expect(canonical(".").key).not.toBe(canonical(",").key);
});

test("whatever the text, its form is found, and outer white space never matters", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect(canonical(` ${text}\n`).key).toBe(canonical(text).key);
    }),
  );
});

test("an answer of many pages is compared as it was written, layout and all", () => {
  const page = "if a:\n  b()\n".repeat(400);
  expect(canonical(`${page}\n`).key).toBe(canonical(page).key);
  expect(canonical(page.replaceAll("  b", "b")).key).not.toBe(canonical(page).key);
});

test("hostile answers take no time, however often what they are made of is repeated", () => {
  const parts = [
    "*",
    "_ ",
    "a ",
    "`",
    "[",
    "](",
    "1,",
    "1.",
    "{",
    '"',
    "'",
    "\\'",
    "\n",
    "= ",
    "-",
    "^",
    "the ",
  ];
  const starts = ["", "a", "_a ", "x = '", "**", "```js\n"];
  for (const part of [...parts, "²", "½", "#", "\t", "…", "jan "])
    for (const start of starts) {
      const texts = [4000, 1_000_000].map(
        (length) => start + part.repeat(length / part.length - start.length),
      );
      for (const text of texts) {
        const began = cpuMs();
        canonical(`${text}x`);
        expect(cpuMs() - began, JSON.stringify(text.slice(0, 20))).toBeLessThan(500);
      }
    }
});

test("[B-forms] a version is not a decimal number where one is asked for", () => {
  const keys = (question: string, ...answers: string[]) =>
    new Set(answers.map((answer) => canonical(answer, question).key)).size;
  expect(keys("Which version fixed it?", "1.1", "1.10")).toBe(2);
  expect(keys("¿En qué versión se corrigió?", "1.1", "1.10")).toBe(2);
  expect(keys("Which version fixed it?", "1.10", "v1.10", "Version 1.10.", "**1.10**")).toBe(1);
  expect(keys("How long is it?", "1.1", "1.10")).toBe(1);
  expect(keys("What is the conversion factor?", "1.1", "1.10")).toBe(1);
});

test.each([
  ["12,34,567", "1234567"],
  ["1,50,000.5", "150000.5"],
  ["1 234 567,5", "1234567.5"],
  ["1\u202f234\u202f567,89", "1234567.89"],
  ["١٬٢٣٤٬٥٦٧", "1234567"],
  ["٣٫١٤", "3.14"],
  ["٪٥٠", "50%"],
  ["%50", "50%"],
  ["6.02x10^23", "6.02 × 10²³"],
  ["答案是：42", "42"],
  ["正确答案为42。", "42"],
  ["答えは42です。", "42"],
  ["Ответ: 42", "42"],
  ["Правильный ответ — Париж.", "Париж"],
  ["Odpowiedź: 42", "42"],
  ["الجواب: ٤٢", "42"],
  ["الإجابة هي: القاهرة", "القاهرة"],
  ["उत्तर: दिल्ली।", "दिल्ली"],
  ["Cevap: 42", "42"],
  ["정답은 42입니다.", "42"],
  ["Risposta: 42", "42"],
  ["La risposta corretta è: 42", "42"],
  ["La respuesta correcta es 42", "42"],
  ["Die richtige Antwort lautet 42.", "42"],
  ["La bonne réponse est 42", "42"],
  ["Het antwoord is 42", "42"],
  ["<answer>42</answer>", "42"],
  ["<answer>\n**Paris**\n</answer>", "Paris"],
  ["「東京」", "東京"],
  ["東京です。", "東京"],
  ["القاهرة،", "القاهرة"],
  ["नहीं", "no"],
  ["نعم", "yes"],
  ["لا.", "no"],
  ["아니요", "no"],
  ["Evet.", "yes"],
  ["不是。", "no"],
])("[B-forms] as it is written elsewhere: %j is %j", (a, b) => {
  expect(canonical(a).key).toBe(canonical(b).key);
});

test.each([
  ["12,34,56", "123456"],
  ["12,345,67", "1234567"],
  ["01,50,000", "150000"],
  ["1 234,567", "1234567"],
  ["1 234,567", "1234.567"],
  ["1٫234", "1234"],
  ["%x", "x%"],
  ["6.02x10^23", "6.02x10^22"],
  ["Ответ", "42"],
  ["Cevapsız: 42", "42"],
  ["<answer>1</answer><answer>2</answer>", "12"],
  ["「東京」「大阪」", "東京」「大阪"],
  ["です", ""],
  ["はいです", "です"],
])("[B-forms] %j is not %j", (a, b) => {
  expect(canonical(a).key).not.toBe(canonical(b).key);
});

test("[B-forms] number words of other languages are numbers, but for those that mean something else as well", () => {
  for (const [word, figure] of [
    ["zwölf", "12"],
    ["Douze.", "12"],
    ["**doce**", "12"],
    ["fünf", "5"],
    ["três", "3"],
    ["venti", "20"],
  ] as const)
    expect(canonical(word).key).toBe(canonical(figure).key);
  for (const [word, figure] of [
    ["null", "0"],
    ["elf", "11"],
    ["once", "11"],
    ["sept", "7"],
    ["dos", "2"],
    ["otto", "8"],
  ] as const)
    expect(canonical(word).key).not.toBe(canonical(figure).key);
});
