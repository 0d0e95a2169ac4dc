import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { getJson } from "../../api/http.ts";
import { plural } from "../../parts/format.ts";
import { QuerySearch } from "../../parts/lists/query-filters.tsx";
import { VirtualList } from "../../parts/lists/virtual-list.tsx";
import { ErrorPanel, StatePanel } from "../../parts/state-panel.tsx";
import { Highlighted } from "../../parts/text/highlighted.tsx";
import { useLocation } from "../../router.ts";
import { type Place, segment, sourcePath } from "./place.ts";

const ROW_PX = 60;

interface Listed {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly is_cut?: true;
}

interface ListPage {
  readonly total: number;
  readonly next_cursor: string | null;
}

/** The resources or the prompts of a source, with a search, beside the one that is open. */
export function ContentList<Kind extends "resources" | "prompts", Item extends Listed>({
  place,
  kind,
  open,
  keyOf,
  about,
  badge,
  onChoose,
  below,
  children,
}: {
  place: Place;
  kind: Kind;
  /** The key of what is open. */
  open: string | undefined;
  keyOf: (item: Item) => string;
  about: (item: Item) => string;
  badge: (item: Item) => string | undefined;
  /** Called when a person chooses one here: it was not merely an address that was opened. */
  onChoose: (key: string) => void;
  below?: ReactNode;
  /** What is open. */
  children: ReactNode;
}) {
  const { query } = useLocation();
  const q = query.get("q") ?? "";
  const list = useInfiniteQuery({
    queryKey: [kind, place.source, q],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      getJson<ListPage & Readonly<Record<Kind, readonly Item[]>>>(
        `${sourcePath(place.source, kind)}?${new URLSearchParams({ q, cursor: pageParam })}`,
        { signal },
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    retry: false,
  });
  const [first] = list.data?.pages ?? [];
  // A list that changes between two pages may have the same entry on both.
  const rows = [
    ...new Map(list.data?.pages.flatMap((page) => page[kind]).map((item) => [keyOf(item), item])).values(),
  ];
  const one = kind === "resources" ? "resource" : "prompt";
  return (
    <div className={`tools ${open === undefined ? "" : "with-tool"}`}>
      <section className="tool-list" aria-label={kind === "resources" ? "Resources" : "Prompts"}>
        <div className="row spread">
          <QuerySearch key={`${place.source} ${kind}`} label={`Search ${kind}`} />
        </div>
        <p className="muted" role="status">
          {first && plural(first.total, one)}
          {first && q !== "" && " match"}
        </p>
        {list.isError && <ErrorPanel error={list.error} retry={() => list.refetch()} />}
        {list.isPending && <StatePanel kind="loading" title={`Loading the ${kind}…`} />}
        {list.isSuccess && rows.length === 0 && (
          <StatePanel
            kind="empty"
            title={
              q !== ""
                ? `No ${one} matches.`
                : place.offers[kind]
                  ? `There are no ${kind}.`
                  : `The server does not offer ${kind}.`
            }
          />
        )}
        {rows.length > 0 && (
          <VirtualList
            rows={rows}
            rowPx={ROW_PX}
            keyOf={keyOf}
            label={`List of ${kind}`}
            restoreAs={`${kind} ${place.source} ${q}`}
            className="tool-rows"
            more={() => list.hasNextPage && !list.isFetchingNextPage && list.fetchNextPage()}
          >
            {(item) => (
              <a
                className="tool-row"
                href={`${place.href}/${kind}/${segment(keyOf(item))}${q === "" ? "" : `?${new URLSearchParams({ q })}`}`}
                aria-current={keyOf(item) === open ? "true" : undefined}
                onClick={(event) => {
                  const isOtherTab = event.ctrlKey || event.metaKey || event.shiftKey;
                  if (!isOtherTab) onChoose(keyOf(item));
                }}
              >
                <bdi className="tool-name">
                  <Highlighted text={item.title ?? item.name} words={q} />
                </bdi>
                {badge(item) !== undefined && <span className="badge">{badge(item)}</span>}
                <bdi className="muted tool-about">
                  <Highlighted text={about(item)} words={q} />
                </bdi>
              </a>
            )}
          </VirtualList>
        )}
        {below}
      </section>
      {(open !== undefined || rows.length > 0 || q !== "") && (
        <section className="tool-detail" aria-label={one === "resource" ? "Resource" : "Prompt"}>
          {children}
        </section>
      )}
    </div>
  );
}
