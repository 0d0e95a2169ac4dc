import { useMutation } from "@tanstack/react-query";
import { useEffect, useId, useMemo, useState } from "react";
import { ApiError, getJson } from "../../../api/http.ts";
import { ConfirmDialog } from "../../../parts/confirm-dialog.tsx";
import { diffWords } from "../../../parts/diff/diff.ts";
import { VisibleText } from "../../../parts/text/visible-text.tsx";
import { useModal } from "../../../parts/use-modal.ts";
import { estimateCost } from "../estimate-cost.ts";
import { expectedText, textOf } from "../export/export-csv.ts";
import { titleOf } from "../matrix.ts";
import { EstimateText } from "../run-bar.tsx";
import type { Session, Snapshot } from "../session.ts";
import type { Ask, Cell, Evaluation } from "../types.ts";
import { useOptions } from "../use-evaluation.ts";
import { cellFacts, StateBadge } from "./matrix-cell.tsx";
import type { MatrixRow } from "./matrix-rows.ts";

/** One question with every answer, whole and side by side. */
export function RowDialog({
  session,
  evaluation,
  row,
  column,
  cells,
  phase,
  before,
  after,
  onClose,
}: {
  session: Session;
  evaluation: Evaluation;
  row: MatrixRow;
  /** Which answer was opened. */
  column: number;
  cells: ReadonlyMap<string, Cell>;
  phase: Snapshot["phase"];
  /** To the row above. */
  before: (() => void) | undefined;
  after: (() => void) | undefined;
  onClose: () => void;
}) {
  const { dialog, close } = useModal(onClose);
  const id = useId();
  useEffect(() => {
    dialog.ref.current?.querySelector(`[data-column="${column}"]`)?.scrollIntoView({ block: "nearest" });
  }, []);
  const baseline = Math.max(
    0,
    evaluation.columns.findIndex((each) => each.id === evaluation.baseline),
  );
  const reference = cells.get(row.cells[baseline]?.[0]?.key ?? "");
  const prompts = [...new Set(row.cells.map(([ask]) => ask!.prompt))];
  const expected = expectedText(row.cells[0]![0]!);
  return (
    <dialog {...dialog} className="call-dialog row-dialog" aria-labelledby={id}>
      <div className="row spread">
        <h2 id={id}>
          <bdi>{row.row.id}</bdi>
        </h2>
        <div className="row">
          <button type="button" disabled={!before} onClick={before}>
            Row above
          </button>
          <button type="button" disabled={!after} onClick={after}>
            Row below
          </button>
          <button type="button" onClick={close}>
            Close
          </button>
        </div>
      </div>
      {prompts.map((prompt, index) => (
        <div key={prompt} className="call-text-block">
          <h3>{prompts.length > 1 ? `Prompt ${index + 1}` : "Question"}</h3>
          <div className="whole-answer">
            <VisibleText text={prompt} />
          </div>
        </div>
      ))}
      {expected !== "" && (
        <div className="call-text-block">
          <h3>Expected</h3>
          <div className="whole-answer">
            <VisibleText text={expected} />
          </div>
        </div>
      )}
      <div className="row-answers">
        {row.cells.map((asks, index) => (
          <section
            key={asks[0]!.column.id}
            data-column={index}
            aria-label={titleOf(asks[0]!.column, evaluation)}
          >
            <h3>
              <bdi>{titleOf(asks[0]!.column, evaluation)}</bdi>
            </h3>
            {asks.map((ask) => (
              <Answered
                key={ask.key}
                {...{ ask, session, phase }}
                cell={cells.get(ask.key)}
                reference={index === baseline ? undefined : reference}
                isRepeated={asks.length > 1}
              />
            ))}
          </section>
        ))}
      </div>
    </dialog>
  );
}

