import fc from "fast-check";

const SURROGATES_FROM = 0xd800;
const SURROGATES = 0x800;

/**
 * Any character of Unicode, as the unit of a string: what fast-check calls "binary", which takes more than a second of
 * processor time to prepare in every process that uses it.
 */
export const anyCharacter = fc.nat({ max: 0x10ffff - SURROGATES }).map(
  (index) => String.fromCodePoint(index < SURROGATES_FROM ? index : index + SURROGATES),
  // With the way back fast-check mixes its dangerous strings in, such as "__proto__".
  (character) => {
    const code = typeof character === "string" ? (character.codePointAt(0) ?? -1) : -1;
    if (code < 0 || String.fromCodePoint(code) !== character) throw new Error("not one character");
    if (code >= SURROGATES_FROM && code < SURROGATES_FROM + SURROGATES) throw new Error("half a character");
    return code < SURROGATES_FROM ? code : code - SURROGATES;
  },
);
