import type { TaskPage } from "@mci-ts/council-server/api";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { getJson } from "../../api/http.ts";
import { plural, words } from "../../parts/format.ts";

const LIMIT = 100;

/** The tasks in which a step waits for a person. Asked for in the background: it is what the badge counts. */
function useWaitingTasks() {
  return useQuery({
    queryKey: ["tasks", "waiting"],
    queryFn: () => getJson<TaskPage>(`tasks?waiting=true&limit=${LIMIT}`),
    refetchInterval: 5000,
    refetchIntervalInBackground: true,
    retry: false,
  });
}

/** How many tasks wait, for the menu; nothing while none does. */
export function WaitingBadge() {
  const { data } = useWaitingTasks();
  const count = data?.tasks.length ?? 0;
  useNotification(data?.tasks.map(({ id, title }) => ({ id, title })) ?? []);
  if (count === 0) return null;
  return (
    <span className="menu-badge">
      <span aria-hidden="true">{count >= LIMIT ? "99+" : count}</span>
      <span className="visually-hidden">, {plural(count, "task")} waiting for you</span>
    </span>
  );
}

/** Tells of each task once, while another tab or window is in front, where the reader has allowed it. */
function useNotification(tasks: readonly { readonly id: string; readonly title: string }[]): void {
  const notified = useRef<Set<string>>(undefined);
  const ids = tasks.map(({ id }) => id).join(" ");
  useEffect(() => {
    // What waited before the page was opened is in the inbox.
    notified.current ??= new Set(tasks.map(({ id }) => id));
    for (const { id, title } of tasks) {
      if (notified.current.has(id)) continue;
      notified.current.add(id);
      if (!canNotify() || !document.hidden) continue;
      const notification = new Notification("A step waits for your answer", {
        body: title.slice(0, 200),
        tag: id,
      });
      notification.onclick = () => {
        window.focus();
        location.hash = `/tasks/${encodeURIComponent(id)}`;
      };
    }
  }, [ids]);
}

const canNotify = () => "Notification" in window && Notification.permission === "granted";

/** `(no_agreement)` in words. */
const readable = (message: string) => message.replace(/\((\w+)\)/, (_, code: string) => `(${words(code)})`);

/** "Waiting for you": what a person must answer before a task goes on, and whether the browser may tell of it. */
export function Inbox() {
  const { data } = useWaitingTasks();
  const [permission, setPermission] = useState(() =>
    "Notification" in window ? Notification.permission : "denied",
  );
  const tasks = data?.tasks ?? [];
  if (tasks.length === 0 && permission !== "default") return null;
  return (
    <section className="card inbox" aria-label="Waiting for you">
      <div className="row spread">
        <h2>
          Waiting for you <span className="muted">{plural(tasks.length, "task")}</span>
        </h2>
        {permission === "default" && (
          <button
            type="button"
            className="quiet"
            onClick={async () => setPermission(await Notification.requestPermission())}
          >
            Tell me in the browser
          </button>
        )}
      </div>
      {tasks.length === 0 && <p className="muted">Nothing. Steps that no vote decides appear here.</p>}
      <ul className="plain-list">
        {tasks.map(({ id, title, step, error }) => (
          <li key={id}>
            <a className="run-row" href={`#/tasks/${encodeURIComponent(id)}`}>
              <bdi className="run-prompt">{title}</bdi>
              <span className="badge partial">step {step + 1}</span>
              <span className="muted run-facts">{error && readable(error.message).slice(0, 160)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
