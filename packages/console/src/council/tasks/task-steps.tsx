import type { Task, TaskStep, TaskStepPage } from "@mci-ts/council-server/api";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { getJson } from "../../api/http.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { formatNumber, plural } from "../../parts/format.ts";
import { ErrorPanel } from "../../parts/state-panel.tsx";
import { navigate } from "../../router.ts";
import { LATEST_STEPS } from "./use-task.ts";

const PAGE = LATEST_STEPS;

/** Where the list of steps begins. */
export interface StepsPlace {
  readonly first: number;
  /** A person asked for this step: it gets the focus, and no filter leaves it out. */
  readonly isSought?: boolean;
}

/** The decided steps, a page at a time: the latest while it runs, any other on request. */
export function TaskSteps({
  task,
  latestSteps,
  place,
  onPlace: setPlace,
}: {
  task: Task;
  latestSteps: readonly TaskStep[];
  /** undefined: the latest steps. */
  place: StepsPlace | undefined;
  onPlace: (place: StepsPlace | undefined) => void;
}) {
  const { id, step: decided } = task;
  const [onlyContested, setOnlyContested] = useState(false);
  const latest = latestSteps[0]?.step ?? Math.max(1, decided - PAGE + 1);
  const from = place?.first ?? latest;
  const sought = place?.isSought ? place.first : undefined;
  const path = `tasks/${encodeURIComponent(id)}`;
  const steps = useQuery({
    queryKey: ["task-steps", id, from],
    enabled: place !== undefined,
    queryFn: () => getJson<TaskStepPage>(`${path}/steps?from=${from}&limit=${PAGE}`),
    placeholderData: (before) => before,
  });
  const fork = useMutation({
    mutationFn: (step: number) => getJson<Task>(`${path}/fork?step=${step}`, { method: "POST" }),
    onSuccess: (task) => navigate(`/tasks/${encodeURIComponent(task.id)}`),
  });
  const [forkAt, setForkAt] = useState<number>();
  const found = useRef<HTMLLIElement>(null);
  const isHere = steps.data?.steps[0]?.step === sought;
  useEffect(() => {
    if (!place?.isSought || !isHere) return;
    found.current?.focus();
    found.current?.scrollIntoView({ block: "center" });
  }, [place, isHere]);
  if (decided === 0) return null;
  const all = place === undefined ? latestSteps : (steps.data?.steps ?? latestSteps);
  // Of the page that is shown: the next one may still be on its way.
  const first = all[0]?.step ?? from;
  const last = all.at(-1)?.step ?? decided;
  const rows = all.filter((step) => !onlyContested || isContested(step) || step.step === sought).toReversed();
  return (
    <section className="card" aria-label="Steps">
      <div className="row spread">
        <h2>
          Steps{" "}
          <span className="muted">
            {formatNumber(first)} to {formatNumber(last)} of {formatNumber(Math.max(decided, last))}
          </span>
        </h2>
        <div className="row">
          <button
            type="button"
            className="quiet"
            disabled={from === 1}
            onClick={() => setPlace({ first: Math.max(1, from - PAGE) })}
          >
            Earlier
          </button>
          <button
            type="button"
            className="quiet"
            disabled={place === undefined}
            onClick={() => setPlace(from + PAGE >= latest ? undefined : { first: from + PAGE })}
          >
            Later
          </button>
          <label className="check">
            <input
              type="checkbox"
              checked={onlyContested}
              onChange={({ target }) => setOnlyContested(target.checked)}
            />{" "}
            Only contested
          </label>
        </div>
      </div>
      {steps.isError && <ErrorPanel error={steps.error} retry={() => steps.refetch()} />}
      {fork.isError && <ErrorPanel error={fork.error} />}
      {forkAt !== undefined && (
        <ConfirmDialog
          title={`Fork this task before step ${forkAt}?`}
          action="Start the fork"
          onConfirm={() => fork.mutate(forkAt)}
          onClose={() => setForkAt(undefined)}
        >
          <p>
            A new task starts with the state before this step, asks the models again, and costs money. This
            one stays as it is.
          </p>
          <code>{`POST /${path}/fork?step=${forkAt}`}</code>
        </ConfirmDialog>
      )}
      <div className="scroll task-steps" tabIndex={0} role="region" aria-label="Decided steps">
        <ol className="tool-uses">
          {rows.map((step) => (
            <li
              key={step.step}
              {...(step.step === sought && { ref: found, tabIndex: -1, "aria-current": true })}
            >
              <Step step={step} fork={() => setForkAt(step.step)} />
            </li>
          ))}
        </ol>
      </div>
      {all.length > 0 && rows.length === 0 && <p className="muted">No step of this page was contested.</p>}
    </section>
  );
}

function isContested({ votes, red_flagged }: TaskStep): boolean {
  return Object.keys(votes).length > 1 || red_flagged > 0;
}

function Step({ step, fork }: { step: TaskStep; fork: () => void }) {
  const votes = Object.entries(step.votes);
  const answer = typeof step.answer === "string" ? step.answer : JSON.stringify(step.answer);
  return (
    <>
      <div className="row">
        <span className="call-number">{formatNumber(step.step)}</span>
        <bdi className="step-answer">{answer.slice(0, 500)}</bdi>
        {votes.length > 1 && <span className="badge partial">contested</span>}
        {step.red_flagged > 0 && (
          <span className="badge discarded">{plural(step.red_flagged, "reply", "replies")} discarded</span>
        )}
        {step.by === "person" && <span className="badge running">by a person</span>}
        <span className="muted">{plural(step.calls, "call")}</span>
        <button type="button" className="quiet" aria-label={`Fork before step ${step.step}`} onClick={fork}>
          Fork
        </button>
      </div>
      {votes.length > 1 && (
        <ul className="step-votes">
          {votes.map(([each, count]) => (
            <li key={each}>
              <bdi>{each}</bdi> <span className="muted">{plural(count, "vote")}</span>
            </li>
          ))}
        </ul>
      )}
      {step.samples !== undefined && (
        <details>
          <summary>Every reply</summary>
          <pre className="plain" tabIndex={0} dir="auto">
            {step.samples}
          </pre>
        </details>
      )}
    </>
  );
}
