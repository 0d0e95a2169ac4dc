/** The options of a question that letters them: "A) carrot B) potato C) apple". At least two, in order from A; else none. */
export function letteredOptions(question: string): ReadonlyMap<string, string> {
  const text = question.slice(-MAX_CHARS);
  const marks = [...text.matchAll(/(?<![\p{L}\p{N}])\(?([A-H])[).:](?=\s)/gu)];
  const letters = marks.map(([, letter]) => letter!);
  const inOrder = letters.length >= 2 && letters.every((letter, i) => letter === "ABCDEFGH"[i]);
  if (!inOrder) return new Map();
  return new Map(
    marks.map((mark, i) => {
      const option = text.slice(mark.index + mark[0].length, marks[i + 1]?.index).trim();
      return [letters[i]!, option.replace(/[\s,;.?]{1,5}$/, "")];
    }),
  );
}

const MAX_CHARS = 2000;
