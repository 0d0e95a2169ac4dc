import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef, useState } from "react";
import { formatDuration, formatNumber, plural, words } from "../../../parts/format.ts";
import { useLabel } from "../run-context.ts";
import type { Call, RunState } from "../run-state.ts";
import { CallDialog } from "./call-detail.tsx";
import { Timeline } from "./timeline.tsx";

const ROW_PX = 34;
/** A longer list is folded until asked for. */
const MAX_OPEN = 30;

/** Every call to a model: when, what for, which model, how it ended; each can be opened. */
export function Calls({ run }: { run: RunState }) {
  const label = useLabel();
  const calls = [...run.calls.values()];
  const [isOpen, setOpen] = useState(calls.length <= MAX_OPEN);
  const [opened, setOpened] = useState<number>();
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: isOpen ? calls.length : 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
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
      {isOpen && <Timeline run={run} open={setOpened} />}
      <div className="scroll call-rows" ref={scroller} tabIndex={0} role="region" aria-label={label("Calls")}>
        <ol style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => (
            <li key={index} style={{ transform: `translateY(${start}px)` }}>
              <CallRow call={calls[index]!} open={setOpened} />
            </li>
          ))}
        </ol>
      </div>
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
        disabled={endedAt === undefined}
        onClick={() => open(call.call)}
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
