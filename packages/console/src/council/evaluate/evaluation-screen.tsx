import "../../styles/evaluate.css";
import type { EvaluationOptions } from "@mci-ts/council-server/api";
import { useMemo, useState } from "react";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { checkInput } from "../../parts/form/check-input.ts";
import type { FormSchema } from "../../parts/form/json-schema.ts";
import { ErrorPanel, StatePanel } from "../../parts/state-panel.tsx";
import { useTitle } from "../../parts/use-title.ts";
import { navigate } from "../../router.ts";
import { ExportMenu } from "./export/export-menu.tsx";
import { modelsOf, titleOf } from "./matrix.ts";
import { MatrixView } from "./results/matrix-view.tsx";
import { TotalsTable } from "./results/totals-table.tsx";
import { RunBar } from "./run-bar.tsx";
import { ColumnsCard } from "./setup/columns-card.tsx";
import { QuestionsCard } from "./setup/questions-card.tsx";
import type { Column, Evaluation } from "./types.ts";
import { useMatrix, useOptions, useSession } from "./use-evaluation.ts";

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

/** What the service would refuse of settings and models, before anything is sent. */
function settingsProblems(
  evaluation: Evaluation,
  { settings, models }: EvaluationOptions,
): readonly string[] {
  return evaluation.columns.flatMap((column) => {
    const title = titleOf(column, evaluation);
    const refused = modelsOf(column).flatMap(
      (name) => models.find((each) => each.name === name)?.refused ?? [],
    );
    return [
      ...[...checkInput(settings as FormSchema, column.settings)].map(
        ([path, message]) => `${title}: ${path.slice(1) || "settings"}: ${message}`,
      ),
      ...refused.map((message) => `${title}: ${message}.`.replace(/\.\.$/, ".")),
    ];
  });
}
