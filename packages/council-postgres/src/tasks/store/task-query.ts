import { DEFAULT_DEADLINE_MS, RECORD_MS } from "./task-records.ts";

/** Whether a person has cancelled the task, whatever the engine says. */
export const IS_CANCELLED = "(t.ended_at IS NOT NULL AND t.result IS NULL AND t.error IS NULL)";

/** Steps over which the rate is measured. */
const RATE_STEPS = 50;

/**
 * The status of a task is that of its workflow: `dbos workflow cancel` and `resume` do what their names say. The engine has no pause,
 * so a paused task is a cancelled workflow with a reason. A recorded outcome counts before the engine has noticed the end.
 */
export const STATUS = `CASE
  WHEN t.ended_at IS NOT NULL AND t.result IS NOT NULL THEN 'complete'
  WHEN t.ended_at IS NOT NULL AND t.error IS NOT NULL THEN 'failed'
  WHEN w.status IN ('ENQUEUED', 'DELAYED') THEN 'queued'
  WHEN w.status = 'PENDING' THEN 'running'
  WHEN w.status IN ('SUCCESS', 'ERROR', 'MAX_RECOVERY_ATTEMPTS_EXCEEDED') THEN 'failed'
  WHEN t.control = 'moved' THEN 'queued'
  WHEN t.error IS NULL THEN 'cancelled'
  ELSE 'paused' END`;

/** The rows of tasks with their workflows. */
export const WITH_WORKFLOW = `FROM council.tasks t LEFT JOIN dbos.workflow_status w ON w.workflow_uuid = t.id`;

/** Add a WHERE clause over `t`. */
export const SELECT_TASK = `SELECT t.id, t.kind, t.name, t.spec, t.control, t.result, t.error, t.forked_from, t.fork_step, t.schedule, t.subject, t.workflow_version,
  t.running_since, t.retry_at, greatest(0, t.outages - 1) AS retries,
  t.created_at, t.started_at, ${STATUS} AS status,
  coalesce(t.ended_at, CASE WHEN w.status = 'CANCELLED' AND t.error IS NULL AND t.control IS NULL THEN to_timestamp(w.completed_at / 1000.0) END) AS ended_at,
  CASE WHEN w.status = 'PENDING' THEN w.executor_id END AS instance,
  coalesce(last.step, 0) AS step, coalesce(snapshot.progress, t.progress) AS progress,
  CASE WHEN w.status = 'PENDING' AND t.ended_at IS NULL
    THEN extract(epoch FROM clock_timestamp() - greatest(newest.at, t.running_since))::float8 * 1000 END AS idle_ms,
  CASE WHEN w.status = 'PENDING' AND t.ended_at IS NULL AND last.step > early.step
    THEN (last.step - early.step) / extract(epoch FROM clock_timestamp() - early.decided_at)::float8 ELSE 0 END AS rate
${WITH_WORKFLOW}
LEFT JOIN LATERAL (SELECT step FROM council.task_steps WHERE task_id = t.id ORDER BY step DESC LIMIT 1) last ON true
LEFT JOIN LATERAL (SELECT max(decided_at) AS at FROM council.task_steps
  WHERE task_id = t.id AND (t.kind = 'plan' OR step = last.step)) newest ON true
LEFT JOIN LATERAL (SELECT progress FROM council.task_steps
  WHERE task_id = t.id AND progress IS NOT NULL ORDER BY step DESC LIMIT 1) snapshot ON true
LEFT JOIN LATERAL (SELECT step, decided_at FROM council.task_steps
  WHERE task_id = t.id AND step > last.step - ${RATE_STEPS} AND decided_at >= t.running_since ORDER BY step LIMIT 1) early ON true`;

function lastStep(t: string): string {
  const newest = `(SELECT max(decided_at) FROM council.task_steps WHERE task_id = ${t}.id
    AND (${t}.kind = 'plan' OR step = (SELECT max(step) FROM council.task_steps WHERE task_id = ${t}.id)))`;
  return `greatest(${newest}, ${t}.running_since)`;
}

function stalled(t: string): string {
  const limit = `coalesce(${t}.step_limit_ms, ${DEFAULT_DEADLINE_MS}) + ${RECORD_MS}`;
  return `${lastStep(t)} < clock_timestamp() - (${limit}) * interval '1 ms'`;
}

/** Counts only tasks that are not over: the others grow without end, and are counted where they end. */
export const COUNT_TASKS = `SELECT ${STATUS} AS status, count(*) AS count,
  coalesce(max(extract(epoch FROM clock_timestamp() - ${lastStep("t")})) FILTER (WHERE w.status = 'PENDING'), 0)::float8 AS "idleSeconds",
  coalesce(max(extract(epoch FROM clock_timestamp()) - w.updated_at / 1000.0) FILTER (WHERE w.status = 'ENQUEUED'), 0)::float8 AS "queuedSeconds",
  count(*) FILTER (WHERE w.status = 'PENDING' AND ${stalled("t")}) AS stalled
${WITH_WORKFLOW} WHERE t.ended_at IS NULL GROUP BY 1`;

/** `$1`: ids. Of a task of steps the last number says what is recorded; steps of a plan may be recorded again. */
export const MARK_TASKS = `SELECT t.id, concat_ws(' ', ${STATUS}, t.error, t.retry_at, w.executor_id, CASE t.kind
  WHEN 'plan' THEN (SELECT concat(count(*), ' ', max(decided_at)) FROM council.task_steps WHERE task_id = t.id)
  ELSE (SELECT max(step)::text FROM council.task_steps WHERE task_id = t.id) END) AS mark
${WITH_WORKFLOW} WHERE t.id = ANY($1)`;

/** Counts what receivers are still to be told of tasks that are over. */
export const COUNT_WEBHOOKS = `SELECT count(*) AS count ${WITH_WORKFLOW}
WHERE t.webhook_at IS NOT NULL AND ${STATUS} IN ('complete', 'failed', 'cancelled')`;
