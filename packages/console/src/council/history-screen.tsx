import type { RunPage, RunSummary } from "@mci-ts/council-server/api";
import { type InfiniteData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { getJson } from "../api/http.ts";
import { formatNumber, plural, words } from "../parts/format.ts";
import { QueryChoice, QuerySearch } from "../parts/lists/query-filters.tsx";
import { VirtualList } from "../parts/lists/virtual-list.tsx";
import { ErrorPanel, StatePanel } from "../parts/state-panel.tsx";
import { useMedia } from "../parts/use-media.ts";
import { useStrategies, useToolLabel } from "../parts/use-parts.ts";
import { useTitle } from "../parts/use-title.ts";
import { replaceQuery, useLocation } from "../router.ts";
import { HistoryPlace } from "./history-place.tsx";
import { RunRow } from "./run-row.tsx";
import { useRunFeed } from "./use-run-feed.ts";

const ROW_PX = 64;
/** With a line of its own for the answer. */
const NARROW_ROW_PX = 84;
const PAGE = 50;
const STATUSES = ["running", "complete", "partial", "degraded", "failed", "cancelled", "interrupted"];
const SORTS = {
  newest: "Newest first",
  oldest: "Oldest first",
  cost: "Most expensive first",
  duration: "Longest first",
};

/** The actions of agents are runs, too, but not of a strategy. */
const ACT = "act";

/** All runs, pages fetched as one scrolls; what begins and ends while one looks is told by the service. */
export function HistoryScreen() {
  useTitle("History");
  const strategies = useStrategies();
  const isNarrow = useMedia("(max-width: 640px)");
  const toolLabel = useToolLabel();
  const { query } = useLocation();
  const filter = {
    status: query.get("status") ?? "",
    tool: query.get("tool") ?? "",
    q: query.get("q") ?? "",
    since: query.get("since") ?? "",
    until: query.get("until") ?? "",
    sort: query.get("sort") ?? "newest",
  };
  const queryKey = ["runs", filter];
  const runs = useInfiniteQuery({
    queryKey,
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => getJson<RunPage>(`runs?${toQuery(filter, pageParam)}`, { signal }),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    // The feed says what changes; reading every page again would not scale.
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: "always",
    maxPages: 200,
  });
  const { news, clear } = useChanges(queryKey, filter);
  const rows = runs.data?.pages.flatMap((page) => page.runs) ?? [];
  const total = runs.data?.pages[0]?.total;
  const isFiltered = filter.status + filter.tool + filter.q + filter.since + filter.until !== "";
  return (
    <div className="history">
      <div className="row spread">
        <h1>History {total !== undefined && <small className="muted">{plural(total, "run")}</small>}</h1>
        {news > 0 && (
          <button
            type="button"
            onClick={() => {
              clear();
              void runs.refetch();
            }}
          >
            {formatNumber(news)} new or changed, show
          </button>
        )}
      </div>
      <HistoryPlace />
      <div className="filters row" role="search">
        <QuerySearch label="Search prompts and answers" />
        <QueryChoice name="status" label="Status" options={STATUSES} show={words} />
        <QueryChoice
          name="tool"
          label="Method"
          options={[...strategies.map((strategy) => strategy.tool), ACT]}
          show={toolLabel}
        />
        <DayInput label="From" value={filter.since} onChange={(since) => replaceQuery({ since })} />
        <DayInput label="To" value={filter.until} onChange={(until) => replaceQuery({ until })} />
        <label>
          <span className="visually-hidden">Order</span>
          <select
            value={filter.sort}
            onChange={({ target }) => replaceQuery({ sort: target.value === "newest" ? "" : target.value })}
          >
            {Object.entries(SORTS).map(([sort, label]) => (
              <option key={sort} value={sort}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </div>
      {runs.isError && <ErrorPanel error={runs.error} retry={() => runs.refetch()} />}
      {runs.isPending && <StatePanel kind="loading" title="Loading…" />}
      {runs.isSuccess && rows.length === 0 && (
        <StatePanel kind="empty" title={isFiltered ? "No run matches." : "No runs yet."}>
          <a className="button" href="#/ask">
            Ask something
          </a>
        </StatePanel>
      )}
      {rows.length > 0 && (
        <VirtualList
          rows={rows}
          rowPx={isNarrow ? NARROW_ROW_PX : ROW_PX}
          keyOf={(run) => run.id}
          label="Runs"
          restoreAs={JSON.stringify(queryKey)}
          more={() => runs.hasNextPage && !runs.isFetchingNextPage && runs.fetchNextPage()}
        >
          {(run) => <RunRow run={run} />}
        </VirtualList>
      )}
    </div>
  );
}

/** Puts changed runs into the list where their place is known; counts those whose place only the service knows. */
function useChanges(queryKey: readonly unknown[], filter: Readonly<Record<string, string>>) {
  const queries = useQueryClient();
  const [news, setNews] = useState(0);
  const key = JSON.stringify(queryKey);
  useEffect(() => setNews(0), [key]);
  useRunFeed(
    (run) => {
      const before = queries.getQueryData<InfiniteData<RunPage>>(queryKey);
      if (!before) return;
      const isListed = before.pages.some((page) => page.runs.some(({ id }) => id === run.id));
      if (isListed) queries.setQueryData(queryKey, replaceRun(before, run));
      else if (isUnfiltered(filter)) queries.setQueryData(queryKey, prependRun(before, run));
      else setNews((count) => count + 1);
    },
    () => void queries.invalidateQueries({ queryKey }),
  );
  return { news, clear: () => setNews(0) };
}

const isUnfiltered = ({ sort, ...filter }: Readonly<Record<string, string>>) =>
  sort === "newest" && Object.values(filter).every((value) => value === "");

const replaceRun = ({ pages, ...rest }: InfiniteData<RunPage>, run: RunSummary): InfiniteData<RunPage> => ({
  ...rest,
  pages: pages.map((page) => ({ ...page, runs: page.runs.map((each) => (each.id === run.id ? run : each)) })),
});

const prependRun = ({ pages, ...rest }: InfiniteData<RunPage>, run: RunSummary): InfiniteData<RunPage> => ({
  ...rest,
  pages: pages.map((page, index) =>
    index === 0
      ? { ...page, runs: [run, ...page.runs], ...(page.total === undefined ? {} : { total: page.total + 1 }) }
      : page,
  ),
});

function DayInput({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (day: string) => void;
}) {
  return (
    <label className="day">
      <span className="muted">{label}</span>{" "}
      <input type="date" value={value} onChange={({ target }) => onChange(target.value)} />
    </label>
  );
}

/** Days are the reader's: from its first moment to the last of the other. */
function toQuery({ since, until, ...filter }: Readonly<Record<string, string>>, cursor: string): string {
  const filled = Object.entries({ ...filter, cursor }).filter(([, value]) => value !== "");
  const from = dayStart(since ?? "", 0);
  const to = dayStart(until ?? "", 1);
  return new URLSearchParams([
    ...filled,
    ...(from === undefined ? [] : [["since", from]]),
    ...(to === undefined ? [] : [["until", to]]),
    ["limit", String(PAGE)],
    ...(cursor === "" ? [["total", "true"]] : []),
  ]).toString();
}

function dayStart(day: string, more: number): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (year === undefined) return undefined;
  return new Date(Number(year), Number(month) - 1, Number(date) + more).toISOString();
}
