import { isObject } from "@mci-ts/primitives/is-object";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { CallRecord } from "../../../serve/tools/types.ts";
import { getJson } from "../../api/http.ts";
import { formatDuration, formatWhen, plural } from "../../parts/format.ts";
import { QueryChoice, QuerySearch } from "../../parts/lists/query-filters.tsx";
import { VirtualList } from "../../parts/lists/virtual-list.tsx";
import { ErrorPanel, StatePanel } from "../../parts/state-panel.tsx";
import { useParts } from "../../parts/use-parts.ts";
import { useTitle } from "../../parts/use-title.ts";
import { useLocation } from "../../router.ts";
import { useToolEvents } from "../use-tool-events.ts";
import { StorageLine } from "./storage-line.tsx";

const ROW_PX = 60;
const STATES: Readonly<Record<string, string>> = {
  running: "Running",
  succeeded: "Without error",
  failed: "Failed",
  cancelled: "Cancelled",
};
const CALLERS: Readonly<Record<string, string>> = {
  client: "From: MCP clients",
  console: "From: this console",
};

/** The calls, newest first, as they happen; searched by any word of what was sent or received. */
export function CallsScreen() {
  useTitle("Calls");
  const connection = useToolEvents();
  const { data: parts } = useParts();
  const { query } = useLocation();
  const filters = { q: query.get("q") ?? "", state: query.get("state") ?? "", by: query.get("by") ?? "" };
  const all = useQuery({
    queryKey: ["calls"],
    queryFn: async () => (await getJson<{ calls: readonly CallRecord[] }>("api/calls")).calls,
    // Records do not change: to compare all of them with all before, for each event, finds nothing.
    structuralSharing: false,
  });
  // The server searches what the list does not have: requests and responses. A new call is a new search.
  const newest = filters.q === "" ? undefined : all.data?.[0]?.id;
  const found = useQuery({
    queryKey: ["calls found", filters.q, newest],
    enabled: filters.q !== "",
    placeholderData: keepPreviousData,
    // A cached search would keep the calls of its time in memory.
    gcTime: 0,
    queryFn: async () => {
      const { calls } = await getJson<{ calls: readonly CallRecord[] }>(
        `api/calls?${new URLSearchParams({ q: filters.q })}`,
      );
      return new Set(calls.map(({ id }) => id));
    },
  });
  const rows = (all.data ?? []).filter(
    (call) =>
      (filters.by === "" || call.by === filters.by) &&
      (filters.state === "" || call.state === filters.state) &&
      (filters.q === "" || found.data?.has(call.id)),
  );
  const running = rows.filter(({ state }) => state === "running").length;
  const isFiltered = filters.q + filters.by + filters.state !== "";
  return (
    <div className="history">
      <div className="row spread">
        <h1>Calls</h1>
        <span className="muted" role="status">
          {connection === "reconnecting"
            ? "Reconnecting…"
            : `${plural(rows.length, "call")}${running > 0 ? `, ${running} running` : ""}`}
        </span>
      </div>
      <div className="row filters">
        <QuerySearch label="Search calls" placeholder="Search what was sent and received" />
        <QueryChoice
          name="state"
          label="State"
          options={Object.keys(STATES)}
          show={(state) => STATES[state]!}
        />
        {parts?.live && (
          <QueryChoice name="by" label="From" options={Object.keys(CALLERS)} show={(by) => CALLERS[by]!} />
        )}
      </div>
      {all.isError && <ErrorPanel error={all.error} retry={() => all.refetch()} />}
      {found.isError && <ErrorPanel error={found.error} retry={() => found.refetch()} />}
      {all.isPending && <StatePanel kind="loading" title="Loading…" />}
      {all.isSuccess && rows.length === 0 && !found.isFetching && (
        <StatePanel kind="empty" title={isFiltered ? "No call matches." : "No calls yet."}>
          <p>
            {parts?.live
              ? "Calls of connected MCP clients appear here as they happen."
              : "Call a tool, and what was sent and received is listed here."}
          </p>
        </StatePanel>
      )}
      {rows.length > 0 && (
        <VirtualList rows={rows} rowPx={ROW_PX} keyOf={(call) => call.id} label="List of calls">
          {(call) => <Row call={call} />}
        </VirtualList>
      )}
      <StorageLine hasCalls={(all.data ?? []).length > 0} />
    </div>
  );
}

const inputText = (input: unknown) =>
  isObject(input) && Object.keys(input).length === 0 ? "no input" : JSON.stringify(input).slice(0, 300);

function Row({ call }: { call: CallRecord }) {
  const { id, tool, by, state, started_at, duration_ms, input, error } = call;
  const canRepeat = typeof input === "object" && input !== null;
  return (
    <div className="call-record">
      <a className="tool-name row-link" href={`#/calls/${id}`}>
        <bdi>{tool}</bdi>
      </a>
      <span className={`badge ${state}`}>{state}</span>
      <span className="muted call-time">
        {formatWhen(started_at)}
        {duration_ms !== undefined && ` · ${formatDuration(duration_ms)}`}
        {by === "client" && " · MCP client"}
      </span>
      {canRepeat && (
        <a
          className="button quiet"
          aria-label={`Again: ${tool}`}
          href={`#/tools/${encodeURIComponent(tool)}?call=${id}`}
        >
          Again
        </a>
      )}
      <bdi className={`call-input ${error ? "error-text" : "muted"}`}>{error ?? inputText(input)}</bdi>
    </div>
  );
}
