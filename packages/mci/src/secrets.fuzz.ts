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
];

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
