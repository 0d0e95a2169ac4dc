import {
  formatDuration,
  formatMoney,
  formatNumber,
  formatPercent,
  plural,
  toolLabel,
  words,
} from "../parts/format.ts";
import { Markdown } from "../parts/markdown.tsx";
import { StatePanel } from "../parts/state-panel.tsx";
import { useNow } from "../parts/use-now.ts";
import { Calls } from "./calls.tsx";
import { Race } from "./race.tsx";
import { useLabel } from "./run-name.ts";
import type { RunState } from "./run-state.ts";
import { Seats } from "./seats.tsx";
import { StepsGraph } from "./steps-graph.tsx";

/** One run at one moment, live or replayed. */
export function RunView({ run, live }: { run: RunState; live: boolean }) {
  const label = useLabel();
  const plan = typeof run.response?.result === "object" ? run.response.result : undefined;
  return (
    <div className="run">
      <Summary run={run} live={live} />
      {run.error && (
        <StatePanel kind="error" title={`The run failed: ${run.error.code}`}>
          <p className="text">{run.error.message}</p>
        </StatePanel>
      )}
      {run.response && <Answer run={run} />}
      {run.race && <Race run={run} race={run.race} />}
      <Seats run={run} />
      {plan && <StepsGraph plan={plan} />}
      {run.response && typeof run.response.result === "string" && (
        <section className="card" aria-label={label("Report")}>
          <h2>Report</h2>
          <Markdown text={run.response.result} />
        </section>
      )}
      {run.calls.size > 0 && <Calls run={run} />}
    </div>
  );
}

function Summary({ run, live }: { run: RunState; live: boolean }) {
  const now = useNow(live && run.phase === "running");
  const usage = run.response?.metadata.usage;
  const calls = [...run.calls.values()];
  const time =
    run.startedAt === undefined
      ? undefined
      : (run.endedAt ?? (live ? now : lastActivity(run))) - run.startedAt;
  const tokens = usage
    ? usage.input_tokens + usage.output_tokens
    : calls.reduce((sum, call) => sum + call.tokens, 0);
  return (
    <dl className="facts">
      <Fact
        name="Method"
        value={toolLabel(run.routing?.tool)}
        hint={run.routing && `${run.routing.by}: ${run.routing.rule}`}
      />
      <Fact name="Status" value={statusOf(run)} />
      <Fact name="Time" value={time === undefined ? "–" : formatDuration(time)} />
      <Fact name="Calls" value={formatNumber(usage?.calls ?? calls.length)} />
      <Fact name="Tokens" value={formatNumber(tokens)} />
      <Fact name="Cost" value={usage ? formatMoney(usage.cost_usd, usage.cost_source) : "–"} />
    </dl>
  );
}

function Fact({ name, value, hint }: { name: string; value: string; hint?: string | undefined }) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd>
        {value}
        {hint && <small className="muted">{hint}</small>}
      </dd>
    </div>
  );
}

/** The answer first: what most readers came for. */
function Answer({ run }: { run: RunState }) {
  const label = useLabel();
  const { answer, voting, council, warnings, model } = run.response!.metadata;
  const text =
    answer === undefined || answer === null
      ? undefined
      : typeof answer === "string"
        ? answer
        : JSON.stringify(answer, undefined, 2);
  const confidence = voting?.confidence ?? council?.confidence;
  if (text === undefined && warnings.length === 0) return null;
  return (
    <section className="card answer" aria-label={label("Answer")}>
      <h2>Answer</h2>
      {text !== undefined && <p className="answer-text">{text}</p>}
      {model === "simulated" && <p className="simulated-note">Simulated: no language model was asked.</p>}
      {confidence !== undefined && (
        <p className="muted">
          Confidence {formatPercent(confidence)}
          {voting && `, ${plural(voting.samples, "sample")}, ${formatNumber(voting.red_flagged)} discarded`}
        </p>
      )}
      {warnings.map((warning) => (
        <p key={warning} className="warning">
          {warning}
        </p>
      ))}
    </section>
  );
}

function statusOf(run: RunState): string {
  if (run.response) return words(run.response.metadata.status);
  if (run.error) return words(run.error.code);
  if (run.stopped) return `stopped: ${words(run.stopped)}`;
  return run.phase;
}

function lastActivity(run: RunState): number {
  return Math.max(
    run.startedAt ?? 0,
    ...[...run.calls.values()].map(({ endedAt, startedAt }) => endedAt ?? startedAt),
  );
}
