/** Whether a JSON text has a whole number that would be shown as another one. */
export function isRounded(text: string): boolean {
  // Shorter ones are exact; to look costs less than to parse.
  if (!/\d{16}/.test(text)) return false;
  let rounded = false;
  try {
    JSON.parse(text, (_, value: unknown) => {
      rounded ||= typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
      // Nothing is built.
      return undefined;
    });
  } catch {
    return false;
  }
  return rounded;
}

/** Parses JSON, and refuses a number that would be sent as another one. */
export function parseExact(text: string): unknown {
  return JSON.parse(text, ((_: string, value: unknown, context?: { source?: string }) => {
    if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value))
      throw new Error(
        `${context?.source ?? value} is too large to be sent exactly from a page: use mci call`,
      );
    return value;
  }) as Parameters<typeof JSON.parse>[1]);
}
