import { afterJoint, itemsBefore, words } from "./choice-phrases.ts";

/**
 * Finds what a question offers to choose from, so that votes can be counted as picks of one of them. Wrong guesses
 * cost little (a voter may always say "other"), so it prefers finding nothing to cutting a phrase in the wrong place.
 */
export function findChoices(prompt: string): readonly string[] {
  // A choice is asked for in a sentence or two; what comes far before is material.
  const text = prompt.slice(-MAX_CHARS);
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
const FINDERS: readonly ((text: string) => readonly string[])[] = [listed, quoted, yesOrNo, between, joined];

/** Lines that start with a bullet, a letter or a number, in a prompt that asks to pick. */
function listed(text: string): readonly string[] {
  if (!/\b(?:which|choose|pick|select|options?|qual|quais|escolha|cu[aá]l|elige|escoge)\b/i.test(text))
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
    if (
      row &&
      joint !== undefined &&
      /^\s*(?:,|(?:,?\s*(?:or|ou|o|u|vs\.?|versus)\s+(?:(?:an?|the|use|using|usar)\s+)?))\s*$/i.test(joint)
    ) {
      row.phrases.push(match[1]!);
      row.end = end;
      row.hasOr ||= /\p{L}/u.test(joint);
    } else {
      rows.push({ phrases: [match[1]!], end, hasOr: false });
    }
  }
  return rows.find((row) => row.hasOr)?.phrases ?? [];
}

function yesOrNo(text: string): readonly string[] {
  if (/\b(?:true or false|verdadeiro ou falso|verdadero o falso)\b/i.test(text)) return ["true", "false"];
  return /\b(?:yes or no|or not|sim ou não|ou não|s[ií] o no|o no)(?=\s*(?:[?:.,]|$))/i.test(text)
    ? ["yes", "no"]
    : [];
}

function between(text: string): readonly string[] {
  // "What is the difference between X and Y?" offers nothing to pick.
  if (
    !/\b(?:which|choose|choosing|pick|decide|prefer|better|best|should|qual|escolh\w*|melhor|cu[aá]l|elegir|mejor)\b/i.test(
      text,
    )
  )
    return [];
  const match =
    /\bbetween\s([^?.\n,;:]{1,80}?)\sand\s([^?\n]{1,80})/i.exec(text) ??
    /\bentre\s([^?.\n,;:]{1,80}?)\s(?:e|y)\s([^?\n]{1,80})/i.exec(text);
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
    if (!isVersus && !asks(sentence)) continue;
    const { items, saidOf } = itemsBefore(all.slice(0, at));
    const right = afterJoint(all.slice(at + 1));
    const length = words(items.at(-1) ?? "").length;
    if (length > right.length + 2) continue; // Much longer on the left: its beginning was not found.
    // Without a word to stop at, the right side is as long as the left: "which sells more, cats or dogs these days?"
    const most = right.length > length + 1 ? length : right.length;
    return [...items, right.slice(0, saidOf ? Math.min(length, right.length - 1) : most).join(" ")];
  }
  return [];
}

/** The words with the place of the last joint in a row; those before it, "x or y or z", become the commas they could be. */
function untilLastJoint(found: readonly string[], isJoint: (word: string) => boolean) {
  let all = found;
  const next = (from: number) =>
    all.findIndex((word, i) => i >= from && i < all.length - 1 && isJoint(word.toLowerCase()));
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
const JOINTS = new Set(["or", "ou", "vs", "vs.", "versus"]);
/** Elsewhere a lone letter is a letter. */
const SPANISH_JOINTS = new Set(["o", "u"]);
const SPANISH = /¿|\b(?:es|son|mejor|usar|uso|para|una?|el|la|los|las|debo|cu[aá]l|elige|prefiero)\b/i;

const asks = (sentence: string) =>
  sentence.includes("?") ||
  /\b(?:use|which|better|choose|pick|prefer|select|should|escolha|elige|usar?)\b/i.test(sentence);

function tidy(choices: readonly string[]): readonly string[] {
  const clean = choices.map((choice) => choice.trim().replace(/^['"`«“‘*_]+|['"`»”’*_?.,;:!]+$/g, ""));
  const fit = clean.every((choice) => choice !== "" && choice.length <= MAX_CHOICE_CHARS);
  const distinct = new Set(clean);
  return fit && distinct.size === clean.length ? clean : [];
}
