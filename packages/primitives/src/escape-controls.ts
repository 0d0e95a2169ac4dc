/** For a terminal: texts of clients, providers and files must not move its cursor, or reorder what it shows. Line ends, too. */
export const escapeControls = (text: string): string =>
  text.replace(
    /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** The same, line by line. */
export const escapeLines = (text: string): string => text.split("\n").map(escapeControls).join("\n");
