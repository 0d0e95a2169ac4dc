import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { CommitReport } from "mci-ts/code";
import { useState } from "react";
import type { PlanResponse } from "../../../serve/tools/types.ts";
import { getJson } from "../../api/http.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { Facts } from "../../parts/facts.tsx";
import { formatDate, plural } from "../../parts/format.ts";
import { ErrorPanel, StatePanel } from "../../parts/state-panel.tsx";
import { VisibleText } from "../../parts/text/visible-text.tsx";
import { useTitle } from "../../parts/use-title.ts";
import { navigate } from "../../router.ts";
import { targetsOf } from "./describe-write.ts";
import { type Decision, WriteEntry } from "./plan-entry.tsx";
import { PLAN_STATES } from "./plan-states.ts";
import "../../styles/plans.css";

/** The journal has the progress, so that it is right in every tab, and after a crash. */
const PROGRESS_MS = 400;
/** Requests of plans up to this size are open from the beginning. */
const MAX_OPEN = 12;

/** A plan to read and approve: each write with its exact request, then what became of it. */
export function PlanScreen({ id }: { id: string }) {
  useTitle("Plan");
  const queries = useQueryClient();
  const path = `api/plans/${encodeURIComponent(id)}`;
  const [decisions, setDecisions] = useState<Readonly<Record<number, Decision>>>({});
  const [question, setQuestion] = useState<"execute" | "refuse">();
  const settle = () => {
    queries.invalidateQueries({ queryKey: ["plan", id] });
    queries.invalidateQueries({ queryKey: ["plans"] });
  };
  const commit = useMutation({
    // The digest is that of what was on the screen when it was approved: another plan under this id would be refused.
    mutationFn: (digest: string) =>
      getJson<CommitReport>(`${path}/commit`, { body: { digest, resolve: decisions } }),
    onSuccess: () => setDecisions({}),
    onSettled: settle,
  });
  const shown = useQuery({
    queryKey: ["plan", id],
    queryFn: () => getJson<PlanResponse>(path),
    retry: false,
    refetchInterval: ({ state }) =>
      commit.isPending || state.data?.state === "committing" ? PROGRESS_MS : false,
  });
  const refuse = useMutation({
    mutationFn: () => getJson(path, { method: "DELETE", body: {} }),
    onSuccess: () => {
      queries.invalidateQueries({ queryKey: ["plans"] });
      navigate("/plans");
    },
  });
  if (!shown.data)
    return (
      <>
        <Back />
        <h1>Plan</h1>
        {shown.isError ? (
          <ErrorPanel error={shown.error} retry={() => shown.refetch()} />
        ) : (
          <StatePanel kind="loading" title="Loading the plan…" />
        )}
      </>
    );
  const { plan, entries, writes, state, done, destructive } = shown.data;
  const isRunning = state === "committing" || commit.isPending;
  const undecided = entries.filter((entry) => entry.state === "unknown" && !decisions[entry.number]).length;
  const rest = plan.entries.length - done;
  const [badge, label] = PLAN_STATES[isRunning ? "committing" : state];
  return (
    <>
      <Back />
      <h1>
        {plural(plan.entries.length, "write")} <span className={`badge ${badge}`}>{label}</span>
      </h1>
      <ul className="plan-summary">
        {Object.entries(writes).map(([tool, count]) => (
          <li key={tool}>
            {count} × <VisibleText text={tool} />
          </li>
        ))}
      </ul>
      <Facts
        facts={[
          ["Goes to", <VisibleText key="to" text={targetsOf(plan.entries).join(", ")} />],
          ["Made", formatDate(plan.createdAt)],
          ...(plan.caller === undefined
            ? []
            : [["For the caller", <VisibleText key="caller" text={plan.caller} />] as const]),
          ["Digest of everything below", <code key="digest">{plan.digest}</code>],
        ]}
      />
      <section className="card plan-actions" aria-label="Decision">
        {isRunning ? (
          <>
            <progress value={done} max={plan.entries.length} aria-label="Writes that are done" />
            <p role="status">
              {done} of {plural(plan.entries.length, "write")} done. It goes on if this page is closed.
            </p>
          </>
        ) : (
          <p role="status">{aboutState(shown.data)}</p>
        )}
        {!isRunning && (state === "waiting" || state === "incomplete") && (
          <div className="row actions">
            <button
              type="button"
              className="primary"
              disabled={undecided > 0}
              onClick={() => setQuestion("execute")}
            >
              {state === "waiting"
                ? `Approve ${plural(rest, "write")}`
                : `Go on with ${plural(rest, "write")}`}
            </button>
            {state === "waiting" && (
              <button type="button" className="danger" onClick={() => setQuestion("refuse")}>
                Refuse
              </button>
            )}
            {undecided > 0 && (
              <span className="warning">Say below what became of {plural(undecided, "write")} first.</span>
            )}
          </div>
        )}
        {commit.isError && <ErrorPanel error={commit.error} />}
        {refuse.isError && <ErrorPanel error={refuse.error} />}
      </section>
      <ol className="plain-list">
        {plan.entries.map((entry, index) => (
          <WriteEntry
            key={entry.number}
            entry={entry}
            committed={entries[index] ?? { state: "not_started" }}
            isDestructive={destructive.includes(entry.tool)}
            isOpen={plan.entries.length <= MAX_OPEN}
            decision={decisions[entry.number]}
            onDecide={
              isRunning
                ? undefined
                : (decision) => setDecisions((before) => ({ ...before, [entry.number]: decision }))
            }
          />
        ))}
      </ol>
      {question === "execute" && (
        <ConfirmDialog
          title={`Execute ${plural(rest, "write")}?`}
          action="Execute exactly this plan"
          onConfirm={() => commit.mutate(plan.digest)}
          onClose={() => setQuestion(undefined)}
        >
          <p>
            <VisibleText
              text={Object.entries(writes)
                .map(([tool, count]) => `${count} × ${tool}`)
                .join(", ")}
            />
            , to <VisibleText text={targetsOf(plan.entries).join(", ")} />.
          </p>
          <p>
            If a tool, a variable or this plan differs from what is shown, nothing is sent. Digest{" "}
            <code>{plan.digest.slice(0, 16)}</code>.
          </p>
        </ConfirmDialog>
      )}
      {question === "refuse" && (
        <ConfirmDialog
          title="Refuse this plan?"
          action="Refuse it for good"
          onConfirm={() => refuse.mutate()}
          onClose={() => setQuestion(undefined)}
        >
          <p>Nothing of it was sent. The plan is deleted; its author can make another.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function aboutState({ state, done, entries }: PlanResponse): string {
  if (state === "waiting")
    return "Nothing was sent yet. Read every write, then approve or refuse all of them.";
  if (state === "committed")
    return done === 1 ? "The write is done." : `All ${plural(done, "write")} are done.`;
  const unknown = entries.filter((entry) => entry.state === "unknown").length;
  const failed = entries.filter((entry) => entry.state === "failed").length;
  return [
    `The plan stopped after ${done} of ${plural(entries.length, "write")}. What is done is not sent again.`,
    failed > 0 && `${plural(failed, "write")} failed, and will be sent again.`,
    unknown > 0 && `${plural(unknown, "write")} may or may not have taken effect.`,
  ]
    .filter(Boolean)
    .join(" ");
}

function Back() {
  return <a href="#/plans">‹ All plans</a>;
}
