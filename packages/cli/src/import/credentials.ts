/**
 * What of an example request is a credential, and what may stand in a file. Between the two is everything else: it is
 * asked for, and its example is not written down.
 */

/** A value that must not stand in a file: its name says so, or it looks like a key. */
export function isCredential(name: string, value: unknown): boolean {
  if (typeof value === "string") return value !== "" && (isCredentialName(name) || isCredentialValue(value));
  return (typeof value === "number" || typeof value === "bigint") && isCredentialName(name);
}

/** Somewhere in the value is a credential. */
export function holdsCredential(name: string, value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return isCredential(name, value);
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.some((item) => holdsCredential(name, item, depth + 1));
  // What a credential consists of is one, whatever its parts are called.
  const isPart = isCredentialName(name);
  return Object.entries(value).some(
    ([key, item]) =>
      holdsCredential(key, item, depth + 1) || (isPart && holdsCredential(name, item, depth + 1)),
  );
}

/** Deeper values are asked for as a whole, without an example. */
export const MAX_DEPTH = 30;

const NAME_WORDS = new Set(
  (
    "authorization authentication auth oauth token tokens secret secrets session sid csrf xsrf password passwd pwd pw pass " +
    "passphrase passcode pin otp totp mfa tfa credential credentials cred creds cookie cookies jwt bearer sig signature hmac " +
    "apikey key keys pat private access license licence sas psk assertion saml mnemonic webhook hook passwort kennwort senha"
  ).split(" "),
);
/** Names in one word: `accesstoken`, `PHPSESSID`, `appkey`, `secretvalue`. */
const NAME_PARTS =
  /^(?:secret|password|passwd|apikey)|(?:token|secret|password|passwd|pass|pwd|key|auth|jwt|sess|sessid|sessionid|sid|credential|passphrase|signature|cookie)s?$/;
/** Words that count tokens, or say how to go on in a list; such a name is not a credential's. They are whole words: `admin_token` is one. */
const NOT_NAMES =
  /(?:^|_)(?:next|prev)?(?:max|min|num|count|total|limit|budget|prompt|completion|output|input|page|next|prev|previous|continuation|sync|start)_?tokens?$|(?:^|_)tokens?_?(?:type|count|limit|usage)$|(?:^|_)(?:sort|primary|foreign|partition|order|group|public)_?keys?$|^access_?(?:level|type|mode)$|^keywords?$/;

export function isCredentialName(name: string): boolean {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  // Digits end a word: `password1`, `oauth2`.
  const words = spaced.split(/[^a-z]+/).filter((word) => word !== "");
  if (NOT_NAMES.test(words.join("_"))) return false;
  return words.some((word) => NAME_WORDS.has(word) || NAME_PARTS.test(word));
}

/** A credential with its name inside a text: `Password=…`, `{"token": "…"}`, `/a;jsessionid=…`. */
export function namesCredential(text: string): boolean {
  return text.matchAll(NAMED_VALUE).some(([, name]) => isCredentialName(name!));
}

/** A name, and a value that is more than the scheme of one; `password: $password` refers to one. */
const NAMED_VALUE =
  /([\w-]{2,64})["']?\s{0,9}[=:]\s{0,9}["']?(?:(?:bearer|basic|token|apikey|key) +)?(?!(?:bearer|basic|token|apikey|key)\b)[^\s"',;&=:$(){}[\]]{2}/gi;

/** Beginnings that providers give their keys, and schemes of the Authorization header. */
const KEY_START =
  /^(?:(?:bearer|basic|token|digest|apikey|negotiate)\s+\S|(?:sk|pk|rk|ak)[-_]\w|gh[opsur]_|github_pat_|glpat-|xox[a-z]-|xapp-|AKIA|ASIA|AIza|ya29\.|eyJ|hf_|npm_|pypi-|SG\.|shp(?:at|ss|ca)_|dop_v1_|-----BEGIN)/i;

/** Text that looks like a key: a known beginning, a password in an address, or a long run of letters and digits. */
export function isCredentialValue(value: string): boolean {
  const text = value.trim();
  if (KEY_START.test(text) || /^[a-z][a-z0-9+.-]*:\/\/[^/\s@]*@/i.test(text)) return true;
  return (text.match(/[A-Za-z0-9+/_=~]{16,}/g) ?? []).some(looksRandom);
}

