/**
 * A value as PostgreSQL can store it. It refuses a NUL in text, and with the statement everything else that the statement writes:
 * one hostile character in the answer of a model would cost other callers their records. In its place stands U+FFFD. Lone
 * surrogates become U+FFFD with the encoding of the connection. JSON has both as escapes, and keeps them.
 */
export function toStorable(value: unknown): unknown {
  if (typeof value === "string") return value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;
  return Array.isArray(value) ? value.map(toStorable) : value;
}
