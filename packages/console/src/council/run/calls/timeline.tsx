import { useOneTabStop } from "../../../parts/focus/use-one-tab-stop.ts";
import { formatDuration, words } from "../../../parts/format.ts";
import { useNow } from "../../../parts/use-now.ts";
import { useLabel } from "../run-context.ts";
import type { Call, RunState } from "../run-state.ts";

/** Calls that are drawn; a longer run shows its first ones, and says so. */
const MAX_CALLS = 200;

/** When each call was in flight, one line for each; the lines open the calls. */
export function Timeline({
  run,
  live,
  open,
}: {
  run: RunState;
  /** Whether calls in flight go on up to now. */
  live: boolean;
  open: (call: number) => void;
}) {
  const label = useLabel();
  const calls = [...run.calls.values()].slice(0, MAX_CALLS);
  const start = run.startedAt ?? calls[0]?.startedAt ?? 0;
  const now = useNow(live && run.phase === "running");
  const at = run.endedAt ?? (live && run.phase === "running" ? Math.max(now, run.at) : run.at);
  const end = Math.max(at, ...calls.map(({ endedAt, startedAt }) => endedAt ?? startedAt));
  const span = Math.max(1, end - start);
  const { group, tabIndexOf } = useOneTabStop(calls.length);
  const percent = (at: number) => `${((at - start) / span) * 100}%`;
  return (
    <div className="timeline">
      <p className="muted timeline-scale" aria-hidden="true">
        <span>0</span>
        <span>{formatDuration(span)}</span>
      </p>
      <div className="timeline-rows" role="toolbar" aria-label={label("Timeline of calls")} {...group}>
        {calls.map((call, index) => (
          <button
            key={call.call}
            type="button"
            tabIndex={tabIndexOf(index)}
            className={`timeline-row ${call.flag ? "discarded" : call.state}`}
            title={describe(call, start)}
            onClick={() => open(call.call)}
          >
            <span
              className="timeline-bar"
              style={{
                left: percent(call.startedAt),
                width: `max(3px, ${(((call.endedAt ?? end) - call.startedAt) / span) * 100}%)`,
              }}
            />
          </button>
        ))}
      </div>
      {run.calls.size > MAX_CALLS && (
        <p className="muted">
          The first {MAX_CALLS} of {run.calls.size} calls; the list has them all.
        </p>
      )}
    </div>
  );
}

function describe({ call, purpose, model, startedAt, endedAt, flag, state }: Call, start: number): string {
  const from = formatDuration(startedAt - start);
  const time = endedAt === undefined ? "in flight" : `took ${formatDuration(endedAt - startedAt)}`;
  return `Call ${call}, ${words(purpose)}, ${model}, ${flag ? "discarded" : words(state)}: from ${from}, ${time}`;
}
