import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { CallRecord } from "../../serve/tools/types.ts";
import { getJson } from "../api/http.ts";
import { formatDuration, formatTime, plural } from "../parts/format.ts";
import { ErrorPanel, StatePanel } from "../parts/state-panel.tsx";
import { useParts } from "../parts/use-parts.ts";
import { useTitle } from "../parts/use-title.ts";
import { VirtualList } from "../parts/virtual-list.tsx";
import { replaceInput } from "./saved-input.ts";
import { useToolEvents } from "./use-tool-events.ts";

const ROW_PX = 60;

/** The calls since startup, newest first, as they happen; each can be filled into its form again. */
export function CallsScreen() {
  useTitle("Calls");
  const connection = useToolEvents();
  const { data: parts } = useParts();
  const [by, setBy] = useState("");
  const calls = useQuery({
    queryKey: ["calls"],
    queryFn: async () => (await getJson<{ calls: readonly CallRecord[] }>("api/calls")).calls,
    // Records do not change: to compare all of them with all before, for each event, finds nothing.
    structuralSharing: false,
  });
  const rows = (calls.data ?? []).filter((call) => by === "" || call.by === by);
  const running = rows.filter(({ state }) => state === "running").length;
  return (
    <div className="history">
      <div className="row spread">
        <h1>Calls</h1>
        <span className="muted" role="status">
          {connection === "reconnecting"
            ? "Reconnecting…"
            : `${plural(rows.length, "call")}, ${running} running`}
        </span>
      </div>
      {parts?.live && (
        <label>
          <span className="visually-hidden">From</span>
          <select value={by} onChange={({ target }) => setBy(target.value)}>
            <option value="">From: all</option>
            <option value="client">From: MCP clients</option>
            <option value="console">From: this console</option>
          </select>
        </label>
      )}
      {calls.isError && <ErrorPanel error={calls.error} retry={() => calls.refetch()} />}
      {calls.isPending && <StatePanel kind="loading" title="Loading…" />}
      {calls.isSuccess && rows.length === 0 && (
        <StatePanel kind="empty" title="No calls yet.">
          <p>
            {parts?.live
              ? "Calls of connected MCP clients appear here as they happen."
              : "Calls made here are listed until mci ends."}
          </p>
        </StatePanel>
      )}
      {rows.length > 0 && (
        <VirtualList rows={rows} rowPx={ROW_PX} keyOf={(call) => call.id} label="List of calls">
          {(call) => <Row call={call} />}
        </VirtualList>
      )}
    </div>
  );
}

function Row({ call }: { call: CallRecord }) {
  const { tool, by, state, started_at, duration_ms, input, error } = call;
  const canRepeat = typeof input === "object" && input !== null;
  return (
    <div className="call-record">
      <bdi className="tool-name">{tool}</bdi>
      <span className={`badge ${state}`}>{state}</span>
      <span className="muted">
        {formatTime(started_at)}
        {duration_ms !== undefined && ` · ${formatDuration(duration_ms)}`}
        {by === "client" && " · MCP client"}
      </span>
      {canRepeat && (
        <a
          className="button quiet"
          aria-label={`Again: ${tool}`}
          href={`#/tools/${encodeURIComponent(tool)}`}
          onClick={() => replaceInput(tool, input as Record<string, unknown>)}
        >
          Again
        </a>
      )}
      <bdi className={`call-input ${error ? "error-text" : "muted"}`}>
        {error ?? JSON.stringify(input).slice(0, 300)}
      </bdi>
    </div>
  );
}
