import { useState } from "react";
import { formatDuration, formatNumber, plural, words } from "../../../parts/format.ts";
import { VirtualList } from "../../../parts/lists/virtual-list.tsx";
import { useLabel } from "../run-context.ts";
import type { Call, RunState } from "../run-state.ts";
import { CallDialog } from "./call-detail.tsx";
import { Timeline } from "./timeline.tsx";

const ROW_PX = 34;
/** A longer list is folded until asked for. */
const MAX_OPEN = 30;

/** Every call to a model: when, what for, which model, how it ended; each can be opened. */
export function Calls({ run, live }: { run: RunState; live: boolean }) {
  const label = useLabel();
  const calls = [...run.calls.values()];
  const [isOpen, setOpen] = useState(calls.length <= MAX_OPEN);
  const [opened, setOpened] = useState<number>();
  const inFlight = calls.filter(({ endedAt }) => endedAt === undefined).length;
  return (
    <details
      className="card calls"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <h2>Calls</h2> {plural(calls.length, "call")}
        {inFlight > 0 && `, ${formatNumber(inFlight)} in flight`}
      </summary>
      {isOpen && (
        <>
          <Timeline run={run} live={live} open={setOpened} />
          <VirtualList
            rows={calls}
            rowPx={ROW_PX}
            keyOf={({ call }) => call}
            label={label("Calls")}
            className="call-rows"
          >
            {(call) => <CallRow call={call} open={setOpened} />}
          </VirtualList>
        </>
      )}
      {opened !== undefined && <CallDialog call={opened} onClose={() => setOpened(undefined)} />}
    </details>
  );
}

function CallRow({ call, open }: { call: Call; open: (call: number) => void }) {
  const { purpose, model, state, startedAt, endedAt, flag, error, answer, tokens, attempts } = call;
  const outcome = flag ? "discarded" : state;
  return (
    <div className={`call-row ${outcome}`}>
      <button
        type="button"
        className="quiet call-number"
        aria-label={`Open call ${call.call}`}
        aria-disabled={endedAt === undefined}
        onClick={() => endedAt !== undefined && open(call.call)}
      >
        {call.call}
      </button>
      <span className="call-purpose">{words(purpose)}</span>
      <span className="call-model">{model}</span>
      <span className={`badge ${outcome}`}>{words(outcome)}</span>
      <span className="call-time">{endedAt === undefined ? "…" : formatDuration(endedAt - startedAt)}</span>
      <span className="call-tokens">{tokens > 0 && `${formatNumber(tokens)} tokens`}</span>
      <bdi className="call-text" title={flag?.reason ?? error ?? answer}>
        {attempts > 1 && `attempt ${attempts}. `}
        {flag?.reason ?? (state === "finished" ? answer : error)}
      </bdi>
    </div>
  );
}
