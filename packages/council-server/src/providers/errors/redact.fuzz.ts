import * as fc from "fast-check";
import { redactKeys } from "./redact.ts";

/** What a header can carry. */
const CHARS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+/~.=:%$";
const key = fc.string({ unit: fc.constantFrom(...CHARS), minLength: 12, maxLength: 60 });
/** Before and after a key in what is encoded. */
const near = fc.string({ unit: fc.constantFrom("u", ":", "0"), maxLength: 2 });
const around = fc.string({ unit: fc.constantFrom(" ", "\u00e9", "(", "\n", "!"), maxLength: 8 });

const ENCODINGS: readonly ((text: string, before: string, after: string) => string)[] = [
  (text) => text,
  (text) => encodeURIComponent(text),
  (text, before, after) => Buffer.from(before + text + after).toString("hex"),
  (text) => Buffer.from(text).toString("hex").toUpperCase(),
  (text, before, after) => Buffer.from(before + text + after).toString("base64"),
  (text, before, after) => Buffer.from(before + text + after).toString("base64url"),
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => encodeURIComponent(text).toLowerCase(),
  (text) => text.replace(/.{9}/g, "$&\r\n"),
  (text, before, after) =>
    Buffer.from(before + text + after)
      .toString("base64")
      .replace(/.{13}/g, "$&\n  "),
];
/** Beginnings of a key of fewer than 8 characters stay, with what the text before the key becomes. */
const MAX_LEFT = 11;

export default [
  {
    name: "keys: none that a provider repeats is left, encoded, between other text or cut off",
    property: fc.property(
      fc.array(key, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(...ENCODINGS),
      fc.tuple(near, near, around, around),
      fc.nat(120),
      (keys, encode, [before, after, left, right], cut) => {
        const [own] = keys;
        const whole = encode(own!, before, after);
        const form = cut < 60 ? whole.slice(0, Math.max(MAX_LEFT + 1, cut)) : whole;
        const text = redactKeys(`${left}${form}${right}${form}`, keys);
        for (let i = 0; i + MAX_LEFT < form.length; i++)
          if (text.includes(form.slice(i, i + MAX_LEFT + 1))) return false;
        return true;
      },
    ),
  },
  {
    name: "keys: a text without a key stays as it is",
    property: fc.property(fc.array(key, { maxLength: 3 }), around, fc.nat(1000), (keys, text, number) => {
      const message = `${text}The model ${number} does not exist${text}`;
      return redactKeys(message, keys) === message;
    }),
  },
];
