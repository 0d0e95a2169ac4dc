/** A text without its percent escapes; as it is where one of them is malformed. */
export function decodeUri(text: string): string {
  return strictDecodeUri(text) ?? text;
}

/** The same, but undefined where an escape is malformed. */
export function strictDecodeUri(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
