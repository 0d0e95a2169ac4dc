import { isPlainWord } from "./exact.ts";

/** An answer in plain words: without markup, and without the stop at its end. */
export function plain(answer: string): string {
  const text = stripMarkup(answer);
  const bare = withoutStop(text);
  return bare === "" || bare === text ? text : stripMarkup(bare);
}

/** One spelling of characters, no markdown, no outer quotes, no "The answer is". Keeps case. */
export function stripMarkup(answer: string): string {
  return withoutLayers(characters(answer), LAYERS);
}

/** An answer without what only wraps it: an introduction, emphasis, backticks or quotes around the whole. Characters stay. */
export function unwrap(answer: string): string {
  return withoutLayers(answer, WRAPPERS);
}

const MAX_LAYERS = 6;

/** Each layer may hide another: **"The answer is 42."** */
function withoutLayers(answer: string, layers: readonly (readonly [RegExp, string])[]): string {
  let text = answer.trim();
  for (let depth = 0; depth < MAX_LAYERS; depth++) {
    const before = text;
    for (const [layer, inside] of layers) text = text.replace(layer, inside).trim();
    if (text === before) break;
  }
  return text;
}

/** A final stop goes where it ends a sentence or a plain word. `5!`, `n!` and `colou?r?` keep their signs. */
function withoutStop(text: string): string {
  let end = text.length;
  while (
    end > 0 &&
    (/[.?;:,。！？।۔،\s]/.test(text[end - 1]!) || (text[end - 1] === "!" && !/\d/.test(text[end - 2] ?? "")))
  )
    end--;
  const rest = text.slice(0, end);
  const isSentence = /\s/.test(rest) || (isPlainWord(rest) && (rest.length > 2 || !/[?!:;]/.test(text)));
  // A name such as Node.js is not plain, but only a sentence would end it in a full stop.
  const isName = /^[\p{L}\p{N}][^?!:;[\]{}()|*^\\]*$/u.test(rest) && !/[?!:;]/.test(text.slice(end));
  return isSentence || isName ? rest : text;
}

const INTRODUCTIONS: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:(?:so|thus|hence|therefore),?\s+)?(?:(?:the|my)\s+)?(?:final\s+|correct\s+|right\s+)?(?:answer|result|option|choice)(?:\s+is(?:\s*:)?|\s*:)\s+(?=\S)/i,
    "",
  ],
  [/^answer\s-\s(?=\p{L})/iu, ""],
  [
    /^(?:(?:a|la|die|het)\s+)?(?:(?:richtige|bonne|juiste)\s+)?(?:resposta|respuesta|antwort|réponse|risposta|antwoord)(?:\s+(?:corre[ct]ta))?(?:\s+(?:é|es|ist|lautet|est|è|is)(?:\s*:)?|\s*:)\s+(?=\S)/i,
    "",
  ],
  [/^(?:правильный\s+)?ответ\s*[:—–-]\s*(?=\S)/i, ""],
  [
    /^(?:odpowiedź|cevap|yanıt|svar|उत्तर|정답|답|الجواب|الإجابة)(?:은|는)?(?:\s+(?:هو|هي|है))?(?:\s*:|(?<=은|는|هو|هي|है)\s)\s*(?=\S)/i,
    "",
  ],
  [/^(?:正确|正しい|最终)?(?:答え|答案|回答)(?:[は是为]\s*[:：]?|[:：])\s*(?=\S)/, ""],
  [/^<answer>((?:(?!<\/?answer>)[\s\S]){1,1000})<\/answer>$/i, "$1"],
];

const WRAPPERS: readonly (readonly [RegExp, string])[] = [
  ...INTRODUCTIONS,
  [/^\\boxed\{([^{}]*)\}$/, "$1"],
  [/^\\\((.*)\\\)\.?$/, "$1"],
  [/^\*\*([^*\n]+)\*\*$/, "$1"],
  [/^`([^`]+)`[.,;]?$/, "$1"],
  [/^"([^"]+)"$/, "$1"],
  [/^'([^']+)'$/, "$1"],
];

const LAYERS: readonly (readonly [RegExp, string])[] = [
  [/^#{1,6}\s+(?=\S)/, ""],
  // Before a figure these may be signs: > 5, - 5.
  [/^(?:[-*•>](?!\s*(?:[\d.]|\p{L}(?:[^\p{L}]|$)))|\d{1,2}(?:\)|\.(?!\s+\p{L}+\s+\d{4}$)))\s+(?=\S)/u, ""],
  [/^\\boxed\{([^{}]*)\}$/, "$1"],
  [/^\\\((.*)\\\)\.?$/, "$1"],
  [/^\\\[(.*)\\\]\.?$/, "$1"],
  [/^\$([^$]+)\$\.?$/, "$1"],
  [/(?<![\w\])])!?\[([^\][\n]+)\]\([^()\s]+\)/g, "$1"],
  [/(?<![\p{L}\p{N}*)])\*\*([^*\s](?:[^*\n]*[^*\s])?)\*\*(?![\p{L}\p{N}*(])/gu, "$1"],
  [/(?<![\w*])\*([^*\s](?:[^*\n]*[^*\s])?)\*(?![\w*])/g, "$1"],
  // One word between underscores may be a name such as __init__, so only phrases count as emphasis.
  [/(?<!\w)(_{1,2})(?=[^_\n]*\s)([^_\s][^_\n]*)\1(?!\w)/g, "$2"],
  [/^`([^`]+)`([.!?]?)$/, "$1$2"],
  [/^"([^"]+)"$/, "$1"],
  [/^'([^']+)'$/, "$1"],
  [/^「([^「」]+)」$|^『([^『』]+)』$/, "$1$2"],
  // "It is", behind a name or a figure.
  [/^([\p{sc=Han}\p{sc=Katakana}\p{N}]{1,40})です$/u, "$1"],
  [/^([\p{sc=Hangul}\p{N}]{1,40})입니다$/u, "$1"],
  ...INTRODUCTIONS,
];

/** One code point for what looks and means the same. */
function characters(text: string): string {
  return text
    .replace(/[\u200b-\u200d\u2060\ufeff\u00ad™®©]/g, "")
    .replace(/[⁺⁻]?[⁰¹²³⁴-⁹]+/g, "^$&")
    .replace(/(?<=\d)(?=[¼-¾⅐-⅞])/g, " ")
    .normalize("NFKC")
    .replace(/\u2044/g, "/")
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/(?<=\p{Nd})٬(?=\p{Nd})/gu, ",")
    .replace(/(?<=\p{Nd})٫(?=\p{Nd})/gu, ".")
    .replace(/٪/g, "%")
    .replace(/[‘’‚‛′]/g, "'")
    .replace(/[“”„‟«»″]/g, '"')
    .replace(/(?![0-9])\p{Nd}/gu, (digit) => asciiDigit(digit))
    .replace(/\r\n?/g, "\n");
}

/** Digits of other scripts that were met before: at most those that Unicode has. */
const asciiDigits = new Map<string, string>();

/** Decimal digits of every script stand in runs of ten that begin with zero. */
function asciiDigit(digit: string): string {
  const known = asciiDigits.get(digit);
  if (known !== undefined) return known;
  const code = digit.codePointAt(0)!;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  const ascii = String(code - zero);
  asciiDigits.set(digit, ascii);
  return ascii;
}
