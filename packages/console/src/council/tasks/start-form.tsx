import { EXAMPLE_TASK } from "@mci-ts/council/example-task";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { getJson } from "../../api/http.ts";
import { ErrorPanel } from "../../parts/state-panel.tsx";
import { navigate } from "../../router.ts";

/** A task is data: it is written as JSON, as any other client sends it. */
export function StartForm({ isOpen }: { isOpen: boolean }) {
  const [text, setText] = useState(JSON.stringify(EXAMPLE_TASK, undefined, 2));
  const [open, setOpen] = useState(isOpen);
  useEffect(() => {
    if (isOpen) setOpen(true);
  }, [isOpen]);
  const start = useMutation({
    mutationFn: async () => getJson<{ id: string }>("tasks", { body: JSON.parse(text) }),
    onSuccess: ({ id }) => navigate(`/tasks/${encodeURIComponent(id)}`),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate();
  };
  return (
    <details className="card" open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <h2>Start a task</h2>
      </summary>
      <form onSubmit={submit}>
        <label>
          The task as JSON
          <textarea
            className="mono"
            rows={14}
            spellCheck={false}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </label>
        <div className="row ask-actions">
          <button type="submit" className="primary" disabled={start.isPending}>
            {start.isPending ? "Starting…" : "Start"}
          </button>
        </div>
      </form>
      {start.isError && <ErrorPanel error={start.error} />}
    </details>
  );
}
