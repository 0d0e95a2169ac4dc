import { letteredOptions } from "../canonical/lettered-options.ts";
import {
  afterJoint,
  afterPreposition,
  asksForExistence,
  asksForOther,
  isQuantity,
  itemsBefore,
  leadsToOffer,
  offersNumbers,
  words,
} from "./choice-phrases.ts";
import { cjkChoices } from "./cjk-choices.ts";

/**
 * Finds what a question offers to choose from, so that votes can be counted as picks of one of them. Wrong guesses
 * cost little (a voter may always say "other"), so it prefers finding nothing to cutting a phrase in the wrong place.
 */
export function findChoices(prompt: string): readonly string[] {
  // A choice is asked for in a sentence or two; what comes far before is material.
  // French sets a blank before its question marks.
  const text = prompt.slice(-MAX_CHARS).replace(/[ \u00a0\u202f]{1,2}(?=[?!:;])/g, "");
  for (const find of FINDERS) {
    const choices = tidy(find(text));
    if (choices.length >= 2 && choices.length <= MAX_CHOICES) return choices;
  }
  return [];
}

const MAX_CHARS = 2000;
const MAX_CHOICES = 12;
const MAX_CHOICE_CHARS = 80;

/** In order of trust. */
const FINDERS: readonly ((text: string) => readonly string[])[] = [
  (text) => [...letteredOptions(text).values()],
  listed,
  quoted,
  yesOrNo,
  between,
  cjkChoices,
  joined,
];

/** Lines that start with a bullet, a letter or a number, in a prompt that asks to pick. */
function listed(text: string): readonly string[] {
  if (
    !/\b(?:which|choose|pick|select|options?|qual|quais|escolha|cu[aá]l|elige|escoge|welche[rs]?|wähle|quel(?:le)?s?|choisis)\b/i.test(
      text,
    )
  )
    return [];
  return text
    .split("\n")
    .flatMap((line) => /^\s*(?:[-*•]|\(?[a-z0-9]{1,2}[).:])\s+(\S.*)$/i.exec(line)?.[1] ?? []);
}

