import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getJson } from "../../api/http.ts";
import { isFinal, type Task } from "../../api/task-types.ts";
import { words } from "../../parts/format.ts";
import { JsonView } from "../../parts/json-view.tsx";
import { Markdown } from "../../parts/markdown.tsx";
import { ErrorPanel, StatePanel } from "../../parts/state-panel.tsx";
import { useTitle } from "../../parts/use-title.ts";
import { AnswerForm } from "./answer-form.tsx";
import { ProgressBar, TaskFacts } from "./task-progress.tsx";
import { TaskSteps } from "./task-steps.tsx";

/** One long task: how far it is, what it costs, what was decided; paused, resumed and cancelled here. */
export function TaskScreen({ id }: { id: string }) {
  const path = `tasks/${encodeURIComponent(id)}`;
  const queries = useQueryClient();
  const { data: task, error } = useQuery({
    queryKey: ["task", id],
    queryFn: () => getJson<Task>(path),
    retry: false,
    // Once a second while it goes on; one that has ended does not change.
    refetchInterval: ({ state }) => (state.data && isFinal(state.data.status) ? false : 1000),
  });
  useTitle(task?.name ?? "Task");
  const act = useMutation({
    mutationFn: (action: string) => getJson<Task>(`${path}/${action}`, { method: "POST" }),
    onSuccess: (next) => queries.setQueryData(["task", id], next),
  });
  if (!task)
    return (
      <>
        <h1>Task</h1>
        {error ? <ErrorPanel error={error} /> : <StatePanel kind="loading" title="Loading…" />}
      </>
    );
  return (
    <>
      <div className="row spread run-title">
        <h1 className="prompt">
          <bdi>{task.name ?? id}</bdi>
        </h1>
        <div className="row">
          {ACTIONS.filter(({ when }) => when.includes(task.status)).map(({ action, label, style }) => (
            <button
              key={action}
              type="button"
              className={style}
              disabled={act.isPending}
              onClick={() => act.mutate(action)}
            >
              {label}
            </button>
          ))}
        </div>
      </div>
      {task.forked_from && (
        <p className="muted">
          Forked from <a href={`#/tasks/${encodeURIComponent(task.forked_from.id)}`}>another task</a> at step{" "}
          {task.forked_from.step}.
        </p>
      )}
      <ProgressBar task={task} />
      <TaskFacts task={task} />
      {act.isError && <ErrorPanel error={act.error} />}
      {task.error && (
        <StatePanel
          kind={task.status === "failed" ? "error" : "empty"}
          title={`${words(task.status)}: ${words(task.error.code)}`}
        >
          <p className="text">{task.error.message}</p>
        </StatePanel>
      )}
      {task.status === "paused" && task.error?.code === "undecided" && <AnswerForm task={task} />}
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
        <h2>State {task.step > 0 && <span className="muted">after step {task.step}</span>}</h2>
        <JsonView value={task.state} />
      </section>
      <TaskSteps task={task} />
    </>
  );
}

const ACTIONS = [
  { action: "pause", label: "Pause", style: "", when: ["queued", "running"] },
  { action: "resume", label: "Resume", style: "primary", when: ["paused"] },
  { action: "cancel", label: "Cancel task", style: "danger", when: ["queued", "running", "paused"] },
];
