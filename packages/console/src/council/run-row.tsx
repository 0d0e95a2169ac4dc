import type { RunSummary } from "@mci-ts/council-server/api";
import { formatDuration, formatMoney, formatWhen, plural, words } from "../parts/format.ts";
import { useToolLabel } from "../parts/use-parts.ts";

/** One run in a list: the question, what was decided, how long it took and what it cost. */
export function RunRow({ run }: { run: RunSummary }) {
  const toolLabel = useToolLabel();
  const { id, prompt, status, tool, started_at, ended_at, calls, cost_usd, cost_source, answer } = run;
  const facts = [
    toolLabel(tool),
    formatWhen(started_at),
    ...(ended_at === null ? [] : [formatDuration(Date.parse(ended_at) - Date.parse(started_at))]),
    ...(calls === null ? [] : [plural(calls, "call")]),
    ...(status === "running" ? [] : [formatMoney(cost_usd, cost_source)]),
  ];
  return (
    <a className="run-row" href={`#/runs/${encodeURIComponent(id)}`}>
      <bdi className="run-prompt">{prompt}</bdi>
      <span className={`badge ${status}`}>{words(status)}</span>
      <span className="muted run-facts">
        {answer !== null && (
          <>
            <bdi className="run-winner">{answer.slice(0, 80)}</bdi> ·{" "}
          </>
        )}
        {facts.join(" · ")}
      </span>
    </a>
  );
}
