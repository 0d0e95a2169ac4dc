import * as fc from "fast-check";
import { unstorableTexts } from "./unstorable-text.ts";

/** Plain text, and what no database keeps: a NUL, halves of pairs. */
const unit = fc.constantFrom("a", "é", "\u{1F600}", "\uFFFD", "\\u0000", "\0", "\ud800", "\udc00", "\x01");
const text = fc.string({ unit, maxLength: 4 });
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", maxDepth: 4 },
    text,
    fc.constantFrom<unknown>(null, 1, true),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(text, tie("value"), { maxKeys: 3 }),
  ),
}));

/** As an encoder sees it: half a pair becomes U+FFFD. */
function isStorable(value: unknown): boolean {
  if (typeof value === "string") return !value.includes("\0") && Buffer.from(value).toString() === value;
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, item]) => isStorable(key) && isStorable(item));
}

export default [
  {
    name: "requests: a text that no database can keep is refused wherever it stands, and no other",
    property: fc.property(value, (body) => {
      const problems = unstorableTexts(body);
      return problems.length === 0 ? isStorable(body) : !isStorable(body) && problems.length <= 21;
    }),
  },
];
