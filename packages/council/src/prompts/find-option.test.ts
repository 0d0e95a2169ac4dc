import { describe, expect, test } from "vitest";
import { findChoices } from "../routing/choices.ts";
import { findOption } from "./answer-schemas.ts";

/** Sets of options that look like each other, like letters, like numbers, or like words that deny. */
const SETS: readonly (readonly string[])[] = [
  ["Sydney", "Melbourne", "Canberra"],
  ["O", "A", "B", "AB"],
  ["B", "A"],
  ["E", "B", "D", "F"],
  ["3", "4", "2"],
  ["12", "1", "2", "21"],
  ["3 m", "300 cm", "2 m"],
  ["yes", "no"],
  ["no", "yes"],
  ["True", "False", "Yes", "No"],
  ["New York", "York", "New Jersey"],
  ["both A and C", "water", "ice", "none of these"],
  ["not guilty", "guilty"],
  ["Java", "JavaScript"],
  ["C", "C++", "C#"],
  ["1/2", "0.5", "50 %"],
  ["2 May 2024", "5 February 2024"],
  ["$5", "5 EUR", "5"],
  ["es", "é", "e"],
];
const LETTERS = "ABCDEFGH";
const LAYOUTS: readonly ((options: readonly string[]) => string)[] = [
  (options) => `Which one is it? ${options.map((one, i) => `${LETTERS[i]}) ${one}`).join(" ")}`,
  (options) =>
    `Which one is it? ${options.map((one, i) => `(${LETTERS[i]}) ${one}`).join(" ")}. Answer with the letter.`,
  (options) =>
    `Which one is it?\n${options.map((one, i) => `${LETTERS[i]!.toLowerCase()}) ${one}`).join("\n")}`,
  (options) =>
    `Which one is it?\n${options.map((one, i) => `${i + 1}. ${one}`).join("\n")}\n\nReply with one.`,
  (options) => `Which one is it, ${options.map((one) => `"${one}"`).join(" or ")}?`,
];
/** The mark of an option, as the layout has it. */
const markOf = (layout: number, i: number) => (layout === 3 ? String(i + 1) : LETTERS[i]!);

const WRAPPERS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `${text}.`,
  (text) => `**${text}**`,
  (text) => `"${text}"`,
  (text) => `The answer is ${text}`,
  (text) => `Answer: ${text}`,
  (text) => `Die Antwort ist ${text}`,
  (text) => `La respuesta es: ${text}`,
  (text) => `答えは${text}`,
  (text) => `\\boxed{${text}}`,
  (text) => `$\\text{${text}}$`,
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => ` ${text}\n`,
];
const DENIALS: readonly ((text: string, other: string) => string)[] = [
  (text) => `not ${text}`,
  (text) => `Not ${text}.`,
  (text) => `The answer is not ${text}`,
  (text) => `It is not ${text}`,
  (text) => `anything but ${text}`,
  (text) => `nicht ${text}`,
  (text) => `no es ${text}`,
  (text) => `pas ${text}`,
  (text) => `不是${text}`,
  (text) => `${text} is wrong`,
  (text) => `${text}? No.`,
  (text, other) => `${text} or ${other}`,
  (text, other) => `${text} and ${other}`,
  (text, other) => `${text}, ${other}`,
  (text, other) => `${text} / ${other}`,
  (text, other) => `either ${text} or ${other}`,
  (text, other) => `neither ${text} nor ${other}`,
  (text, other) => `${text}, not ${other}`,
  (text, other) => `not ${other}, ${text}`,
  (text, other) => `\\boxed{${text}}\\boxed{${other}}`,
  (text, other) => `\\text{${text}} \\text{ or } \\text{${other}}`,
];

const cases = LAYOUTS.flatMap((layout, l) =>
  SETS.flatMap((options) => {
    const question = layout(options);
    return findChoices(question).join() === options.join() ? [{ l, options, question }] : [];
  }),
);

describe("[V-options] no option is counted for another one", () => {
  test("the layouts are understood", () => {
    expect(cases.length).toBeGreaterThan(60);
  });

  test.each(cases)("$question", ({ l, options, question }) => {
    const wrong: string[] = [];
    const expectOneOf = (text: string, allowed: readonly (string | undefined)[]) => {
      const found = findOption(options, text, question);
      if (!allowed.includes(found)) wrong.push(`${JSON.stringify(text)} counts as ${JSON.stringify(found)}`);
    };
    options.forEach((option, i) => {
      const mark = markOf(l, i);
      for (const wrap of WRAPPERS) expectOneOf(wrap(option), [option, undefined]);
      options.forEach((other, j) => {
        // Each beside one other.
        for (const deny of j === (i + 1) % options.length ? DENIALS : []) {
          // A denial may happen to be an option in so many words.
          const says = options.find((one) => one === deny(option, other));
          expectOneOf(deny(option, other), [undefined, says]);
          if (l < 4) expectOneOf(deny(mark, markOf(l, j)), [undefined]);
        }
        if (l === 4) return;
        for (const marked of [
          `${mark}) ${other}`,
          `${mark}. ${other}`,
          `(${mark}) ${other}`,
          `Option ${mark}: ${other}`,
        ])
          expectOneOf(marked, i === j ? [option, undefined] : [undefined]);
      });
      if (l === 4) return;
      // A letter or a number may be an option itself: then it counts as what it says, or for nothing.
      const says = options.find((one) => one.toLowerCase() === mark.toLowerCase());
      for (const wrap of WRAPPERS) expectOneOf(wrap(mark), [says ?? option, undefined]);
      for (const marked of [`${mark})`, `(${mark})`, `Option ${mark}`])
        expectOneOf(marked, [option, undefined]);
    });
    expect(wrong).toEqual([]);
  });

  test("options are found by their letters, numbers and words", () => {
    const cities = ["Sydney", "Melbourne", "Canberra"];
    for (const [l, layout] of LAYOUTS.slice(0, 4).entries())
      for (const wrap of WRAPPERS.slice(0, 6))
        for (const given of [markOf(l, 2), "Canberra", "canberra"])
          expect(findOption(cities, wrap(given), layout(cities)), `${layout(cities)} ${wrap(given)}`).toBe(
            "Canberra",
          );
  });
});
