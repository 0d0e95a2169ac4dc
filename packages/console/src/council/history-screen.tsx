import type { RunPage } from "@mci-ts/council-server/api";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { getJson } from "../api/http.ts";
import { words } from "../parts/format.ts";
import { ErrorPanel, StatePanel } from "../parts/state-panel.tsx";
import { useStrategies, useToolLabel } from "../parts/use-parts.ts";
import { useTitle } from "../parts/use-title.ts";
import { VirtualList } from "../parts/virtual-list.tsx";
import { replaceQuery, useLocation } from "../router.ts";
import { HistoryPlace } from "./history-place.tsx";
import { RunRow } from "./run-row.tsx";

const ROW_PX = 64;
const PAGE = 50;
const STATUSES = ["running", "complete", "partial", "degraded", "failed", "cancelled", "interrupted"];

/** All runs, newest first; pages are fetched as one scrolls. */
export function HistoryScreen() {
  useTitle("History");
  const strategies = useStrategies();
  const toolLabel = useToolLabel();
  const { query } = useLocation();
  const status = query.get("status") ?? "";
  const tool = query.get("tool") ?? "";
  const search = query.get("q") ?? "";
  const [text, setText] = useState(search);
  useDebounced(text, (q) => q !== search && replaceQuery({ q }));

  const runs = useInfiniteQuery({
    queryKey: ["runs", status, tool, search],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      getJson<RunPage>(`runs?${toQuery({ status, tool, q: search, cursor: pageParam })}`, { signal }),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchInterval: 5000,
    maxPages: 200,
  });
  const rows = runs.data?.pages.flatMap((page) => page.runs) ?? [];
  return (
    <div className="history">
      <h1>History</h1>
      <HistoryPlace />
      <div className="filters row" role="search">
        <label className="grow">
          <span className="visually-hidden">Search prompts and answers</span>
          <input
            type="search"
            value={text}
            placeholder="Search prompts and answers"
            onChange={({ target }) => setText(target.value)}
          />
        </label>
        <Choice
          label="Status"
          value={status}
          options={STATUSES}
          show={words}
          onChange={(value) => replaceQuery({ status: value })}
        />
        <Choice
          label="Method"
          value={tool}
          options={strategies.map((strategy) => strategy.tool)}
          show={toolLabel}
          onChange={(value) => replaceQuery({ tool: value })}
        />
      </div>
      {runs.isError && <ErrorPanel error={runs.error} retry={() => runs.refetch()} />}
      {runs.isPending && <StatePanel kind="loading" title="Loading…" />}
      {runs.isSuccess && rows.length === 0 && (
        <StatePanel kind="empty" title={status || tool || search ? "No run matches." : "No runs yet."}>
          <a className="button" href="#/ask">
            Ask something
          </a>
        </StatePanel>
      )}
      {rows.length > 0 && (
        <VirtualList
          rows={rows}
          rowPx={ROW_PX}
          keyOf={(run) => run.id}
          label="Runs"
          more={() => runs.hasNextPage && !runs.isFetchingNextPage && runs.fetchNextPage()}
        >
          {(run) => <RunRow run={run} />}
        </VirtualList>
      )}
    </div>
  );
}

function Choice({
  label,
  value,
  options,
  show,
  onChange,
}: {
  label: string;
  value: string;
  options: readonly string[];
  show: (value: string) => string;
  onChange: (value: string) => void;
}) {
  return (
    <label>
      <span className="visually-hidden">{label}</span>
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{label}: all</option>
        {options.map((option) => (
          <option key={option} value={option}>
            {show(option)}
          </option>
        ))}
      </select>
    </label>
  );
}

function toQuery(fields: Readonly<Record<string, string>>): string {
  const filled = Object.entries(fields).filter(([, value]) => value !== "");
  return new URLSearchParams([...filled, ["limit", String(PAGE)]]).toString();
}

function useDebounced(value: string, act: (value: string) => void): void {
  useEffect(() => {
    const timer = setTimeout(() => act(value), 250);
    return () => clearTimeout(timer);
  }, [value]);
}
