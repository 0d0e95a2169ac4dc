/**
 * Text of tools and servers is somebody else's: a terminal must show its control characters, not obey them. Line breaks
 * and tabs stay; everything else that steers a terminal, or hides the order of characters, is written out.
 */
export function printable(text: string): string {
  return text.replace(STEERING, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

/** The same on one line, for a cell of a table. */
export function oneLine(text: string): string {
  // Nearly every cell of a long table is like this.
  if (/^[!-~]*(?: [!-~]+)*$/.test(text)) return text;
  return printable(text.replace(/\s+/g, " ").trim());
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about.
const STEERING = /(?!\r\n)[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
