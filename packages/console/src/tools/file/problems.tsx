import { useEffect, useState } from "react";
import type { Problem, ProblemList } from "../../../serve/tools/types.ts";
import { getJson } from "../../api/http.ts";
import { plural } from "../../parts/format.ts";
import { ErrorPanel } from "../../parts/state-panel.tsx";

const VALIDATE_AFTER_MS = 300;

export interface ProblemState {
  readonly list: readonly Problem[];
  readonly checked: boolean;
  readonly error?: unknown;
}

/** Checks the text a moment after the last key. */
export function useProblems(text: string, isWritable: boolean): ProblemState {
  const [state, setState] = useState<ProblemState>({ list: [], checked: false });
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      getJson<ProblemList>("api/validate", {
        body: isWritable ? { text } : {},
        signal: controller.signal,
      }).then(
        ({ problems }) => setState({ list: problems, checked: true }),
        (error) => {
          if (!controller.signal.aborted) setState({ list: [], checked: true, error });
        },
      );
    }, VALIDATE_AFTER_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text, isWritable]);
  return state;
}

export function Problems({
  state: { list, checked, error },
  path,
  onChoose,
}: {
  state: ProblemState;
  path: string;
  onChoose: (problem: Problem) => void;
}) {
  if (error) return <ErrorPanel error={error} />;
  return (
    <section aria-label="Problems">
      <div className="row spread">
        <p role="status" className="muted">
          {!checked ? "Checking…" : list.length === 0 ? "No problems." : plural(list.length, "problem")}
        </p>
        <small className="editor-hint" aria-hidden="true">
          <kbd>Esc</kbd>, then <kbd>Tab</kbd> leaves the editor
        </small>
      </div>
      <ul className="problems">
        {list.map((problem, index) => {
          const { severity, message, hint, file, line, column } = problem;
          const elsewhere = file !== undefined && file !== path;
          return (
            <li key={index}>
              <button type="button" disabled={elsewhere} onClick={() => onChoose(problem)}>
                <span className={`badge ${severity === "error" ? "failed" : "partial"}`}>{severity}</span>{" "}
                {elsewhere && <code>{file}</code>} {line !== undefined && `Line ${line}:${column ?? 1} `}
                {message}
                {hint && <span className="muted problem-hint">{hint}</span>}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
