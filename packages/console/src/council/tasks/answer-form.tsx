import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { getJson } from "../../api/http.ts";
import type { Task } from "../../api/task-types.ts";
import { ErrorPanel } from "../../parts/state-panel.tsx";

/** A person decides the step that the vote left open, and the task goes on. */
export function AnswerForm({ task: { id, kind, step } }: { task: Task }) {
  const [text, setText] = useState("");
  const queries = useQueryClient();
  const answer = useMutation({
    mutationFn: () =>
      getJson<Task>(`tasks/${encodeURIComponent(id)}/steps/${step + 1}`, {
        body: { answer: kind === "plan" ? text : JSON.parse(text) },
      }),
    onSuccess: (next) => queries.setQueryData(["task", id], next),
  });
  return (
    <section className="card answer" aria-label="Answer the open step">
      <h2>Answer step {step + 1} yourself</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          answer.mutate();
        }}
      >
        <label>
          {kind === "plan" ? "The result of the step" : "The answer, as JSON of the step's schema"}
          <textarea
            className={kind === "plan" ? "" : "mono"}
            rows={4}
            required
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </label>
        <div className="row ask-actions">
          <button type="submit" className="primary" disabled={answer.isPending || text.trim() === ""}>
            Answer and go on
          </button>
          <span className="muted">or resume, to vote on it again</span>
        </div>
      </form>
      {answer.isError && <ErrorPanel error={answer.error} />}
    </section>
  );
}
