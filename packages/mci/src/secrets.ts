import type { Scope } from "./template-api.ts";

const MASK = "***";

/** Values that are not secret even when an env variable holds them, and whose masking would garble every message. */
const PLAIN = new Set(["true", "false", "null", "yes", "no", "on", "off"]);
/** Shorter values occur everywhere by coincidence. */
const MIN_LENGTH = 3;
/** A shorter beginning of a secret at the end of a text, or line of a longer one, may be a coincidence. */
const MIN_PART = 6;

/** Collects the env values a call used, and masks them in everything that is reported about it. */
export class Secrets {
  readonly #values = new Set<unknown>();
  readonly #publicValues: ReadonlySet<string>;
  #masker: Masker | undefined;
  #numbers: ReadonlySet<number> | undefined;

  /** `publicValues`, from `publicValuesOf`, are shown. Default: none. */
  constructor(publicValues: ReadonlySet<string> = new Set()) {
    this.#publicValues = publicValues;
  }

  /** An address without credentials in it is not a secret, unless it is used as a credential itself. */
  add(value: unknown, use?: SecretUse): void {
    if (this.#values.has(value)) return;
    if (typeof value === "object" && value !== null) {
      this.#values.add(value); // It may hold itself.
      for (const item of Object.values(value)) this.add(item, use);
    } else if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") {
      const text = String(value);
      if (this.#publicValues.has(text) || (use !== "credential" && isPlainOrigin(text))) return;
      this.#masker = undefined;
      this.#numbers = undefined;
      this.#values.add(text);
    }
  }

  /** What is masked. */
  get values(): readonly unknown[] {
    return [...this.#values];
  }

  /** The value with every string in it, at any depth, masked. */
  mask<T>(value: T): T {
    if (this.#values.size === 0) return value;
    return maskDeep(
      value,
      (text) => this.#mask(text),
      (number) => this.#isSecretNumber(number),
    ) as T;
  }

  /** The same, except for the names of its fields: those are ours, whatever an env value happens to be. */
  maskFields<T extends object>(fields: T): T {
    if (this.#values.size === 0) return fields;
    return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, this.mask(value)])) as T;
  }

  /** A server may read a secret of digits as a number. Shorter ones are equal by coincidence: a status, a time. */
  #isSecretNumber(value: number | bigint): boolean {
    if (Math.abs(Number(value)) < MIN_SECRET_NUMBER) return false;
    this.#numbers ??= new Set([...this.#values].filter(isDigits).map(Number));
    return this.#numbers.has(Number(value));
  }

  #mask(text: string): string {
    this.#masker ??= new Masker(formsOf(this.#values));
    return this.#masker.mask(text);
  }
}

const MIN_SECRET_NUMBER = 100_000;

function isDigits(value: unknown): boolean {
  return typeof value === "string" && /^-?\d{6,300}$/.test(value.trim());
}

/** How an env value is used, where that decides whether it is masked. */
export type SecretUse = "credential";

/** The values of the variables that a file declares as public. */
export function publicValuesOf(
  env: Readonly<Record<string, unknown>>,
  names: readonly string[] = [],
): ReadonlySet<string> {
  return new Set(names.flatMap((name) => (isScalar(env, name) ? String(env[name]) : [])));
}

function isScalar(env: Readonly<Record<string, unknown>>, name: string): boolean {
  return Object.hasOwn(env, name) && typeof env[name] !== "object";
}

/** The same scope, for settings that hold credentials: everything they read is masked. */
export function credentialScope(scope: Scope): Scope {
  return { ...scope, onEnv: (value) => scope.onEnv(value, "credential") };
}

