/** The value of a JSON text; undefined where it is none. */
export function parseJson(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** The value of a JSON text; any other text as it is. */
export function jsonOrText(text: string): unknown {
  const value = parseJson(text);
  return value === undefined ? text : value;
}
