/**
 * Text from tools and servers is untrusted: a terminal must show its control characters, not obey them. Line breaks
 * and tabs stay; everything else that controls a terminal, or changes the order of characters, is escaped.
 */
export function escapeControls(text: string): string {
  return text.replace(CONTROL_CHARACTERS, (char) => {
    const code = char.charCodeAt(0).toString(16);
    return code.length > 2 ? `\\u${code.padStart(4, "0")}` : `\\x${code.padStart(2, "0")}`;
  });
}

/**
 * Indented JSON that is safe on a terminal. What JSON itself leaves raw (DEL, C1 and bidi controls) is escaped in JSON's
 * own way, so that programs read the same value.
 */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  return `${text.replace(RAW_IN_JSON, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)}\n`;
}

/** Escaped text on one line, for a cell of a table. */
export function oneLine(text: string): string {
  // Nearly every cell of a long table is like this.
  if (/^[!-~]*(?: [!-~]+)*$/.test(text)) return text;
  return escapeControls(text.replace(/\s+/g, " ").trim());
}

const CONTROL_CHARACTERS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to escape.
  /(?!\r\n)[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const RAW_IN_JSON = /[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