/** Quoted phrases in a row, the last two joined by "or" or "vs". */
function quoted(text: string): readonly string[] {
  const rows: { phrases: string[]; end: number; hasOr: boolean }[] = [];
  for (const match of text.matchAll(
    /(?<![\p{L}\p{N}])['"`«“‘]([^'"`«»“”‘’\n]{1,80})['"`»”’](?![\p{L}\p{N}])/gu,
  )) {
    const row = rows.at(-1);
    const joint = row && text.slice(row.end, match.index);
    const end = match.index + match[0].length;
    if (row && joint !== undefined && JOINT.test(joint)) {
      row.phrases.push(match[1]!);
      row.end = end;
      row.hasOr ||= /\p{L}/u.test(joint);
    } else {
      rows.push({ phrases: [match[1]!], end, hasOr: false });
    }
  }
  return rows.find((row) => row.hasOr)?.phrases ?? [];
}

/** A comma, "or", or both. */
const JOINT = /^\s*(?!\s|$)(?:,\s*)?(?:(?:or|ou|o|u|vs\.?|versus)\s+(?:(?:an?|the|use|using|usar)\s+)?)?$/i;

function yesOrNo(text: string): readonly string[] {
  if (TRUE_OR_FALSE.test(text)) return ["true", "false"];
  return YES_OR_NO.test(text) ? ["yes", "no"] : [];
}

const TRUE_OR_FALSE =
  /\b(?:true or false|verdadeiro ou falso|verdadero o falso|wahr oder falsch|richtig oder falsch|vrai ou faux)\b|真か偽|正しいか(?:誤り|間違い)|对还是错|對還是錯|真还是假/i;
const YES_OR_NO =
  /\b(?:yes or no|or not|sim ou não|ou não|s[ií] o no|o no|ja oder nein|oder nicht|oui ou non|ou pas)(?=\s*(?:[?:.,]|$))|はいかいいえ|是或否|是还是否|是還是否|是还是不是/i;

function between(text: string): readonly string[] {
  // "What is the difference between X and Y?" offers nothing to pick.
  if (
    !/\b(?:which|choose|choosing|pick|decide|prefer|better|best|should|qual|escolh\w*|melhor|cu[aá]l|elegir|elige|mejor|welche[rs]?|besser|quel(?:le)?|choisi\w*|mieux)\b/i.test(
      text,
    )
  )
    return [];
  const match =
    /\bbetween\s([^?.\n,;:]{1,80}?)\sand\s([^?\n]{1,80})/i.exec(text) ??
    /\bentre\s([^?.\n,;:]{1,80}?)\s(?:e|y|et)\s([^?\n]{1,80})/i.exec(text) ??
    /\bzwischen\s([^?.\n,;:]{1,80}?)\sund\s([^?\n]{1,80})/i.exec(text);
  return match ? [match[1]!, afterJoint(words(match[2]!)).join(" ")] : [];
}

/** "use X, Y or Z for …?", "is it X or Y?", "X vs Y" */
function joined(text: string): readonly string[] {
  for (const sentence of text.split(/(?<=[?!\n])|(?<=(?<!\bvs)\.)\s/)) {
    const isJoint = (word: string) =>
      JOINTS.has(word) || (SPANISH_JOINTS.has(word) && SPANISH.test(sentence));
    const { all, at } = untilLastJoint(words(sentence), isJoint);
    if (at === -1) continue;
    const isVersus = /^v/i.test(all[at]!);
    if (!isVersus && (!asks(sentence) || asksForExistence(sentence))) continue;
    const { items: found, isSubject, introduction } = itemsBefore(all.slice(0, at));
    const right = afterJoint(all.slice(at + 1));
    if (!isVersus && asksForOther(all) && !leadsToOffer(introduction) && !/^which of\s/i.test(sentence))
      continue;
    if (isRange(found, right) && !offersNumbers(introduction)) continue;
    const items = found.map((item) => (words(item).length > right.length ? afterPreposition(item) : item));
    const length = words(items.at(-1) ?? "").length;
    if (length > right.length + 2) continue; // Much longer on the left: its beginning was not found.
    // Without a word to stop at, the right side is as long as the left: "which sells more, cats or dogs these days?"
    const most = right.length > length + 1 ? length : right.length;
    // "Is Tokyo in Asia": the subject stands before what is offered.
    const isWhole = isSubject && items.at(-1) === found.at(-1);
    return [...items, right.slice(0, isWhole ? Math.min(length, right.length - 1) : most).join(" ")];
  }
  return [];
}

/** "a 5 or 6", "one or more", "3 or 5 replicas" */
function isRange(items: readonly string[], right: readonly string[]): boolean {
  return isQuantity(words(items.at(-1) ?? "").at(-1) ?? "") && isQuantity(right[0] ?? "");
}

/** The words with the place of the last joint in a row; those before it, "x or y or z", become the commas they could be. */
function untilLastJoint(found: readonly string[], isJoint: (word: string) => boolean) {
  let all = found;
  const next = (from: number) =>
    all.findIndex(
      (word, i) => i >= from && i < all.length - 1 && isJoint(word.toLowerCase()) && !isEditor(i),
    );
  const isEditor = (i: number) => /^vs code\b/i.test(`${all[i]} ${all[i + 1]}`);
  let at = next(1);
  for (let joints = 1; at > 0 && joints < MAX_CHOICES; joints++) {
    const more = next(at + 1);
    const between = all.slice(at + 1, more);
    if (more === -1 || between.length > MAX_WORDS_BETWEEN || between.some((word) => /[?!.,;:]$/.test(word)))
      break;
    all = [...all.slice(0, at - 1), `${all[at - 1]},`, ...all.slice(at + 1)];
    at = more - 1;
  }
  return { all, at };
}

const MAX_WORDS_BETWEEN = 3;
const JOINTS = new Set(["or", "ou", "oder", "vs", "vs.", "versus"]);
/** Elsewhere a lone letter is a letter. */
const SPANISH_JOINTS = new Set(["o", "u"]);
const SPANISH = /¿|\b(?:es|son|mejor|usar|uso|para|una?|el|la|los|las|debo|cu[aá]l|elige|prefiero)\b/i;

const asks = (sentence: string) =>
  sentence.includes("?") ||
  /\b(?:use|which|better|choose|pick|prefer|select|should|escolha|elige|usar?|welche[rs]?|soll|quel(?:le)?|faut-il)\b/i.test(
    sentence,
  );

/** A bracket without its partner, or a choice that ends another ("right" and "from right"), was cut in the wrong place. */
const isBalanced = (choice: string) => choice.split("(").length === choice.split(")").length;

function tidy(choices: readonly string[]): readonly string[] {
  if (choices.length > MAX_CHOICES) return [];
  const clean = choices.map((choice) =>
    choice.trim().replace(/^[¿¡'"`«“‘*_]+|(?<!['"`»”’*_?.,;:!])['"`»”’*_?.,;:!]+$/g, ""),
  );
  const fit =
    clean.every((choice) => choice !== "" && choice.length <= MAX_CHOICE_CHARS && isBalanced(choice)) &&
    !clean.some((choice) => clean.some((other) => other !== choice && other.endsWith(` ${choice}`)));
  const distinct = new Set(clean);
  return fit && distinct.size === clean.length ? clean : [];
}
