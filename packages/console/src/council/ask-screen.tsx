import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { ApiError, getJson, send } from "../api/http.ts";
import type { RunDetail } from "../api/types.ts";
import { ErrorPanel } from "../parts/state-panel.tsx";
import { navigate, useLocation } from "../router.ts";
import { EMPTY_QUESTION, type Question, toRequest } from "./question.ts";

const EXAMPLES: readonly (readonly [label: string, prompt: string])[] = [
  [
    "A choice",
    "For date manipulation in JS, is it better to use 'moment.js' or 'date-fns' in a new project?",
  ],
  ["A decision", "Should a team of five split its monolith into services? Weigh the costs."],
  ["A plan", "Break down the task of moving a PostgreSQL database to a new region without downtime."],
];

/** The first screen: a question, and, folded away, everything that can be said about how to answer it. */
export function AskScreen() {
  const { query } = useLocation();
  const [question, setQuestion] = useState<Question>(EMPTY_QUESTION);
  const set = (change: Partial<Question>) => setQuestion((before) => ({ ...before, ...change }));
  useAgain(query.get("again"), set);

  const ask = useMutation({
    mutationFn: async () => {
      const response = await send("mcp/model", {
        body: toRequest(question),
        headers: { prefer: "respond-async" },
      });
      const id = response.headers.get("x-request-id");
      if (id === null)
        throw new ApiError(response.status, "no_run", "The service did not name the run it started.");
      return id;
    },
    onSuccess: (id) => navigate(`/runs/${id}`),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (question.prompt.trim() !== "") ask.mutate();
  };
  return (
    <form className="ask" onSubmit={submit}>
      <h1>Ask the council</h1>
      <label htmlFor="prompt">Question or task</label>
      <textarea
        id="prompt"
        rows={4}
        autoFocus
        required
        value={question.prompt}
        placeholder="What do you want an answer to?"
        onChange={({ target }) => set({ prompt: target.value })}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit(event);
        }}
      />
      <div className="row examples">
        <span className="muted">Try:</span>
        {EXAMPLES.map(([label, prompt]) => (
          <button key={label} type="button" className="quiet" onClick={() => set({ prompt })}>
            {label}
          </button>
        ))}
      </div>
      <details className="card options">
        <summary>Options</summary>
        <Options question={question} set={set} />
      </details>
      <div className="row">
        <button type="submit" className="primary" disabled={ask.isPending || question.prompt.trim() === ""}>
          {ask.isPending ? "Asking…" : "Ask"}
        </button>
        <span className="muted">Ctrl+Enter</span>
      </div>
      {ask.isError && <ErrorPanel error={ask.error} />}
    </form>
  );
}

function Options({ question, set }: { question: Question; set: (change: Partial<Question>) => void }) {
  return (
    <div className="fields">
      <label>
        Method
        <select value={question.intent} onChange={({ target }) => set({ intent: target.value })}>
          <option value="">Let the prompt decide</option>
          <option value="validation">Vote</option>
          <option value="decision">Council with a judge</option>
          <option value="code_review">Council: code review</option>
          <option value="decomposition">Decompose into steps</option>
        </select>
      </label>
      <label>
        Lead to win (k)
        <input
          inputMode="numeric"
          value={question.k}
          placeholder="3"
          onChange={({ target }) => set({ k: target.value })}
        />
        <small>1 to 25, or auto</small>
      </label>
      <label>
        Seats
        <input
          type="number"
          min={1}
          max={25}
          value={question.voters}
          placeholder="3"
          onChange={({ target }) => set({ voters: target.value })}
        />
      </label>
      <label>
        Models
        <input
          value={question.models}
          placeholder="the service's own"
          onChange={({ target }) => set({ models: target.value })}
        />
        <small>one, or several separated by commas</small>
      </label>
      <label>
        At most calls
        <input
          type="number"
          min={1}
          value={question.maxCalls}
          placeholder="no limit"
          onChange={({ target }) => set({ maxCalls: target.value })}
        />
      </label>
      <label>
        At most dollars
        <input
          type="number"
          min={0}
          step="any"
          value={question.maxUsd}
          placeholder="no limit"
          onChange={({ target }) => set({ maxUsd: target.value })}
        />
      </label>
      <label className="wide">
        Context
        <textarea
          rows={4}
          value={question.context}
          placeholder="Code, notes, anything that helps to answer"
          onChange={({ target }) => set({ context: target.value })}
        />
      </label>
    </div>
  );
}

/** Fills the form from an earlier run. */
function useAgain(id: string | null, set: (change: Partial<Question>) => void): void {
  const { data } = useQuery({
    queryKey: ["run", id],
    enabled: id !== null,
    queryFn: () => getJson<RunDetail>(`runs/${encodeURIComponent(id!)}`),
  });
  useEffect(() => {
    if (data) set({ prompt: data.request?.prompt ?? data.prompt, intent: data.request?.intent ?? "" });
  }, [data]);
}
