import { useMemo, useState } from "react";
import { plural } from "../format.ts";
import { type DiffPart, diffLines } from "./diff.ts";

/** Unchanged lines around a change. */
const CONTEXT = 3;
const SIGNS = { same: " ", removed: "-", added: "+" } as const;

/** What changed between two texts, as `diff` shows it; unchanged lines are folded. */
export function DiffView({ before, after, label }: { before: string; after: string; label: string }) {
  const [isAll, setIsAll] = useState(false);
  const lines = useMemo(() => diffLines(before, after), [before, after]);
  const changes = lines.filter(({ kind }) => kind !== "same").length;
  if (changes === 0) return <p className="muted">No difference.</p>;
  const isShown = (index: number) =>
    isAll ||
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ kind }) => kind !== "same");
  const parts = folded(lines, isShown);
  return (
    <>
      <div className="line-diff scroll" role="region" aria-label={label} tabIndex={0}>
        {parts.map((part, index) =>
          "hidden" in part ? (
            <div key={index} className="diff-fold muted">
              … {plural(part.hidden, "unchanged line")}
            </div>
          ) : (
            <Line key={index} {...part} />
          ),
        )}
      </div>
      {(isAll || parts.some((part) => "hidden" in part)) && (
        <button type="button" className="quiet" onClick={() => setIsAll(!isAll)}>
          {isAll ? "Only changes" : "All lines"}
        </button>
      )}
    </>
  );
}

const ELEMENTS = { same: "div", removed: "del", added: "ins" } as const;

function Line({ kind, text }: DiffPart) {
  const Element = ELEMENTS[kind];
  return (
    <Element className={`diff-line ${kind}`}>
      <span aria-hidden="true">{SIGNS[kind]} </span>
      {kind !== "same" && <span className="visually-hidden">{kind}: </span>}
      {text}
    </Element>
  );
}

function folded(
  lines: readonly DiffPart[],
  isShown: (index: number) => boolean,
): (DiffPart | { hidden: number })[] {
  const parts: (DiffPart | { hidden: number })[] = [];
  lines.forEach((line, index) => {
    const last = parts.at(-1);
    if (isShown(index)) parts.push(line);
    else if (last && "hidden" in last) last.hidden += 1;
    else parts.push({ hidden: 1 });
  });
  return parts;
}
