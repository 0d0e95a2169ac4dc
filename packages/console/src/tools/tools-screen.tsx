import { useInfiniteQuery } from "@tanstack/react-query";
import type { ToolPage, ToolSummary } from "../../serve/tools/types.ts";
import { getJson } from "../api/http.ts";
import { plural } from "../parts/format.ts";
import { QueryChoice, QuerySearch } from "../parts/lists/query-filters.tsx";
import { VirtualList } from "../parts/lists/virtual-list.tsx";
import { ErrorPanel, StatePanel } from "../parts/state-panel.tsx";
import { Highlighted } from "../parts/text/highlighted.tsx";
import { useTitle } from "../parts/use-title.ts";
import { useLocation } from "../router.ts";
import { Logins } from "./logins.tsx";
import { ToolScreen } from "./tool-screen.tsx";
import { useToolEvents } from "./use-tool-events.ts";

const ROW_PX = 60;

/** The tools of a file: searched and filtered on the left, one of them on the right. */
export function ToolsScreen({ name }: { name: string | undefined }) {
  const { query } = useLocation();
  useToolEvents();
  useTitle("Tools");
  const filters = { q: query.get("q") ?? "", tag: query.get("tag") ?? "", source: query.get("source") ?? "" };
  const tools = useInfiniteQuery({
    queryKey: ["tools", filters.q, filters.tag, filters.source],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      getJson<ToolPage>(`api/tools?${toQuery({ ...filters, cursor: pageParam })}`, { signal }),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  const [first] = tools.data?.pages ?? [];
  const rows = tools.data?.pages.flatMap((page) => page.tools) ?? [];
  // A screen has one title: that of the tool, once one is chosen.
  const Heading = name === undefined ? "h1" : "h2";
  return (
    <div className={`tools ${name === undefined ? "" : "with-tool"}`}>
      <section className="tool-list" aria-label="Tools">
        <div className="row spread">
          <Heading>Tools</Heading>
          {first && <span className="muted">{plural(first.total, "tool")}</span>}
        </div>
        <QuerySearch label="Search tools" />
        {first && (first.tags.length > 0 || first.sources.length > 1) && (
          <div className="row filters">
            {first.tags.length > 0 && (
              <QueryChoice name="tag" label="Tag" options={first.tags} className="grow" />
            )}
            {first.sources.length > 0 && (
              <QueryChoice name="source" label="Source" options={first.sources} className="grow" />
            )}
          </div>
        )}
        {first?.load_error !== undefined && (
          <div className="load-error" role="alert">
            <p>The file cannot be loaded; the tools are those before the change.</p>
            <pre className="plain">{first.load_error}</pre>
            <a href="#/file">See the problems</a>
          </div>
        )}
        {first?.logins && <Logins logins={first.logins} refetch={tools.refetch} />}
        {first?.failed_servers && (
          <p className="load-error" role="status">
            <span className="badge failed">failed</span> MCP{" "}
            {first.failed_servers.length === 1 ? "server" : "servers"} {first.failed_servers.join(", ")}: no
            tools. <a href="#/project">See why</a>
          </p>
        )}
        {tools.isError && <ErrorPanel error={tools.error} retry={() => tools.refetch()} />}
        {tools.isPending && <StatePanel kind="loading" title="Loading the tools…" />}
        {tools.isSuccess && rows.length === 0 && (
          <StatePanel
            kind="empty"
            title={
              first?.total === 0 && filters.q + filters.tag + filters.source === ""
                ? "The file has no tools."
                : "No tool matches."
            }
          />
        )}
        {rows.length > 0 && (
          <VirtualList
            rows={rows}
            rowPx={ROW_PX}
            keyOf={(tool) => tool.name}
            label="List of tools"
            restoreAs={`tools ${toQuery(filters)}`}
            className="tool-rows"
            more={() => tools.hasNextPage && !tools.isFetchingNextPage && tools.fetchNextPage()}
          >
            {(tool) => <ToolRow tool={tool} words={filters.q} isCurrent={tool.name === name} />}
          </VirtualList>
        )}
      </section>
      <section className="tool-detail" aria-label="Tool">
        {name === undefined ? (
          <StatePanel kind="empty" title="Choose a tool to see what it takes, and to call it." />
        ) : (
          <ToolScreen key={name} name={name} file={first?.file ?? "mci.json"} />
        )}
      </section>
    </div>
  );
}

function ToolRow({ tool, words, isCurrent }: { tool: ToolSummary; words: string; isCurrent: boolean }) {
  return (
    <a
      className="tool-row"
      href={`#/tools/${encodeURIComponent(tool.name)}${location.hash.includes("?") ? `?${location.hash.split("?")[1]}` : ""}`}
      aria-current={isCurrent ? "true" : undefined}
    >
      <bdi className="tool-name">
        <Highlighted text={tool.name} words={words} />
      </bdi>
      <span className="badge">{tool.type}</span>
      <bdi className="muted tool-about">
        <Highlighted text={tool.description ?? ""} words={words} />
      </bdi>
    </a>
  );
}

function toQuery(fields: Readonly<Record<string, string>>): string {
  return new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== "")).toString();
}
