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
  let result = "";
  let columns = 1;
  for (const { segment } of graphemes(text)) {
    columns += graphemeWidth(segment);
    if (columns > most) break;
    result += segment;
  }
  return `${result.trimEnd()}…`;
}

/** The text filled up with spaces. */
export function pad(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - width(text)));
}

const ASCII = /^[\x20-\x7e]*$/;

function graphemes(text: string): Iterable<{ segment: string }> {
  return new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text);
}

/**
 * 0 for what only changes its neighbours, 2 for emoji and East Asian wide characters, else 1. The patterns stand inside
 * the function because making them takes longer than many a command, and most texts need none.
 */
function graphemeWidth(grapheme: string): number {
  if (/^[\p{Mark}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(grapheme)) return 0;
  if (/^[\uff61-\uffdc]/u.test(grapheme)) return 1; // Halfwidth forms of scripts that are wide otherwise.
  const isWide =
    /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}\u3000-\u303e\u30fb\u30fc\uff01-\uff60\uffe0-\uffe6]/u;
  return isWide.test(grapheme) || /^(?:\p{RGI_Emoji}|\p{Emoji_Presentation})/v.test(grapheme) ? 2 : 1;
}
