const MASK = "***";

/** Values that are no secret even when an env variable holds them, and whose masking would garble every message. */
const PLAIN = new Set(["true", "false", "null", "yes", "no", "on", "off"]);
/** Shorter values occur by chance everywhere. */
const MIN_LENGTH = 3;

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
    const pattern = this.#pattern();
    return pattern === undefined ? value : (maskDeep(value, pattern) as T);
  }

  #pattern(): RegExp | undefined {
    const forms = new Set<string>();
    for (const value of this.#values) {
      for (const form of [value, value.trim()]) {
        if (form.length >= MIN_LENGTH && !PLAIN.has(form.toLowerCase()))
          for (const encoded of encodings(form)) forms.add(encoded);
      }
    }
    if (forms.size === 0) return undefined;
    // Longest first, so that a secret inside another does not leave the rest of the longer one behind.
    const alternatives = [...forms]
      .sort((a, b) => b.length - a.length)
      .map((form) => form.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
    return new RegExp(alternatives.join("|"), "g");
  }
}

function maskDeep(value: unknown, pattern: RegExp): unknown {
  if (typeof value === "string") return value.replace(pattern, MASK);
  if (Array.isArray(value)) return value.map((item) => maskDeep(item, pattern));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key.replace(pattern, MASK), maskDeep(item, pattern)]),
    );
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
