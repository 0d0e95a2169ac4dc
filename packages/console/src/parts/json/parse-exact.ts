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
