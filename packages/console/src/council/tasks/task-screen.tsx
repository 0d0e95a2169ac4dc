import type { PlanState, Task } from "@mci-ts/council-server/api";
import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { getJson } from "../../api/http.ts";
import { undecidedSteps } from "../../api/task-status.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { formatDuration, formatNumber, formatWhen, plural, words } from "../../parts/format.ts";
import { JsonView } from "../../parts/json/json-view.tsx";
import { Markdown } from "../../parts/markdown/markdown.tsx";
import { ErrorPanel, StatePanel } from "../../parts/state-panel.tsx";
import { useTitle } from "../../parts/use-title.ts";
import { navigate } from "../../router.ts";
import { AnswerForm } from "./answer-form.tsx";
import { ProgressBar, TaskFacts } from "./task-progress.tsx";
import { type StepsPlace, TaskSteps } from "./task-steps.tsx";
import { TaskStrip } from "./task-strip.tsx";
import { useTask } from "./use-task.ts";

/** One long task: how far it is, what it costs, what was decided; paused, resumed, retried, cancelled and deleted here. */
export function TaskScreen({ id }: { id: string }) {
  const path = `tasks/${encodeURIComponent(id)}`;
  const { task, steps, connection, error, setTask, follow } = useTask(id);
  useTitle(task?.title ?? "Task");
  const act = useMutation({
    mutationFn: (action: string) => getJson<Task>(`${path}/${action}`, { method: "POST" }),
    onSuccess: (changed, action) => {
      setTask(changed);
      // The events of a task that failed have ended.
      if (action === "retry") follow();
    },
  });
  const remove = useMutation({
    mutationFn: () => getJson(path, { method: "DELETE" }),
    onSuccess: () => navigate("/tasks"),
  });
  const [asking, setAsking] = useState<"cancel" | "delete">();
  const [place, setPlace] = useState<StepsPlace>();
  if (!task)
    return (
      <>
        <h1>Task</h1>
        {error ? (
          <>
            <ErrorPanel error={error} />
            <a href="#/tasks">‹ All tasks</a>
          </>
        ) : (
          <StatePanel kind="loading" title="Loading…" />
        )}
      </>
    );
  return (
    <>
      <div className="row spread run-title">
        <h1 className="prompt">
          <bdi>{task.title}</bdi>
        </h1>
        <div className="row">
          {ACTIONS.filter(({ when }) => when.includes(task.status)).map(({ key, action, label, style }) => (
            <button
              key={key}
              type="button"
              className={style}
              // Not disabled: the button would lose the focus of a keyboard.
              aria-disabled={act.isPending || remove.isPending}
              onClick={() => {
                if (act.isPending || remove.isPending) return;
                if (action === "cancel" || action === "delete") setAsking(action);
                else act.mutate(action);
              }}
            >
              {label}
            </button>
          ))}
        </div>
      </div>
      {asking === "delete" && (
        <ConfirmDialog
          title="Delete this task?"
          action="Delete it for good"
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(undefined)}
        >
          <p>
            Its {plural(task.step, "step")}, its result and its replies are gone then. Tasks that were forked
            from it stay.
          </p>
          <code>DELETE /{path}</code>
        </ConfirmDialog>
      )}
      {asking === "cancel" && (
        <ConfirmDialog
          title="Cancel this task?"
          action="Cancel it for good"
          onConfirm={() => act.mutate("cancel")}
          onClose={() => setAsking(undefined)}
        >
          <p>
            It cannot be resumed. What it has decided stays, and it can be forked from any step. To stop it
            for a while, pause it instead.
          </p>
          <code>POST /{path}/cancel</code>
        </ConfirmDialog>
      )}
      {task.forked_from && (
        <p className="muted">
          Forked from <a href={`#/tasks/${encodeURIComponent(task.forked_from.id)}`}>another task</a> at step{" "}
          {task.forked_from.step}.
        </p>
      )}
      <ProgressBar task={task} />
      <TaskFacts task={task} />
      {act.isError && <ErrorPanel error={act.error} />}
      {remove.isError && <ErrorPanel error={remove.error} />}
      {error !== undefined && <ErrorPanel error={error} />}
      {connection === "reconnecting" && (
        <p className="banner warning" role="status">
          The connection was cut. Reconnecting; the task goes on.
        </p>
      )}
      {task.stalled_ms !== undefined && (
        <p className="banner warning" role="status">
          Nothing was decided for {formatDuration(task.stalled_ms)}, longer than one step may take. Look at
          the log of the instance that has it{task.instance ? `, ${task.instance}` : ""}.
        </p>
      )}
      {task.error && task.undecided?.length ? (
        <p className="banner warning" role="status">
          <strong>
            {words(task.status)}: {words(task.error.code)}
          </strong>
          . Its question, votes and replies are below.
        </p>
      ) : task.error ? (
        <StatePanel
          kind={task.status === "failed" ? "error" : "empty"}
          title={`${words(task.status)}: ${words(task.error.code)}`}
        >
          <p className="text">{task.error.message}</p>
        </StatePanel>
      ) : null}
      {task.retry_at !== undefined && (
        <p className="banner" role="status">
          It resumes by itself at {formatWhen(task.retry_at)}
          {task.retries ? `, and has done so ${plural(task.retries, "time")} since its last step` : ""}.
          Resume does not wait for that.
        </p>
      )}
      {undecidedSteps(task).map(({ step, about }) => (
        <AnswerForm key={step} task={task} step={step} about={about} onAnswered={setTask} />
      ))}
      {task.result !== undefined && (
        <section className="card answer" aria-label="Result">
          <h2>Result</h2>
          {typeof task.result === "string" ? (
            <Markdown text={task.result} />
          ) : (
            <JsonView value={task.result} />
          )}
        </section>
      )}
      <section className="card" aria-label="State">
        <h2>State {task.step > 0 && <span className="muted">after step {formatNumber(task.step)}</span>}</h2>
        <JsonView value={task.state} />
      </section>
      {task.kind === "plan" && <Plan task={task} />}
      <TaskStrip task={task} onPlace={setPlace} />
      <TaskSteps task={task} latestSteps={steps} place={place} onPlace={setPlace} />
    </>
  );
}

/** The layout of graphs is a library: loaded with the first plan. */
const StepsGraph = lazy(async () => ({
  default: (await import("../run/result/steps-graph.tsx")).StepsGraph,
}));

/** The steps of a plan with what became of each, once it is decomposed. */
function Plan({ task }: { task: Task }) {
  const plan = task.state as PlanState | null;
  if (!plan) return null;
  const statuses = new Map(plan.steps.map(({ id, status }) => [id, status]));
  return (
    <Suspense fallback={<StatePanel kind="loading" title="Loading…" />}>
      <StepsGraph plan={{ ...plan, total_steps: plan.steps.length }} statuses={statuses} />
    </Suspense>
  );
}

/** Pause, resume and retry are one button, which keeps the focus. */
const ACTIONS = [
  { key: "run", action: "pause", label: "Pause", style: "", when: ["queued", "running"] },
  { key: "run", action: "resume", label: "Resume", style: "primary", when: ["paused"] },
  { key: "run", action: "retry", label: "Retry", style: "primary", when: ["failed"] },
  {
    key: "delete",
    action: "delete",
    label: "Delete",
    style: "danger",
    when: ["paused", "complete", "failed", "cancelled"],
  },
  {
    key: "cancel",
    action: "cancel",
    label: "Cancel task",
    style: "danger",
    when: ["queued", "running", "paused"],
  },
];
