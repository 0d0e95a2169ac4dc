/** Entries and characters of each that a line shows; the rest is behind it. */
const MAX_ENTRIES = 5;
const MAX_LENGTH = 30;

/** The beginning of what is folded, on one line, so that not each of many has to be opened. */
export function previewOf(entries: readonly (readonly [string, unknown])[], isList: boolean): string {
  const shown = entries
    .slice(0, MAX_ENTRIES)
    .map(([name, value]) => (isList ? brief(value) : `${shorten(name)}: ${brief(value)}`));
  return [...shown, ...(entries.length > MAX_ENTRIES ? ["…"] : [])].join(", ");
}

function brief(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(shorten(value));
  if (Array.isArray(value)) return value.length === 0 ? "[]" : "[…]";
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0 ? "{}" : "{…}";
  return shorten(JSON.stringify(value) ?? String(value));
}

const shorten = (text: string) => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text);
