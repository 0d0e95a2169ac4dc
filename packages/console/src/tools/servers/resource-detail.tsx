import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type { ReadResponse, ResourcePage, ResourceSummary } from "../../../serve/tools/servers/types.ts";
import { getJson } from "../../api/http.ts";
import { Facts } from "../../parts/facts.tsx";
import { formatBytes, formatDuration, formatTime, plural } from "../../parts/format.ts";
import { ErrorPanel, StatePanel } from "../../parts/state-panel.tsx";
import { VisibleText } from "../../parts/text/visible-text.tsx";
import { AskingState, useAsking } from "../input/use-asking.tsx";
import { ArgumentForm } from "./argument-form.tsx";
import { Contents } from "./contents.tsx";
import { CopyButton } from "./copy-button.tsx";
import { type Place, sourcePath } from "./place.ts";
import { parseUriTemplate } from "./uri-template.ts";
import { useRemembered } from "./use-remembered.ts";
import { MAX_WATCHED, type ServerFeed } from "./use-server.ts";

/** Milliseconds between two reads of a watched resource: one may change without end. */
const READ_AGAIN_MS = 1000;

/** One resource: what is said of it, its content once it is read, its changes; of a template, the form that leads to one. */
export function ResourceDetail({
  place,
  uri,
  isChosen,
  feed,
}: {
  place: Place;
  uri: string;
  /** It was chosen here, so it is read at once. An address that another page links to is only read on request. */
  isChosen: boolean;
  feed: ServerFeed | undefined;
}) {
  const listed = useQuery({
    queryKey: ["resources", place.source, "one", uri],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ uri });
      const { resources } = await getJson<ResourcePage>(`${sourcePath(place.source, "resources")}?${query}`, {
        signal,
      });
      return resources[0] ?? null;
    },
    retry: false,
  });
  if (listed.isError) return <ErrorPanel error={listed.error} retry={() => listed.refetch()} />;
  if (listed.isPending) return <StatePanel kind="loading" title="Loading the resource…" />;
  const summary = listed.data ?? undefined;
  return (
    <>
      <a className="back" href={`${place.href}/resources`}>
        ‹ All resources
      </a>
      <h1 className="tool-title">
        <VisibleText text={summary?.title ?? summary?.name ?? uri} />
      </h1>
      {summary?.description && (
        <p className="text">
          <VisibleText text={summary.description} />
        </p>
      )}
      {summary === undefined && (
        <p className="muted">It is not in the list. A server may have resources that it does not list.</p>
      )}
      <About uri={uri} summary={summary} />
      {summary?.is_cut ? (
        <p className="warning">The address is too long to be asked for from this page.</p>
      ) : summary?.is_template ? (
        <Template place={place} template={uri} />
      ) : (
        <Reading place={place} uri={uri} isChosen={isChosen} feed={feed} />
      )}
    </>
  );
}

function About({ uri, summary }: { uri: string; summary: ResourceSummary | undefined }) {
  const { name, title, mime_type, size, is_template } = summary ?? {};
  return (
    <div className="card">
      <Facts
        facts={[
          [
            is_template ? "Template" : "Address",
            <>
              <code className="break">
                <VisibleText text={uri} />
              </code>{" "}
              <CopyButton what="address" text={() => uri} />
            </>,
          ],
          ...(title !== undefined && name !== undefined
            ? [["Name", <VisibleText key="name" text={name} />] as const]
            : []),
          ...(mime_type === undefined
            ? []
            : [["Type", <VisibleText key="type" text={mime_type} />] as const]),
          ...(size === undefined ? [] : [["Size, as listed", formatBytes(size)] as const]),
        ]}
      />
    </div>
  );
}

function Template({ place, template }: { place: Place; template: string }) {
  const parsed = useMemo(() => parseUriTemplate(template), [template]);
  const read = useRead(place);
  if (parsed === undefined)
    return (
      <p className="warning">
        This is not a template by the standard (RFC 6570), so it cannot be filled in here. Write a whole
        address into the field below the list.
      </p>
    );
  return (
    <>
      <ArgumentForm
        place={place}
        of={{ resource_template: template }}
        argumentsOf={parsed.variables}
        action="Read it"
        isAsking={read.isPending}
        onSubmit={(values) => read.mutate({ uri: parsed.expand(values) })}
        onCancel={read.cancel}
      >
        {(values) => (
          <p className="muted">
            Address:{" "}
            <code className="break">
              <VisibleText text={parsed.expand(values)} />
            </code>
          </p>
        )}
      </ArgumentForm>
      <AskingState asking={read} pending="Reading…" cancelled="Reading was cancelled." />
      {read.data && <ReadContents uri={read.variables!.uri} response={read.data} at={undefined} />}
    </>
  );
}

