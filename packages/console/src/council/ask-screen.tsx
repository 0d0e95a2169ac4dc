import type { Run, RunPage } from "@mci-ts/council-server/api";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect } from "react";
import { ApiError, getJson, send } from "../api/http.ts";
import { useReplaced } from "../parts/replaced.tsx";
import { ErrorPanel } from "../parts/state-panel.tsx";
import { useStored } from "../parts/stored.ts";
import { useTitle } from "../parts/use-title.ts";
import { navigate, useLocation } from "../router.ts";
import { AskOptions } from "./ask-options.tsx";
import { EMPTY_QUESTION, problemOf, type Question, toQuestion, toRequest } from "./question.ts";
import { RunRow } from "./run-row.tsx";

const EXAMPLES: readonly { readonly title: string; readonly about: string; readonly prompt: string }[] = [
  {
    title: "A choice",
    about: "Independent votes, until one answer is far enough ahead",
    prompt: "For date manipulation in JS, is it better to use 'moment.js' or 'date-fns' in a new project?",
  },
  {
    title: "A decision",
    about: "Seats propose side by side, a judge compares and decides",
    prompt: "Should a team of five split its monolith into services? Weigh the costs.",
  },
  {
    title: "A plan",
    about: "A task becomes steps, with what depends on what",
    prompt: "Break down the task of moving a PostgreSQL database to a new region without downtime.",
  },
];

/** The first screen: a question, and, folded away, everything that can be said about how to answer it. */
export function AskScreen() {
  useTitle("Ask");
  const { query } = useLocation();
  const [question, setQuestion, clear] = useStored("question", EMPTY_QUESTION);
  const set = (change: Partial<Question>) => setQuestion((before) => ({ ...before, ...change }));
  const replaced = useReplaced(setQuestion);
  const replace = (change: Partial<Question>) => {
    const isTyped =
      question.prompt.trim() !== "" && EXAMPLES.every(({ prompt }) => prompt !== question.prompt);
    if (isTyped && question.prompt !== change.prompt) replaced.remember(question);
    set(change);
  };
  useAgain(query.get("again"), replace);

  const ask = useMutation({
    mutationFn: async () => {
      const response = await send("mcp/model", {
        body: toRequest(question),
        headers: { prefer: "respond-async" },
      });
      const id = response.headers.get("x-request-id");
      if (id === null)
        throw new ApiError(response.status, "no_run", "The service did not name the run it started.");
      const { status } = (await response.json()) as { status?: string };
      // Asked for the cache, a run that has finished already is an earlier one.
      return `/runs/${id}${question.useCache && status === "finished" ? "?cached=1" : ""}`;
    },
    onSuccess: (address) => {
      clear();
      navigate(address);
    },
  });
  const canAsk = question.prompt.trim() !== "" && problemOf(question) === undefined && !ask.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (canAsk) ask.mutate();
  };
  return (
    <div className="ask">
      <h1>Ask the council</h1>
      <form onSubmit={submit}>
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
        <div className="row ask-actions">
          <button type="submit" className="primary" disabled={!canAsk}>
            {ask.isPending ? "Asking…" : "Ask"}
          </button>
          <span className="muted">Ctrl+Enter</span>
        </div>
        {replaced.notice}
        {ask.isError && <ErrorPanel error={ask.error} />}
        <details className="card options">
          <summary>Options</summary>
          {/* There before they are unfolded, so the next Tab reaches the first of them. */}
          <AskOptions question={{ ...EMPTY_QUESTION, ...question }} set={set} />
        </details>
      </form>
      <section aria-labelledby="examples-title">
        <h2 id="examples-title">Try</h2>
        <div className="examples">
          {EXAMPLES.map(({ title, about, prompt }) => (
            <button key={title} type="button" className="example" onClick={() => replace({ prompt })}>
              <strong>{title}</strong>
              <span className="muted">{about}</span>
            </button>
          ))}
        </div>
      </section>
      <Latest />
    </div>
  );
}

function Latest() {
  const { data } = useQuery({
    queryKey: ["runs", "few"],
    queryFn: () => getJson<RunPage>("runs?limit=4"),
    retry: false,
  });
  if (!data || data.runs.length === 0) return null;
  return (
    <section aria-labelledby="latest-title">
      <h2 id="latest-title">Latest</h2>
      <ul className="plain-list card flush">
        {data.runs.map((run) => (
          <li key={run.id}>
            <RunRow run={run} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Fills the form from an earlier run. */
function useAgain(id: string | null, set: (change: Partial<Question>) => void): void {
  const { data } = useQuery({
    queryKey: ["run", id],
    enabled: id !== null,
    queryFn: () => getJson<Run>(`runs/${encodeURIComponent(id!)}`),
  });
  useEffect(() => {
    if (data) set(toQuestion(data));
  }, [data]);
}
