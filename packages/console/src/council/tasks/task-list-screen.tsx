import type { Task, TaskPage } from "@mci-ts/council-server/api";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getJson } from "../../api/http.ts";
import { formatDate, formatNumber, plural, words } from "../../parts/format.ts";
import { QueryChoice } from "../../parts/lists/query-filters.tsx";
import { ErrorPanel, StatePanel } from "../../parts/state-panel.tsx";
import { useTitle } from "../../parts/use-title.ts";
import { useLocation } from "../../router.ts";
import { Inbox } from "./inbox.tsx";
import { StartForm } from "./start-form.tsx";
import { ProgressBar } from "./task-progress.tsx";

const STATUSES = ["queued", "running", "paused", "complete", "failed", "cancelled"];

/** All long tasks, newest first, and a form for a new one. */
export function TaskListScreen() {
  useTitle("Tasks");
  const { query } = useLocation();
  const status = query.get("status") ?? "";
  const tasks = useInfiniteQuery({
    queryKey: ["tasks", status],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      getJson<TaskPage>(
        `tasks?${new URLSearchParams([
          ["limit", "50"],
          ...(status === "" ? [] : [["status", status]]),
          ...(pageParam === "" ? [] : [["cursor", pageParam]]),
        ])}`,
        { signal },
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchInterval: 2000,
    retry: false,
  });
  const rows = tasks.data?.pages.flatMap((page) => page.tasks) ?? [];
  return (
    <>
      <div className="row spread">
        <h1>Tasks</h1>
        <QueryChoice name="status" label="Status" options={STATUSES} />
      </div>
      <Inbox />
      {tasks.isError && <ErrorPanel error={tasks.error} retry={() => tasks.refetch()} />}
      {tasks.isPending && <StatePanel kind="loading" title="Loading…" />}
      {tasks.isSuccess && rows.length === 0 && (
        <StatePanel kind="empty" title={status === "" ? "No tasks yet." : "No task has this status."}>
          <p className="muted">
            A task is a long chain of small questions, each voted on, its answer the input of the next.
          </p>
        </StatePanel>
      )}
      {rows.length > 0 && (
        <ul className="plain-list card flush" aria-label="List of tasks">
          {rows.map((task) => (
            <li key={task.id}>
              <TaskRow task={task} />
            </li>
          ))}
        </ul>
      )}
      {tasks.hasNextPage && (
        <button type="button" disabled={tasks.isFetchingNextPage} onClick={() => tasks.fetchNextPage()}>
          More tasks
        </button>
      )}
      <StartForm isOpen={tasks.isSuccess && !tasks.isFetching && rows.length === 0 && status === ""} />
    </>
  );
}

function TaskRow({ task }: { task: Task }) {
  const { id, title, kind, status, step, rate, contested, created_at } = task;
  const facts = [
    kind === "plan" ? "Plan" : "Steps",
    plural(step, "step"),
    ...(status === "running" ? [`${formatNumber(rate)} per second`] : []),
    ...(contested > 0 ? [`${formatNumber(contested)} contested`] : []),
    formatDate(created_at),
  ];
  return (
    <a className="run-row task-row" href={`#/tasks/${encodeURIComponent(id)}`}>
      <bdi className="run-prompt">{title}</bdi>
      <span className={`badge ${status}`}>{words(status)}</span>
      <span className="muted run-facts">{facts.join(" · ")}</span>
      <ProgressBar task={task} />
    </a>
  );
}
