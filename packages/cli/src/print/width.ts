/** How many columns a terminal needs for a text without line breaks. */
export function width(text: string): number {
  if (ASCII.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of graphemes(text)) columns += graphemeWidth(segment);
  return columns;
}

/** The text cut to `most` columns, with `…` where something is missing. */
export function truncate(text: string, most: number): string {
  if (width(text) <= most) return text;
  let kept = "";
  let columns = 1;
  for (const { segment } of graphemes(text)) {
    columns += graphemeWidth(segment);
    if (columns > most) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** The text filled up with spaces. */
export function pad(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - width(text)));
}

const ASCII = /^[\x20-\x7e]*$/;
const ZERO = /^[\p{Mark}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
/** Scripts and ranges that terminals draw two columns wide (East Asian wide and fullwidth). */
const WIDE =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}\p{Script=Tangut}\p{Script=Nushu}\u3000-\u303e\u30fb\u30fc\uff01-\uff60\uffe0-\uffe6]/u;
const HALFWIDTH = /^[\uff61-\uffdc]/u;
const EMOJI = /^(?:\p{RGI_Emoji}|\p{Emoji_Presentation})/v;

function graphemes(text: string): Iterable<{ segment: string }> {
  return new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text);
}

function graphemeWidth(grapheme: string): number {
  if (ZERO.test(grapheme)) return 0;
  return EMOJI.test(grapheme) || (WIDE.test(grapheme) && !HALFWIDTH.test(grapheme)) ? 2 : 1;
}
