import { formatDuration, formatMoney, formatPercent, plural } from "../../../parts/format.ts";
import { textOf } from "../export/export-csv.ts";
import type { Ask, Cell } from "../types.ts";
import { gradeOf } from "./grade.ts";

const MAX_CHARS = 220;

/** One cell: the answer of a configuration to a question, or how many of its repeats are right. */
export function MatrixCell({
  asks,
  cells,
  place,
  tabIndex,
  onOpen,
}: {
  asks: readonly Ask[];
  cells: ReadonlyMap<string, Cell>;
  place: string;
  tabIndex: number;
  onOpen: () => void;
}) {
  const known = asks.map((ask) => cells.get(ask.key));
  const [ask, cell] = [asks[0]!, known.find((each) => each?.state === "answered") ?? known[0]];
  return (
    <button type="button" className="matrix-cell" data-cell={place} tabIndex={tabIndex} onClick={onOpen}>
      <span className="matrix-state">
        {asks.length === 1 ? <StateBadge ask={ask} cell={cell} /> : <RepeatBadge asks={asks} cells={cells} />}
      </span>
      <bdi className="matrix-text">{cellText(cell)}</bdi>
      {cell && cell.state !== "running" && <span className="matrix-facts muted">{cellFacts(cell)}</span>}
    </button>
  );
}

/** Whether it is right, in a word: colour alone says nothing to many. */
export function StateBadge({ ask, cell }: { ask: Ask; cell: Cell | undefined }) {
  if (cell === undefined) return <span className="badge">not asked</span>;
  if (cell.state === "running")
    return (
      <span className="badge running">
        {cell.replies
          ? plural(cell.replies, "reply", "replies")
          : cell.run_id === undefined
            ? "waiting"
            : "in flight"}
      </span>
    );
  const { right, by } = gradeOf(ask, cell);
  const undecided = cell.state === "answered" && cell.verdict !== "decided";
  return (
    <>
      {cell.state === "failed" ? (
        <span className="badge failed">failed</span>
      ) : right === undefined ? (
        <span className="badge">not judged</span>
      ) : (
        <span className={right ? "badge complete" : "badge failed"}>{right ? "✓ right" : "✗ wrong"}</span>
      )}
      {by === "person" && <span className="badge">by a person</span>}
      {undecided && <span className="badge partial">{cell.verdict}</span>}
    </>
  );
}

function RepeatBadge({ asks, cells }: { asks: readonly Ask[]; cells: ReadonlyMap<string, Cell> }) {
  const over = asks.filter(({ key }) => (cells.get(key)?.state ?? "running") !== "running");
  const graded = over.map((ask) => gradeOf(ask, cells.get(ask.key)).right);
  const right = graded.filter((each) => each === true).length;
  const failed = asks.filter(({ key }) => cells.get(key)?.state === "failed").length;
  if (over.length === 0)
    return (
      <span className="badge">{asks.some(({ key }) => cells.has(key)) ? "in flight" : "not asked"}</span>
    );
  return (
    <>
      <span className={`badge ${right === over.length ? "complete" : right === 0 ? "failed" : "partial"}`}>
        {right} of {over.length} right
      </span>
      {over.length < asks.length && <span className="badge">{asks.length - over.length} to come</span>}
      {failed > 0 && <span className="badge failed">{failed} failed</span>}
    </>
  );
}

function cellText(cell: Cell | undefined): string {
  if (cell === undefined || cell.state === "running") return "";
  if (cell.error) return cell.error.message.slice(0, MAX_CHARS);
  return cell.answer === null ? "No answer was decided." : textOf(cell.answer).slice(0, MAX_CHARS);
}

export function cellFacts({
  calls = 0,
  cost_usd = null,
  cost_source,
  seconds = 0,
  agreement,
  confidence,
  votes = {},
}: Cell): string {
  // One vote agrees with itself.
  const isVote = Object.values(votes).reduce((sum, count) => sum + count, 0) > 1;
  return [
    plural(calls, "call"),
    formatMoney(cost_usd, cost_source ?? null),
    formatDuration(seconds * 1000),
    ...(confidence !== null && confidence !== undefined
      ? [`confidence ${formatPercent(confidence)}`]
      : isVote && agreement !== null && agreement !== undefined
        ? [`agreement ${formatPercent(agreement)}`]
        : []),
  ].join(" · ");
}
