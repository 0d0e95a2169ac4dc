import { useQuery } from "@tanstack/react-query";
import type { PlanSummary } from "mci-ts/code";
import { getJson } from "../../api/http.ts";
import { formatDate, plural } from "../../parts/format.ts";
import { ErrorPanel, StatePanel } from "../../parts/state-panel.tsx";
import { VisibleText } from "../../parts/text/visible-text.tsx";
import { useTitle } from "../../parts/use-title.ts";
import { PLAN_STATES } from "./plan-states.ts";
import "../../styles/plans.css";

/** Plans of code, the newest first. */
export function PlansScreen() {
  useTitle("Plans");
  const plans = useQuery({
    queryKey: ["plans"],
    queryFn: async () => (await getJson<{ plans: readonly PlanSummary[] }>("api/plans")).plans,
    // Another process makes them.
    refetchInterval: 3000,
  });
  return (
    <>
      <h1>Plans</h1>
      <p className="muted">
        What code of a model wants to change, each write with its exact request. Nothing is sent before you
        approve it.
      </p>
      {plans.isError && <ErrorPanel error={plans.error} retry={() => plans.refetch()} />}
      {plans.isPending && <StatePanel kind="loading" title="Loading the plans…" />}
      {plans.data?.length === 0 && (
        <StatePanel kind="empty" title="No plans yet.">
          <p>
            <code>mci run --mode code</code> makes them.
          </p>
        </StatePanel>
      )}
      {plans.data && plans.data.length > 0 && (
        <ul className="card flush plain-list">
          {plans.data.map((plan) => (
            <PlanRow key={plan.id} plan={plan} />
          ))}
        </ul>
      )}
    </>
  );
}

function PlanRow({ plan: { id, state, createdAt, writes, done } }: { plan: PlanSummary }) {
  const [badge, label] = PLAN_STATES[state];
  const total = Object.values(writes).reduce((sum, count) => sum + count, 0);
  const words = Object.entries(writes).map(([tool, count]) => `${count} × ${tool}`);
  return (
    <li>
      <a className="plan-row" href={`#/plans/${encodeURIComponent(id)}`}>
        <span className="tool-name">
          {words.length === 0 ? id : <VisibleText text={words.join(", ").slice(0, 300)} />}
        </span>
        <span className={`badge ${badge}`}>{label}</span>
        <span className="muted">
          {total > 0 && `${done} of ${plural(total, "write")} done`}
          {createdAt !== undefined && `, made ${formatDate(createdAt)}`}
        </span>
      </a>
    </li>
  );
}
