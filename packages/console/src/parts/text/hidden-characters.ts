export interface Segment {
  readonly text: string;
  /** What the text is that could not be seen, or would hide what follows. Absent: an ordinary text. */
  readonly hidden?: string;
}

/**
 * Splits a text at what a reader cannot see: characters that turn the direction, print nothing or move what follows out of view. What a
 * person approves comes from models and servers, and must not look like something else.
 */
export function segmentsOf(text: string): Segment[] {
  const segments: Segment[] = [];
  let end = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > end) segments.push({ text: text.slice(end, match.index) });
    segments.push({ text: match[0], hidden: describe(match[0]) });
    end = match.index + match[0].length;
  }
  if (end < text.length) segments.push({ text: text.slice(end) });
  return segments;
}

/**
 * Runs of spaces and of empty lines; controls other than tab and line feed; format characters, private ones, halves of pairs; spaces that
 * are not U+0020; letters without a shape; marks piled up over their neighbours.
 */
const HIDDEN =
  / {20,}|\t{8,}|\n{4,}|(?![\t\n])\p{Cc}|[\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]|(?! )\p{Zs}|[\u115f\u1160\u2800\u3164\uffa0]|\p{M}{5,}/gu;

function describe(hidden: string): string {
  const [first = ""] = hidden;
  const name = RUNS[first];
  if (name !== undefined) return `${hidden.length} ${name}`;
  if ([...hidden].length > 1) return `${[...hidden].length} combining marks`;
  return `U+${first.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
}

const RUNS: Readonly<Record<string, string>> = { " ": "spaces", "\t": "tabs", "\n": "line breaks" };
