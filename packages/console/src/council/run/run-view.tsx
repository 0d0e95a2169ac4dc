import { lazy, type ReactNode, Suspense } from "react";
import { formatDuration, plural, words } from "../../parts/format.ts";
import { Markdown } from "../../parts/markdown/markdown.tsx";
import { StatePanel } from "../../parts/state-panel.tsx";
import { Calls } from "./calls/calls.tsx";
import { Answer } from "./result/answer.tsx";
import { Summary } from "./result/summary.tsx";
import { useLabel } from "./run-context.ts";
import type { RunState } from "./run-state.ts";
import { Race } from "./votes/race.tsx";
import { Ranking } from "./votes/ranking.tsx";
import { Seats } from "./votes/seats.tsx";
import { WhatIf } from "./votes/what-if.tsx";

/** The layout of graphs is a library: loaded with the first plan. */
const StepsGraph = lazy(async () => ({ default: (await import("./result/steps-graph.tsx")).StepsGraph }));

/** A longer report is folded: what was decided stands above it. */
const LONG_REPORT_CHARS = 4000;

/** One run at one moment, live or replayed. */
export function RunView({
  run,
  live,
  verdict,
}: {
  run: RunState;
  live: boolean;
  /** What people say of the answer, beside it. */
  verdict?: ReactNode;
}) {
  const label = useLabel();
  const result = run.response?.result;
  return (
    <div className="run">
      {/* Before the numbers: on a phone, they would fill the first screen. */}
      {run.response && <Answer run={run}>{verdict}</Answer>}
      <Summary run={run} live={live} />
      {run.error && (
        <StatePanel
          {...(run.error.code === "cancelled"
            ? { kind: "empty", title: "The run was cancelled" }
            : { kind: "error", title: `The run failed: ${words(run.error.code)}` })}
        >
          <p className="text">
            {run.error.code === "cancelled" ? "What came until then is below." : run.error.message}
          </p>
        </StatePanel>
      )}
      {run.race && <Race run={run} race={run.race} />}
      {run.response && <WhatIf run={run} />}
      <Seats run={run} />
      <Ranking run={run} />
      {typeof result === "object" && (
        <Suspense fallback={<StatePanel kind="loading" title="Loading…" />}>
          <StepsGraph plan={result} />
        </Suspense>
      )}
      {typeof result === "string" && (
        <details
          className="card report"
          open={run.race === undefined && result.length <= LONG_REPORT_CHARS}
          aria-label={label("Report")}
        >
          <summary>
            <h2>Report</h2>
            {result.length > LONG_REPORT_CHARS && (
              <span className="muted">{plural(result.length, "character")}</span>
            )}
          </summary>
          <Markdown text={result} />
        </details>
      )}
      <ToolUses run={run} />
      {run.calls.size > 0 && <Calls run={run} live={live} />}
    </div>
  );
}

/** What seats and voters looked up: every distinct call of a tool. */
function ToolUses({ run }: { run: RunState }) {
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
