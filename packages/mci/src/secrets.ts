const MASK = "***";

/** Values that are no secret even when an env variable holds them, and whose masking would garble every message. */
const PLAIN = new Set(["true", "false", "null", "yes", "no", "on", "off"]);
/** Shorter values occur by chance everywhere. */
const MIN_LENGTH = 3;
/** A shorter beginning of a secret at the end of a text is taken for chance. */
const MIN_CUT = 6;

/** Remembers the env values a call used, and takes them out of everything that is reported about it. */
export class Secrets {
  readonly #values = new Set<string>();

  add(value: unknown): void {
    if (typeof value === "string") this.#values.add(value);
    else if (typeof value === "number" || typeof value === "bigint") this.#values.add(String(value));
    else if (typeof value === "object" && value !== null)
      for (const item of Object.values(value)) this.add(item);
  }

  /** A copy of the value in which every string, at any depth, is masked. */
  mask<T>(value: T): T {
    const forms = this.#forms();
    if (forms.length === 0) return value;
    // Longest first, so that a secret inside another does not leave the rest of the longer one behind.
    const pattern = new RegExp(
      forms.map((form) => form.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|"),
      "g",
    );
    return maskDeep(value, (text) => maskCut(text.replace(pattern, MASK), forms)) as T;
  }

  #forms(): string[] {
    const forms = new Set<string>();
    for (const value of this.#values) {
      for (const form of [value, value.trim()]) {
        if (form.length < MIN_LENGTH || PLAIN.has(form.toLowerCase())) continue;
        for (const encoded of encodings(form)) forms.add(encoded);
      }
    }
    return [...forms].sort((a, b) => b.length - a.length);
  }
}

/** Output is cut at a limit, perhaps in the middle of a secret: what is left of it at the end goes too. */
function maskCut(text: string, forms: readonly string[]): string {
  const end = /(…|\.\.\.)?\s*$/.exec(text)!.index;
  for (const form of forms) {
    for (let length = Math.min(form.length - 1, end); length >= MIN_CUT; length--) {
      if (text.startsWith(form.slice(0, length), end - length))
        return text.slice(0, end - length) + MASK + text.slice(end);
    }
  }
  return text;
}

function maskDeep(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === "string") return mask(value);
  if (Array.isArray(value)) return value.map((item) => maskDeep(item, mask));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [mask(key), maskDeep(item, mask)]));
  }
  return value;
}

/** The forms in which a value may come back from a URL, a form, a JSON text or a header. */
function* encodings(value: string): Generator<string> {
  yield value;
  const percent = encodeURIComponent(value.toWellFormed());
  yield percent;
  yield percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  yield percent.replaceAll("%20", "+");
  yield new URLSearchParams([["", value]]).toString().slice(1);
  yield encodeURI(value.toWellFormed());
  yield JSON.stringify(value).slice(1, -1);
  if (value.length < 6) return; // Encoded forms of very short values match by chance.
  yield Buffer.from(value).toString("hex");
  yield* base64(value);
}

/** Base64 depends on where in a longer text the value stands: three alignments, without the characters shared with its neighbours. */
function* base64(value: string): Generator<string> {
  for (const shift of [0, 1, 2]) {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(value)]);
    const start = Math.ceil((shift * 8) / 6);
    const end = Math.floor((bytes.length * 8) / 6);
    for (const alphabet of ["base64", "base64url"] as const) yield bytes.toString(alphabet).slice(start, end);
  }
}
