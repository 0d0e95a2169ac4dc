import { plain } from "./plain.ts";

/** The options of a question that letters them: "A) carrot B) potato C) apple". At least two, in order from A; else none. */
export const letteredOptions = (question: string): ReadonlyMap<string, string> =>
  optionsAt(question, LETTERS, [..."ABCDEFGH"]);

/** The same, or options in lines that begin with "a)" or "1.": whether these are offered, or are parts to be answered, is not known here. */
export function markedOptions(question: string): ReadonlyMap<string, string> {
  for (const options of [
    letteredOptions(question),
    optionsAt(question, SMALL_LETTERS, [..."abcdefgh"]),
    optionsAt(question, NUMBERS, NUMBERED),
  ])
    if (options.size > 0) return options;
  return new Map();
}

/** P(A) is a probability. */
const LETTERS = /(?<![\p{L}\p{N}(])\(?([A-H])[).:](?=\s)/gu;
const SMALL_LETTERS = /^[ \t]{0,8}\(?([a-h])[).](?=\s)/gm;
const NUMBERS = /^[ \t]{0,8}\(?(\d{1,2})[).](?=\s)/gm;
const NUMBERED = Array.from({ length: 12 }, (_, i) => String(i + 1));
const MAX_CHARS = 2000;

/** By their marks, letters as capitals. */
function optionsAt(question: string, mark: RegExp, order: readonly string[]): ReadonlyMap<string, string> {
  const text = question.slice(-MAX_CHARS);
  const found = [...text.matchAll(mark)];
  if (found.length < 2 || !found.every(([, name], i) => name === order[i])) return new Map();
  const options = found.map((one, i) => {
    const next = found[i + 1];
    const option = text.slice(one.index + one[0].length, next?.index);
    return (next ? option : withoutForm(option))
      .trim()
      .replace(/(?:\n\s{0,8}[-*•])?$/, "")
      .replace(/[\s,;.?]{1,5}$/, "");
  });
  if (options.includes("")) return new Map();
  return new Map(options.map((option, i) => [order[i]!.toUpperCase(), option]));
}

/** After the last option may stand how to answer: "C) apple. Answer with the letter only." */
const withoutForm = (option: string) =>
  option.replace(
    /(?:\n[ \t]*\n[\s\S]*|[.;?\n]\s*(?:please\s)?(?:answer|reply|respond|choose|pick|select)\s[\s\S]*)$/i,
    "",
  );

/** What an answer begins with, or is: "B", "(b)", "Option B", "B) Mercury", "2.". */
export interface Mark {
  /** A letter as a capital, or a number. */
  readonly mark: string;
  readonly rest: string;
}

/** Letters, or `numbers`, that mark an option. */
export function readMark(answer: string, { numbers = false } = {}): Mark | undefined {
  // As plain text it would have lost the number of a list.
  const [, mark, rest = ""] =
    (numbers
      ? (NUMBERED_ANSWER.exec(answer.trim()) ?? /^(\d{1,2})$/.exec(plain(answer)))
      : marked(plain(plain(answer).replace(REASON, "")))) ?? [];
  return mark === undefined ? undefined : { mark: mark.toUpperCase(), rest };
}

function marked(text: string): readonly string[] | null {
  const [whole, rest = "", mark = ""] = MARKED_BEHIND.exec(text) ?? [];
  return whole === undefined ? MARKED.exec(text) : [whole, mark, rest];
}

const MARKED =
  /^(?:the\s)?(?:(?:option|answer|choice):?\s)?[([]?([A-H])(?:(?:[)\].:]{1,2}(?:\s|$)|\s-\s)(.*))?$/i;
/** "Mercury (B)" */
const MARKED_BEHIND = /^(\S.{0,200}?)\s[([](?:option\s)?([A-H])[)\]]$/i;
/** "B, because …": the reason is not a part of the option. */
const REASON = /(?:[,;:.]?\s)(?:because|porque|weil|perché|parce qu)(?![\p{L}])[\s\S]*$/iu;
const NUMBERED_ANSWER =
  /^(?:\*\*)?(?:the\s)?(?:(?:option|answer|choice|number):?\s)?\(?(\d{1,2})(?:[).:]{1,2}(?:\s(.*?))?)?(?:\*\*)?$/i;