/** `https://api.example.com`: no user, no path, no query, where a token could be. */
function isPlainOrigin(value: string): boolean {
  if (value.length > MAX_ORIGIN || !/^https?:\/\/[^/?#@\\\s]+\/?$/i.test(value)) return false;
  return URL.canParse(value);
}

const MAX_ORIGIN = 300;

function formsOf(values: Iterable<unknown>): Set<string> {
  const forms = new Set<string>();
  for (const value of values) {
    if (typeof value !== "string") continue;
    // Headers carry UTF-8, and many servers read them as Latin-1.
    for (const part of partsOf(value).flatMap((part) => [part, Buffer.from(part).toString("latin1")])) {
      for (const form of encodings(part)) if (form.length >= MIN_LENGTH) forms.add(foldCase(form));
    }
  }
  return forms;
}

/** The value, without the white space around it, and the lines of a longer one, which may be repeated one by one. */
function partsOf(value: string): string[] {
  const lines = value.includes("\n") ? value.split("\n").map((line) => line.trim()) : [];
  return [value, value.trim(), ...lines.filter((line) => line.length >= MIN_PART)].filter(
    (part) => part.length >= MIN_LENGTH && !PLAIN.has(part.toLowerCase()),
  );
}

/**
 * Finds any of many forms in a text. Not a regular expression: values of any size and number would make one that is too
 * large, and the engine's complaint would repeat them. Case does not matter, because host names lose theirs.
 */
class Masker {
  readonly #longest: number;
  /** By their first characters; the longer first, so that a secret inside another does not leave the rest of it behind. */
  readonly #byStart = new Map<string, string[]>();
  /** The first two characters of each: what a text is searched for. */
  readonly #pairs = new Set<number>();

  constructor(forms: ReadonlySet<string>) {
    const sorted = [...forms].sort((a, b) => b.length - a.length);
    this.#longest = sorted[0]?.length ?? 0;
    for (const form of sorted) {
      const start = form.slice(0, MIN_LENGTH);
      const same = this.#byStart.get(start);
      if (same) same.push(form);
      else this.#byStart.set(start, [form]);
      this.#pairs.add(pairAt(form, 0));
    }
  }

  mask(text: string): string {
    const folded = foldCase(text);
    let masked = "";
    let from = 0;
    for (let at = 0; at <= text.length - MIN_LENGTH; ) {
      const found = this.#startingAt(folded, at)?.find((form) => folded.startsWith(form, at));
      if (found !== undefined) {
        masked += text.slice(from, at) + MASK;
        from = at + found.length;
      }
      at += found?.length ?? 1;
    }
    return this.#maskCut(masked + text.slice(from));
  }

  /** Output is cut at a limit, perhaps in the middle of a secret: what is left of it at the end goes too. */
  #maskCut(text: string): string {
    const tail = Math.max(0, text.length - MAX_TAIL);
    const end = tail + /(?:…|\.\.\.|(?<!\s))\s*$/.exec(text.slice(tail))!.index;
    const start = Math.max(0, end - this.#longest + 1);
    const folded = foldCase(text.slice(start, end));
    for (let at = 0; at <= folded.length - MIN_PART; at++) {
      const isCut = this.#startingAt(folded, at)?.some((form) => form.startsWith(folded.slice(at)));
      if (isCut) return text.slice(0, start + at) + MASK + text.slice(end);
    }
    return text;
  }

  #startingAt(folded: string, at: number): readonly string[] | undefined {
    if (!this.#pairs.has(pairAt(folded, at))) return undefined;
    return this.#byStart.get(folded.slice(at, at + MIN_LENGTH));
  }
}

/** The end of a text in which a mark for what was cut off is looked for. */
const MAX_TAIL = 100;

/** Two characters as one number. */
function pairAt(text: string, at: number): number {
  return text.charCodeAt(at) * 0x10000 + text.charCodeAt(at + 1);
}

/** Lower case of ASCII letters only, so that every character keeps its place. */
function foldCase(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function maskDeep(
  value: unknown,
  mask: (text: string) => string,
  isSecret: (number: number | bigint) => boolean,
): unknown {
  const inside = (item: unknown) => maskDeep(item, mask, isSecret);
  if (typeof value === "string") return mask(value);
  if (typeof value === "number" || typeof value === "bigint") return isSecret(value) ? MASK : value;
  if (Array.isArray(value)) return value.map(inside);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [mask(key), inside(item)]));
  return value;
}

/** The forms in which a value may come back from a URL, a form, a JSON text, a page or a header. */
function* encodings(value: string): Generator<string> {
  yield value;
  const percent = encodeURIComponent(value.toWellFormed());
  yield percent;
  yield percent.replaceAll("%20", "+");
  yield new URLSearchParams([["", value]]).toString().slice(1);
  yield encodeURI(value.toWellFormed());
  const url = new URL("http://host");
  url.pathname = value;
  url.search = value;
  yield url.pathname.slice(1);
  yield url.search.slice(1);
  for (const json of jsonForms(value)) {
    yield json;
    yield JSON.stringify(json).slice(1, -1);
  }
  for (const characters of [HTML, HTML_OF_GO, HTML_OF_PYTHON])
    yield value.replace(/[&<>"']/g, (char) => characters[char]!);
  if (value.length < MIN_PART) return; // Encoded forms of very short values match by coincidence.
  yield Buffer.from(value).toString("hex");
  yield* base64(value);
}

/** The same text inside JSON, as other languages write it: a slash, a plus and all but ASCII may be escaped, too. */
function jsonForms(value: string): readonly string[] {
  const json = JSON.stringify(value).slice(1, -1);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all but ASCII
  const ascii = json.replace(/[^\x00-\x7f]/g, escapeUnit);
  return [
    json,
    ascii, // Python
    json.replaceAll("/", "\\/"),
    ascii.replaceAll("/", "\\/"), // PHP
    json.replace(/[<>&]/g, escapeUnit), // Go, Ruby on Rails
    ascii.replaceAll('\\"', escapeUnit('"')).replace(/[<>&'+`]/g, escapeUnit), // .NET
  ];
}

function escapeUnit(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

const HTML: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const HTML_OF_GO: typeof HTML = { ...HTML, '"': "&#34;" };
const HTML_OF_PYTHON: typeof HTML = { ...HTML, "'": "&#x27;" };

/** Base64 depends on where in a longer text the value stands: three alignments, without the characters shared with its neighbours. */
function* base64(value: string): Generator<string> {
  for (const shift of [0, 1, 2]) {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(value)]);
    const start = Math.ceil((shift * 8) / 6);
    const end = Math.floor((bytes.length * 8) / 6);
    for (const alphabet of ["base64", "base64url"] as const) yield bytes.toString(alphabet).slice(start, end);
  }
}
