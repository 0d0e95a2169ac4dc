/**
 * A message of a provider without our keys: as they are, as base64, as hex, percent-encoded, as JSON, and cut off at the end; in
 * upper or lower case, and broken into lines.
 */
export function redactKeys(message: string, keys: readonly string[]): string {
  const text = keyRedactor(keys, MIN_PREFIX_CHARS)(message);
  // Providers like to quote part of the key they refuse.
  return text.replace(/\b(sk|key|pk|gsk|xai)-[\w*-]{6,}/gi, "[key]");
}

/**
 * The same for what a model wrote, which may well speak of keys: only ours are masked, and of them pieces that are longer than what
 * all keys of a provider begin with. A shorter key is a word that a local server asks for, such as `lm-studio`.
 */
export function replyRedactor(keys: readonly string[]): (text: string) => string {
  return keyRedactor(
    keys.filter((key) => key.length >= MIN_REPLY_CHARS),
    MIN_REPLY_CHARS,
  );
}

/** A copy of plain JSON with other texts, names included. What has none of them is not copied. */
export function mapTexts<T>(value: T, change: (text: string) => string): T {
  return mapped(value, change) as T;
}

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => mapped(item, change));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const before = Object.entries(value);
  const after = before.map(([key, item]) => [change(key), mapped(item, change)] as const);
  const isSame = after.every(([key, item], index) => key === before[index]![0] && item === before[index]![1]);
  return isSame ? value : Object.fromEntries(after);
}

/** Shorter beginnings and encodings of a key say little, and occur by chance; of a key of one character an encoding is empty. */
const MIN_PREFIX_CHARS = 8;
const MIN_REPLY_CHARS = 12;

function keyRedactor(keys: readonly string[], minPrefix: number): (text: string) => string {
  const forms = [...new Set(keys.filter((key) => key !== "").flatMap(formsOf))].map((form) =>
    // A short key in another case is any word.
    form.length < MIN_PREFIX_CHARS
      ? { isExact: true, form }
      : { isExact: false, form: comparable(form).text },
  );
  if (forms.length === 0) return (text) => text;
  const starts = forms.map(({ form }) => comparable(form).text.slice(0, minPrefix));
  return (message) => {
    // Most texts have no key, and those of models are long.
    const squeezed = message.replace(/\s+|\\[nrt]/g, "").toLowerCase();
    if (!starts.some((start) => squeezed.includes(start))) return message;
    const [exact, loose] = [{ text: message, placeOf: (at: number) => at }, comparable(message)];
    const ranges = forms.flatMap(({ isExact, form }) => rangesOf(isExact ? exact : loose, form, minPrefix));
    return ranges.length === 0 ? message : withoutRanges(message, ranges);
  };
}

function formsOf(key: string): string[] {
  const bytes = Buffer.from(key);
  const hex = bytes.toString("hex");
  const base64 = [0, 1, 2].flatMap((offset) => {
    // What stands before the key moves its bits; characters that also depend on neighbours are left out.
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString("base64")
      .replaceAll("=", "");
    const own = text.slice(Math.ceil((offset * 4) / 3), (bytes.length + offset) % 3 === 0 ? undefined : -1);
    return [own, own.replaceAll("+", "-").replaceAll("/", "_")];
  });
  // PHP escapes a slash in JSON, .NET a plus.
  const json = [key.replaceAll("/", "\\/"), key.replaceAll("+", "\\u002B")];
  const encoded = [encodeURIComponent(key), hex, ...json, ...base64];
  return [...new Set([key, ...encoded.filter((form) => form.length >= MIN_PREFIX_CHARS)])];
}

/** A text in lower case, without line breaks and other space, and where each of its characters stands in the original. */
interface Comparable {
  readonly text: string;
  placeOf(at: number): number;
}

/** Space as it is, and as it is escaped in JSON. */
const SPACE = /\s|\\[nrt]/y;

function comparable(original: string): Comparable {
  const places: number[] = [];
  let text = "";
  for (let at = 0; at < original.length; ) {
    SPACE.lastIndex = at;
    const space = SPACE.exec(original)?.[0].length ?? 0;
    if (space === 0) {
      // Some letters become two in lower case; keys have none of them.
      const lower = original[at]!.toLowerCase();
      text += lower.length === 1 ? lower : original[at]!;
      places.push(at);
    }
    at += space || 1;
  }
  return { text, placeOf: (index) => places[index]! };
}

type Range = readonly [start: number, end: number];

/** Every piece that begins like the form, as far as it is like it, by its places in the original. Pieces may overlap. */
function rangesOf({ text, placeOf }: Comparable, form: string, minPrefix: number): Range[] {
  const least = Math.min(form.length, minPrefix);
  const start = form.slice(0, least);
  const ranges: Range[] = [];
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1)) {
    let length = least;
    while (length < form.length && text[at + length] === form[length]) length++;
    ranges.push([placeOf(at), placeOf(at + length - 1) + 1]);
  }
  return ranges;
}

function withoutRanges(text: string, ranges: readonly Range[]): string {
  let result = "";
  let end = 0;
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (from > end || end === 0) result += `${text.slice(end, from)}[key]`;
    end = Math.max(end, to);
  }
  return result + text.slice(end);
}
