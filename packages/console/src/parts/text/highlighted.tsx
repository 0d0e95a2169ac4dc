import { Fragment } from "react";

/** A text with the words of a search marked in it. */
export function Highlighted({ text, words }: { text: string; words: string }) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 20);
  if (wanted.length === 0) return text;
  const pattern = new RegExp(
    `(${wanted.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`,
    "gi",
  );
  return text
    .split(pattern)
    .map((part, index) =>
      index % 2 === 1 ? <mark key={index}>{part}</mark> : <Fragment key={index}>{part}</Fragment>,
    );
}