/** `WebKitFormBoundary7MA4YWxk`, `4f9d0c…`: not words joined by separators, and not a number. */
function looksRandom(run: string): boolean {
  return run
    .split(/[/_=~+]+/)
    .some(
      (piece) =>
        (piece.length >= 16 && /[A-Za-z]/.test(piece) && /\d/.test(piece)) ||
        (piece.length >= 24 && /[a-z]/.test(piece) && /[A-Z]/.test(piece) && !isCamelCase(piece)),
    );
}

/** A name that is a key itself, as in `?ghp_…`: there is no other name to keep. */
export function isKeyAsName(name: string): boolean {
  return (name.length >= 20 && KEY_START.test(name)) || (/^[^=]+=[^=]/.test(name) && namesCredential(name));
}

/** A name of words and small numbers, such as `filter[name]` and `$top`; what stands alone and is none may be a password. */
export function isPlainName(name: string): boolean {
  const words = name.split(/[^\p{L}\d]+/u).filter((word) => word !== "");
  const pieces = words.flatMap((word) => word.split(/(?<=\p{Ll})(?=\p{Lu})/u));
  return !isCredentialValue(name) && pieces.every((piece) => HARMLESS_WORD.test(piece));
}

/** Digits between letters, letters between digits, or many of one beside the other. Read run by run, in linear time. */
function hasOddDigits(piece: string): boolean {
  const runs = piece.match(/\d+|[A-Za-z]+|[^\dA-Za-z]+/g) ?? [];
  const kind = (run: string | undefined) =>
    run === undefined || !/^[\dA-Za-z]/.test(run) ? "" : /^\d/.test(run) ? "digit" : "letter";
  return runs.some((run, index) => {
    const [before, own, after] = [kind(runs[index - 1]), kind(run), kind(runs[index + 1])];
    if (own === "digit")
      return (
        (before === "letter" && after === "letter") ||
        (run.length >= 5 && (before === "letter" || after === "letter"))
      );
    return own === "letter" && before === "digit" && (after === "digit" || run.length >= 4);
  });
}

/** Pieces that are not words, joined by separators: `wJalrXUtnFEMI-K7MDENG-bPxRfiCYEX`. */
export function isJoinedKey(text: string): boolean {
  const isOdd = (piece: string) =>
    hasOddDigits(piece) ||
    (piece.length >= 8 && /[a-z]/.test(piece) && /[A-Z]/.test(piece) && !isCamelCase(piece));
  return (text.match(/[\w+=~:.-]{20,}/g) ?? []).some(
    (run) =>
      run
        .split(/[-_+=~:.]+/)
        .filter(isOdd)
        .join("").length >= 12,
  );
}

function isCamelCase(text: string): boolean {
  return /^[A-Z]?[a-z]{2,}(?:[A-Z][a-z]{2,})*$/.test(text);
}

const MAX_HARMLESS = 200;
/** A word, a short number, or a short mix such as `v1` and `4o`. */
const HARMLESS_WORD = /^(?:\p{L}{1,20}|\d{1,8}|[A-Za-z]{1,4}\d{1,3}|\d{1,4}[A-Za-z]{1,3})$/u;

/** Known to be harmless: switches, small numbers, dates, words and plain addresses. */
export function isHarmless(name: string, value: unknown, depth = 0): boolean {
  if (value === null || value === undefined || typeof value === "boolean" || value === "") return true;
  if (typeof value === "object") {
    if (depth > MAX_DEPTH) return false;
    if (Array.isArray(value)) return value.every((item) => isHarmless(name, item, depth + 1));
    return (
      !isCredentialName(name) &&
      Object.entries(value).every(([key, item]) => isHarmless("", key) && isHarmless(key, item, depth + 1))
    );
  }
  if (isCredential(name, value) || /^(?:code|ticket|nonce|2fa)$/i.test(name)) return false;
  if (typeof value === "number") return Math.abs(value) < 1e9;
  if (typeof value !== "string" || value.length > MAX_HARMLESS) return false;
  // Signs between digits and capitals (`Zx9!Qk`) are those of a password; at the end of a word, those of a sentence.
  const sentence = value.replace(/[!?*%&'"()]+(?=\s|$)|(?<=\s|^)['"(*&]+/g, " ");
  const words = sentence.split(/[\s,;:._/+-]+|(?<=[a-z])[!?*%&'"()](?=[a-z])/).filter((word) => word !== "");
  return words.every((word) => HARMLESS_WORD.test(word) && !isCredentialName(word));
}
