import { useMemo, useState } from "react";
import { plural } from "./format.ts";
import { type DiffLine, diffLines } from "./line-diff.ts";

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
      <div className="diff scroll" role="region" aria-label={label} tabIndex={0}>
        {parts.map((part, index) =>
          "hidden" in part ? (
            <div key={index} className="diff-fold muted">
              … {plural(part.hidden, "unchanged line")}
            </div>
          ) : (
            <div key={index} className={`diff-line ${part.kind}`}>
              <span aria-hidden="true">{SIGNS[part.kind]} </span>
              {part.kind !== "same" && <span className="visually-hidden">{part.kind}: </span>}
              {part.text}
            </div>
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

function folded(
  lines: readonly DiffLine[],
  isShown: (index: number) => boolean,
): (DiffLine | { hidden: number })[] {
  const parts: (DiffLine | { hidden: number })[] = [];
  lines.forEach((line, index) => {
    const last = parts.at(-1);
    if (isShown(index)) parts.push(line);
    else if (last && "hidden" in last) last.hidden += 1;
    else parts.push({ hidden: 1 });
  });
  return parts;
}
