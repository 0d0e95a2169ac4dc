import type { Task } from "@mci-ts/council-server/api";
import { isFinal } from "../../api/task-status.ts";
import { Facts } from "../../parts/facts.tsx";
import { formatDuration, formatMoney, formatNumber, words } from "../../parts/format.ts";

/** How far it is: full when it is complete, however many steps it took. */
export function ProgressBar({ task: { status, step, steps } }: { task: Task }) {
  const share = status === "complete" ? 1 : steps ? Math.min(1, step / steps) : 0;
  return (
    <span className="score-track progress" aria-hidden="true">
      <span className={`score-bar ${status}`} style={{ width: `${share * 100}%` }} />
    </span>
  );
}

/** The numbers of a task. */
export function TaskFacts({ task }: { task: Task }) {
  const { kind, status, step, steps, rate, contested, usage, started_at, ended_at } = task;
  const limit = steps === null ? "" : ` of ${kind === "plan" ? "" : "at most "}${formatNumber(steps)}`;
  const end = ended_at === null ? Date.now() : Date.parse(ended_at);
  const facts = [
    ["Status", words(status)],
    ["Steps", `${formatNumber(step)}${limit}`],
    ["Rate", status === "running" ? `${formatNumber(rate)} per second` : "–"],
    ["Time", started_at === null ? "–" : formatDuration(end - Date.parse(started_at))],
    ["Time left", timeLeft(task)],
    ["Contested", kind === "plan" ? "–" : formatNumber(contested)],
    ["Calls", formatNumber(usage.calls)],
    ["Cost", formatMoney(usage.cost_usd, null)],
    ...(task.instance === undefined ? [] : [["Instance", runBy(task)] as const]),
  ] as const;
  return <Facts facts={facts} />;
}

/** Which instance runs it, and for how long. */
function runBy({ instance, running_since: since }: Task): string {
  return since ? `${instance}, for ${formatDuration(Date.now() - Date.parse(since))}` : `${instance}`;
}

/** A task of steps may end before its last step, so only the most time it can take is known. */
function timeLeft({ kind, status, time_left_ms }: Task): string {
  if (isFinal(status)) return "–";
  if (time_left_ms === null) return "unknown";
  const text = formatDuration(time_left_ms);
  return kind === "plan" ? text : `at most ${text}`;
}
