import { formatDuration, plural } from "../../../parts/format.ts";
import { useLabel } from "../run-context.ts";
import type { RunState } from "../run-state.ts";

/** What seats and voters looked up: every distinct call of a tool. */
export function ToolUses({ run }: { run: RunState }) {
  const label = useLabel();
  const uses = [...run.tools.values()];
  if (uses.length === 0) return null;
  // In the order in which the calls were made, as the events number them.
  const requested = run.response?.metadata.tools;
  const running = uses.filter(({ state }) => state === "running").length;
  return (
    <section className="card" aria-label={label("Tools used")}>
      <h2>
        Tools used <span className="muted">{plural(uses.length, "call")}</span>
        {running > 0 && <span className="muted">, {running} running</span>}
      </h2>
      <ol className="tool-uses">
        {uses.map(({ number, tool, input, state, latencyMs, result }) => {
          const times = requested?.[number - 1]?.requested ?? 1;
          return (
            <li key={number}>
              <div className="row">
                <bdi className="tool-name">{tool}</bdi>
                <span className={`badge ${state}`}>{state}</span>
                <span className="muted">
                  {latencyMs !== undefined && formatDuration(latencyMs)}
                  {times > 1 && ` · asked for ${times} times, called once`}
                </span>
              </div>
              <bdi className="tool-input">{input}</bdi>
              {result !== undefined && (
                <bdi className={`tool-result ${state === "failed" ? "error-text" : "muted"}`}>{result}</bdi>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
