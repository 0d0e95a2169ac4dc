import * as fc from "fast-check";
import { Cases } from "../../../test/cases.ts";
import { Secrets } from "./secrets.ts";

const secret = fc.string({ minLength: 8, maxLength: 40 }).filter((text) => text.trim().length >= 8);
const around = fc.string({ maxLength: 30 });

const ENCODINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => encodeURIComponent(text),
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => JSON.stringify(text).slice(1, -1).replaceAll("/", "\\/"),
  (text) => Buffer.from(text).toString("base64").replace(/=+$/, ""),
  (text) => Buffer.from(text).toString("hex"),
  (text) => text.toUpperCase(),
  (text) => html(text, { '"': "&quot;", "'": "&#39;" }),
  (text) => html(text, { '"': "&#34;", "'": "&#39;" }), // Go
  (text) => html(text, { '"': "&quot;", "'": "&#x27;" }), // Python
];

function html(text: string, quotes: Readonly<Record<string, string>>): string {
  const characters: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", ...quotes };
  return text.replace(/[&<>"']/g, (char) => characters[char]!);
}

function maskerOf(...values: string[]): Secrets {
  const secrets = new Secrets();
  for (const value of values) secrets.add(value);
  return secrets;
}

const inside = new Cases();

export default [
  {
    name: "masking: no encoded form of a secret is left in a text",
    property: fc.property(
      secret,
      around,
      around,
      fc.constantFrom(...ENCODINGS),
      (value, before, after, encode) => {
        const form = encode(value);
        // The last character of base64 may depend on what follows.
        const core = form.length > 10 ? form.slice(0, -2) : form;
        return !maskerOf(value).mask(`${before}${form}${after}`).includes(core) || core.length < 6;
      },
    ),
  },
  {
    name: "masking: a secret of digits is not left as a number either, at any depth, and other numbers stay",
    property: fc.property(
      fc.integer({ min: 100_000 }),
      fc.array(fc.double({ noNaN: true })),
      fc.nat(5),
      (secret, numbers, depth) => {
        let value: unknown = [secret, BigInt(secret), ...numbers];
        for (let level = 0; level < depth; level++) value = level % 2 === 0 ? { value } : [value];
        const expected = JSON.stringify(value, (_, item) => (Number(item) === secret ? "***" : item));
        return JSON.stringify(maskerOf(String(secret)).mask(value)) === expected;
      },
    ),
  },
  {
    name: "masking: a text without a secret stays as it is",
    property: fc.property(fc.array(fc.constantFrom("a", "b", " ", "\n"), { maxLength: 200 }), (chars) => {
      const text = chars.join("");
      return maskerOf("zzzz-secret-zzzz").mask(text) === text;
    }),
  },
  {
    name: "masking: a secret inside another does not leave the rest of it",
    cases: inside,
    property: fc.property(
      secret,
      secret,
      fc.array(around, { minLength: 10, maxLength: 20 }),
      (inner, outer, texts) => {
        const whole = `${outer}${inner}${outer}`;
        const masker = maskerOf(inner, whole);
        const between = texts.flatMap((before) => texts.map((after) => `${before}${whole}${after}`));
        return [...inside.of(between)].every((text) => !masker.mask(text).includes(outer + inner));
      },
    ),
  },
];