const useRead = (place: Place, onSuccess?: (response: ReadResponse) => void) =>
  useAsking<{ uri: string }, ReadResponse>(sourcePath(place.source, "read"), onSuccess && { onSuccess });

function Reading({
  place,
  uri,
  isChosen,
  feed,
}: {
  place: Place;
  uri: string;
  isChosen: boolean;
  feed: ServerFeed | undefined;
}) {
  const [last, remember] = useRemembered<ReadResponse>(["read", place.source, uri]);
  const read = useRead(place, remember);
  useEffect(() => {
    if (isChosen) read.mutate({ uri });
  }, [isChosen]);
  const isWatched = feed?.watched.includes(uri) === true;
  const update = feed?.updates.get(uri);
  // What is watched is read again when it has changed, as often as is useful.
  const isStale = update !== undefined && (last === undefined || update.at > last.at) && !read.isPending;
  useEffect(() => {
    if (!isStale || read.isError) return;
    const wait = last === undefined ? 0 : Date.parse(last.at) + READ_AGAIN_MS - Date.now();
    const timer = setTimeout(() => read.mutate({ uri }), Math.max(0, wait));
    return () => clearTimeout(timer);
  }, [isStale, update?.at]);
  return (
    <>
      <div className="row actions read-actions">
        {read.isPending ? (
          <button type="button" className="danger" onClick={read.cancel}>
            Cancel
          </button>
        ) : (
          <button type="button" className="primary" onClick={() => read.mutate({ uri })}>
            {last === undefined ? "Read" : "Read again"}
          </button>
        )}
        {place.watches && feed && (
          <button
            type="button"
            aria-pressed={isWatched}
            disabled={!isWatched && feed.watched.length >= MAX_WATCHED}
            onClick={() => feed.watch(uri, !isWatched)}
          >
            {isWatched ? "Watched" : "Watch"}
          </button>
        )}
        <span role="status" className="muted">
          {isWatched && watchState(feed)}
          {isWatched &&
            update &&
            ` Changed ${plural(update.count, "time")}, last at ${formatTime(update.at)}.`}
        </span>
      </div>
      {isWatched && feed?.watching?.error !== undefined && (
        <p className="error-text">
          <VisibleText text={feed.watching.error} />
        </p>
      )}
      <p role="status" className="visually-hidden">
        {read.data && `Read: ${plural(read.data.contents.length, "content")}.`}
      </p>
      {/* A read that follows a change replaces what is there without taking it away first. */}
      {(last === undefined || !read.isPending || read.questions.length > 0) && (
        <AskingState asking={read} pending="Reading…" cancelled="Reading was cancelled." />
      )}
      {last && <ReadContents uri={uri} response={last.value} at={last.at} />}
    </>
  );
}

function watchState({ watching }: ServerFeed): string {
  if (watching === undefined) return "Asking the server to tell of changes…";
  return watching.error === undefined ? "The server tells of changes." : "It is not watched:";
}

function ReadContents({
  uri,
  response,
  at,
}: {
  uri: string;
  response: ReadResponse;
  at: string | undefined;
}) {
  const { contents, omitted, duration_ms } = response;
  return (
    <section className="card result" aria-label="Content">
      <div className="row spread result-head">
        <h2>
          Content <span className="muted">{formatDuration(duration_ms)}</span>
        </h2>
        <span className="muted">{at !== undefined && `read at ${formatTime(at)}`}</span>
      </div>
      {contents.length === 0 && <p className="muted">The resource is empty: it has no contents.</p>}
      <Contents
        parts={contents}
        omitted={omitted}
        what="content"
        titleOf={({ item }) =>
          item.type !== "resource" || (item.resource.uri === uri && contents.length === 1)
            ? undefined
            : `${item.resource.uri}${item.resource.mimeType === undefined ? "" : ` (${item.resource.mimeType})`}`
        }
      />
    </section>
  );
}
