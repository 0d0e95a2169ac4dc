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
import { AnswerForm } from "./answer-form.tsx";
import { ProgressBar, TaskFacts } from "./task-progress.tsx";
import { type StepsPlace, TaskSteps } from "./task-steps.tsx";
import { TaskStrip } from "./task-strip.tsx";
import { useTask } from "./use-task.ts";

/** One long task: how far it is, what it costs, what was decided; paused, resumed and cancelled here. */
export function TaskScreen({ id }: { id: string }) {
  const path = `tasks/${encodeURIComponent(id)}`;
  const { task, steps, connection, error, setTask } = useTask(id);
  useTitle(task?.title ?? "Task");
  const act = useMutation({
    mutationFn: (action: string) => getJson<Task>(`${path}/${action}`, { method: "POST" }),
    onSuccess: setTask,
  });
  const [isAsking, setIsAsking] = useState(false);
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
              aria-disabled={act.isPending}
              onClick={() => {
                if (act.isPending) return;
                if (action === "cancel") setIsAsking(true);
                else act.mutate(action);
              }}
            >
              {label}
            </button>
          ))}
        </div>
      </div>
      {isAsking && (
        <ConfirmDialog
          title="Cancel this task?"
          action="Cancel it for good"
          onConfirm={() => act.mutate("cancel")}
          onClose={() => setIsAsking(false)}
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

/** Pause and resume are one button, which keeps the focus. */
const ACTIONS = [
  { key: "run", action: "pause", label: "Pause", style: "", when: ["queued", "running"] },
  { key: "run", action: "resume", label: "Resume", style: "primary", when: ["paused"] },
  {
    key: "cancel",
    action: "cancel",
    label: "Cancel task",
    style: "danger",
    when: ["queued", "running", "paused"],
  },
];
