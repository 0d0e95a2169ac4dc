import { useMemo, useState } from "react";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { ErrorPanel, StatePanel } from "../../parts/state-panel.tsx";
import { useTitle } from "../../parts/use-title.ts";
import { navigate } from "../../router.ts";
import { ColumnsCard } from "./columns-card.tsx";
import { ExportMenu } from "./export-menu.tsx";
import { MatrixView } from "./matrix-view.tsx";
import { QuestionsCard } from "./questions-card.tsx";
import { RunBar } from "./run-bar.tsx";
import { settingsProblems } from "./settings-problems.ts";
import { TotalsTable } from "./totals-table.tsx";
import type { Column } from "./types.ts";
import { useMatrix, useOptions, useSession } from "./use-evaluation.ts";
import "../../styles/evaluate.css";

const NO_COLUMNS: readonly Column[] = [];

/** One evaluation: what is asked, in which ways, and every answer side by side. */
export function EvaluationScreen({ id }: { id: string }) {
  const { session, snapshot } = useSession(id);
  const { evaluation, cells, phase } = snapshot;
  const { read, matrix } = useMatrix(evaluation);
  const options = useOptions(evaluation?.columns ?? NO_COLUMNS);
  const [notJson, setNotJson] = useState<ReadonlySet<string>>(new Set());
  const [isDeleting, setIsDeleting] = useState(false);
  useTitle(evaluation?.name.trim() || "Evaluate");
  const problems = useMemo(
    () => [
      ...matrix.problems,
      ...(evaluation && options.data ? settingsProblems(evaluation, options.data) : []),
      ...(notJson.size > 0 ? ["The settings of a configuration are not JSON."] : []),
    ],
    [matrix, evaluation?.columns, options.data, notJson],
  );
  if (phase === "loading") return <StatePanel kind="loading" title="Loading…" />;
  if (evaluation === undefined)
    return (
      <>
        <h1>Evaluate</h1>
        <StatePanel kind="empty" title="There is no such evaluation in this browser.">
          <a className="button" href="#/evaluate">
            All evaluations
          </a>
        </StatePanel>
      </>
    );
  const isFixed = phase !== "idle" || snapshot.isElsewhere;
  const hasCells = cells.size > 0;
  return (
    <div className="evaluate">
      <div className="row spread run-title">
        <h1>
          <bdi>{evaluation.name.trim() || "Evaluation"}</bdi>
        </h1>
        <div className="row">
          <a className="button" href="#/evaluate">
            All evaluations
          </a>
          <ExportMenu {...{ evaluation, matrix, cells }} defaultModel={options.data?.models[0]?.name} />
          <button type="button" className="danger" disabled={isFixed} onClick={() => setIsDeleting(true)}>
            Delete
          </button>
        </div>
      </div>
      {snapshot.storageProblem && (
        <p className="warning" role="alert">
          {snapshot.storageProblem}.
        </p>
      )}
      <fieldset className="bare" disabled={isFixed}>
        <legend className="visually-hidden">What is compared</legend>
        <QuestionsCard {...{ evaluation, read }} isOpen={!hasCells} edit={(patch) => session.edit(patch)} />
        <ColumnsCard
          {...{ evaluation, options: options.data, setNotJson }}
          isOpen={!hasCells}
          edit={(patch) => session.edit(patch)}
        />
      </fieldset>
      {options.isError && <ErrorPanel error={options.error} retry={() => options.refetch()} />}
      <RunBar {...{ session, snapshot, matrix, problems, evaluation }} options={options.data} />
      {hasCells && <TotalsTable {...{ evaluation, matrix, cells }} edit={(patch) => session.edit(patch)} />}
      {matrix.asks.length > 0 && <MatrixView {...{ session, evaluation, matrix, cells, phase }} />}
      {isDeleting && (
        <ConfirmDialog
          title="Delete this evaluation?"
          action="Delete it for good"
          onClose={() => setIsDeleting(false)}
          onConfirm={() => {
            void session.remove();
            navigate("/evaluate");
          }}
        >
          <p>
            Its questions and answers are removed from this browser. The runs stay in the history of the
            service.
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}