function Answered({
  ask,
  cell,
  session,
  phase,
  reference,
  isRepeated,
}: {
  ask: Ask;
  cell: Cell | undefined;
  session: Session;
  phase: Snapshot["phase"];
  /** What it is compared with. */
  reference: Cell | undefined;
  isRepeated: boolean;
}) {
  const run = cell?.run_id;
  return (
    <div className="answered">
      <p className="row">
        {isRepeated && <strong>Repeat {ask.repeat}</strong>}
        <StateBadge ask={ask} cell={cell} />
      </p>
      {cell?.error && <p className="error-text">{cell.error.message}</p>}
      {cell?.error && TOO_LONG.test(cell.error.message) && (
        <p className="muted">
          Single calls and votes are for short answers. For longer texts compare councils, or give the
          question a <code>schema</code> with a field for the text.
        </p>
      )}
      {cell?.answer === null && <p className="muted">No answer was decided.</p>}
      {cell?.answer !== null && cell?.answer !== undefined && (
        <div className="whole-answer" dir="auto">
          <VisibleText text={textOf(cell.answer)} />
        </div>
      )}
      {cell && cell.state !== "running" && <p className="muted">{cellFacts(cell)}</p>}
      {cell && <Votes cell={cell} />}
      {cell?.answer && reference?.answer && (
        <Difference before={textOf(reference.answer)} after={textOf(cell.answer)} />
      )}
      {cell && cell.state !== "running" && <PersonVerdict {...{ ask, cell, session }} />}
      <div className="row">
        {run !== undefined && <a href={`#/runs/${encodeURIComponent(run)}`}>The whole run</a>}
        {run !== undefined && reference?.run_id !== undefined && (
          <a href={`#/compare/${encodeURIComponent(reference.run_id)}/${encodeURIComponent(run)}`}>
            Compare the runs
          </a>
        )}
        {cell && cell.state !== "running" && phase !== "stopping" && <AskAgain {...{ ask, session }} />}
      </div>
    </div>
  );
}

const TOO_LONG = /\btoo_long\b/;

/** Another run of the same request. What is there stays until it has begun. */
function AskAgain({ ask, session }: { ask: Ask; session: Session }) {
  const [isAsking, setIsAsking] = useState(false);
  const { data: options } = useOptions([ask.column]);
  const estimate = options && estimateCost([ask], new Map(), 1, options);
  const again = () => void session.askAgain([ask]);
  return (
    <>
      <button
        type="button"
        className="quiet"
        onClick={() => (estimate?.isFree ? again() : setIsAsking(true))}
      >
        Ask again
      </button>
      {isAsking && (
        <ConfirmDialog
          title="Ask for another answer?"
          action="Ask it again"
          onClose={() => setIsAsking(false)}
          onConfirm={again}
        >
          <p>It replaces this one. The run of this one stays in the history.</p>
          {estimate && <EstimateText estimate={estimate} />}
        </ConfirmDialog>
      )}
    </>
  );
}

function Votes({ cell: { votes = {} } }: { cell: Cell }) {
  const all = Object.entries(votes).toSorted(([, a], [, b]) => b - a);
  if (all.length < 2) return null;
  return (
    <p className="muted">
      Votes:{" "}
      {all.slice(0, 8).map(([answer, count], index) => (
        <span key={answer}>
          {index > 0 && ", "}
          <bdi>{answer.slice(0, 80)}</bdi> {count}
        </span>
      ))}
      {all.length > 8 && `, and ${all.length - 8} more`}
    </p>
  );
}

/** Word by word, where it is opened. */
function Difference({ before, after }: { before: string; after: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const parts = useMemo(() => (isOpen ? diffWords(before, after) : []), [isOpen, before, after]);
  if (before === after) return null;
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>Differences</summary>
      <p className="diff whole" dir="auto">
        {parts.map(({ kind, text }, index) =>
          kind === "same" ? (
            <span key={index}>{text}</span>
          ) : kind === "added" ? (
            <ins key={index}>{text}</ins>
          ) : (
            <del key={index}>{text}</del>
          ),
        )}
      </p>
    </details>
  );
}

/** A person says whether it is right. The service learns of it where the run has votes that it measures. */
function PersonVerdict({ ask, cell, session }: { ask: Ask; cell: Cell; session: Session }) {
  const save = useMutation({
    mutationFn: async (right: boolean) => {
      session.judge(ask.key, { right });
      if (cell.run_id === undefined) return;
      try {
        await getJson(`runs/${encodeURIComponent(cell.run_id)}/verdict`, { body: { right } });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        session.judge(ask.key, { right, note: error.message });
      }
    },
  });
  const { person } = cell;
  return (
    <div className="row" role="group" aria-label="Verdict">
      <button
        type="button"
        className="quiet"
        aria-pressed={person?.right === true}
        disabled={save.isPending}
        onClick={() => save.mutate(true)}
      >
        Right
      </button>
      <button
        type="button"
        className="quiet"
        aria-pressed={person?.right === false}
        disabled={save.isPending}
        onClick={() => save.mutate(false)}
      >
        Wrong
      </button>
      {person?.note !== undefined && (
        <small>
          Kept here only: <bdi>{person.note}</bdi>
        </small>
      )}
    </div>
  );
}
