import { useQuery } from "@tanstack/react-query";
import { formatWhen, plural } from "../../parts/format.ts";
import { ErrorPanel, StatePanel } from "../../parts/state-panel.tsx";
import { useTitle } from "../../parts/use-title.ts";
import { navigate } from "../../router.ts";
import { EXAMPLE, newEvaluation } from "./new-evaluation.ts";
import { readRows } from "./setup/read-rows.ts";
import { openStorage } from "./storage.ts";
import type { Evaluation } from "./types.ts";
import "../../styles/evaluate.css";

/** The evaluations of this browser, newest first. */
export function EvaluateScreen() {
  useTitle("Evaluate");
  const evaluations = useQuery({
    queryKey: ["evaluations"],
    queryFn: async () => {
      const storage = await openStorage();
      const all = await storage.list();
      return {
        problem: storage.problem,
        all: all.toSorted((a, b) => b.created_at.localeCompare(a.created_at)),
      };
    },
    staleTime: 0,
  });
  const create = async (change: Partial<Evaluation>) => {
    const evaluation = newEvaluation(change);
    await (await openStorage()).change(evaluation.id, () => evaluation);
    navigate(`/evaluate/${evaluation.id}`);
  };
  return (
    <>
      <div className="row spread">
        <h1>Evaluate</h1>
        <div className="row">
          <button type="button" className="primary" onClick={() => void create({})}>
            New evaluation
          </button>
          <button type="button" onClick={() => void create(EXAMPLE)}>
            Try an example
          </button>
        </div>
      </div>
      <p className="muted">
        The same questions, answered in several ways side by side: models, prompts, votes and councils, with
        what is right, what it costs and how long it takes.
      </p>
      {evaluations.isError && <ErrorPanel error={evaluations.error} retry={() => evaluations.refetch()} />}
      {evaluations.isPending && <StatePanel kind="loading" title="Loading…" />}
      {evaluations.data?.problem && <p className="warning">{evaluations.data.problem}.</p>}
      {evaluations.data?.all.length === 0 && (
        <StatePanel kind="empty" title="No evaluations yet.">
          <p className="muted">They are kept in this browser, until you delete them.</p>
        </StatePanel>
      )}
      {evaluations.data && evaluations.data.all.length > 0 && (
        <ul className="plain-list card flush">
          {evaluations.data.all.map((evaluation) => (
            <li key={evaluation.id}>
              <EvaluationRow evaluation={evaluation} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function EvaluationRow({
  evaluation: { id, name, source, format, created_at, columns },
}: {
  evaluation: Evaluation;
}) {
  const { rows } = readRows(source.slice(0, MAX_READ_CHARS), format);
  const isCut = source.length > MAX_READ_CHARS;
  return (
    <a className="run-row" href={`#/evaluate/${encodeURIComponent(id)}`}>
      <bdi className="run-prompt">{name.trim() || rows[0]?.prompt || "Without a name"}</bdi>
      <span className="badge">{plural(columns.length, "configuration")}</span>
      <span className="muted run-facts">
        {isCut ? "many questions" : plural(rows.length, "question")} · {formatWhen(created_at)}
      </span>
    </a>
  );
}

/** Longer ones are not read for a list. */
const MAX_READ_CHARS = 100_000;
