import type { RunSummary } from "@mci-ts/council-server/api";
import { jsonOrText } from "@mci-ts/primitives/parse-json";
import { formatDuration, formatMoney, formatWhenShort, plural, words } from "../parts/format.ts";
import { useToolLabel } from "../parts/use-parts.ts";
import { answerText } from "./run/result/answer-fields.ts";

/** An answer that is an object by its fields, as on its own screen. */
function inWords(answer: string): string {
  return answer.startsWith("{") ? answerText(jsonOrText(answer), undefined) : answer;
}

/** One run in a list: the question, what was decided, how long it took and what it cost. */
export function RunRow({ run }: { run: RunSummary }) {
  const toolLabel = useToolLabel();
  const { id, prompt, status, tool, started_at, ended_at, calls, cost_usd, cost_source, answer } = run;
  const facts = [
    toolLabel(tool),
    formatWhenShort(started_at),
    ...(ended_at === null ? [] : [formatDuration(Date.parse(ended_at) - Date.parse(started_at))]),
    ...(calls === null ? [] : [plural(calls, "call")]),
    ...(status === "running" ? [] : [formatMoney(cost_usd, cost_source)]),
  ];
  return (
    <a className="run-row" href={`#/runs/${encodeURIComponent(id)}`}>
      <bdi className="run-prompt">{prompt}</bdi>
      <span className={`badge ${status}`}>{words(status)}</span>
      {answer === null ? (
        <span className="muted run-facts">{facts.join(" · ")}</span>
      ) : (
        <span className="muted run-facts run-decided">
          <bdi className="run-winner">{inWords(answer).slice(0, 160)}</bdi>
          <span className="separator">·</span>
          <span>{facts.join(" · ")}</span>
        </span>
      )}
    </a>
  );
}
