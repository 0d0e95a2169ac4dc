import type { RunSummary } from "@mci-ts/council-server/api";
import { formatDate, formatMoney, plural, words } from "../parts/format.ts";
import { useToolLabel } from "../parts/use-parts.ts";

/** One run in a list. */
export function RunRow({ run }: { run: RunSummary }) {
  const toolLabel = useToolLabel();
  const { id, prompt, status, tool, started_at, calls, cost_usd, cost_source } = run;
  const facts = [
    toolLabel(tool),
    formatDate(started_at),
    ...(calls === null ? [] : [plural(calls, "call")]),
    ...(status === "running" ? [] : [formatMoney(cost_usd, cost_source)]),
  ];
  return (
    <a className="run-row" href={`#/runs/${encodeURIComponent(id)}`}>
      <bdi className="run-prompt">{prompt}</bdi>
      <span className={`badge ${status}`}>{words(status)}</span>
      <span className="muted run-facts">{facts.join(" · ")}</span>
    </a>
  );
}
