import * as fc from "fast-check";
import { MAX_DEPTH } from "./depth.ts";
import { tokenize } from "./tokens.ts";

const piece = fc.constantFrom(
  ..."_ * ** ~~ ` ``` > - + 1. # | [ ] ( ) ! < > & \\ / : . @ a b www.a http://a <a> </a> <!-- --> &#x28;".split(
    " ",
  ),
  "\n",
  "\n\n",
  "    ",
  "\t",
  " ",
);
const text = fc
  .tuple(fc.array(piece, { maxLength: 12 }), fc.integer({ min: 1, max: 30 }))
  .map(([pieces, times]) => pieces.join("").repeat(times));

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner = Object.values(value).map(depthOf);
  return 1 + Math.max(0, ...inner);
}

export default [
  {
    name: "what a text is formatted to is bounded in number and depth, and can leave its worker",
    property: fc.asyncProperty(text, async (markdown) => {
      const tokens = tokenize(markdown);
      if (tokens === undefined) return true;
      // A level of Markdown is at most four of objects: a list, its items, an item, its tokens.
      return depthOf(structuredClone(tokens)) <= 4 * (MAX_DEPTH + 2);
    }),
  },
];
