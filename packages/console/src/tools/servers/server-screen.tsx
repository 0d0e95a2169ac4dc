import type { ServerDetail } from "../../../serve/tools/servers/types.ts";
import { ApiError } from "../../api/http.ts";
import { formatTime, words } from "../../parts/format.ts";
import { ErrorPanel, StatePanel } from "../../parts/state-panel.tsx";
import { useTitle } from "../../parts/use-title.ts";
import { ProtocolLog } from "../protocol-log.tsx";
import { LogMessages } from "./log-messages.tsx";
import { Overview } from "./overview.tsx";
import { type Place, serverHref } from "./place.ts";
import { Prompts } from "./prompts.tsx";
import { Resources } from "./resources.tsx";
import { SERVER_STATES, ServerProblem, Stderr } from "./server-state.tsx";
import { type ServerFeed, useServer, useServerFeed } from "./use-server.ts";
import "../../styles/servers.css";

/** One MCP server: `#/servers/NAME`, and its parts behind that. */
export function ServerScreen({ name, path }: { name: string; path: readonly string[] }) {
  const server = useServer(name);
  const [part = "", open] = path;
  useTitle(part === "" ? name : `${name}: ${part}`);
  const isGone = server.error instanceof ApiError && server.error.status === 404;
  if (isGone || (server.isError && !server.data))
    return (
      <>
        <a href="#/project">‹ All servers</a>
        <h1 className="tool-title">
          <bdi>{name}</bdi>
        </h1>
        {isGone ? (
          <StatePanel kind="empty" title="The file has no MCP server of this name, or has none any more.">
            <p>
              <a href="#/file">Look at the file</a>
            </p>
          </StatePanel>
        ) : (
          <ErrorPanel error={server.error} retry={() => server.refetch()} />
        )}
      </>
    );
  if (!server.data) return <StatePanel kind="loading" title="Loading the server…" />;
  return <KnownServer server={server.data} part={part} open={open} />;
}

function KnownServer({
  server,
  part,
  open,
}: {
  server: ServerDetail;
  part: string;
  open: string | undefined;
}) {
  const { name, state, identity, counts, tools } = server;
  const feed = useServerFeed(name);
  const [badge] = SERVER_STATES[state];
  const has = (capability: string) =>
    identity?.capabilities === undefined || Object.hasOwn(identity.capabilities, capability);
  const { subscribe } = (identity?.capabilities?.["resources"] ?? {}) as { subscribe?: unknown };
  const place: Place = {
    source: `mcp:${name}`,
    href: serverHref(name),
    offers: { resources: has("resources"), prompts: has("prompts") },
    completes: has("completions"),
    watches: identity?.capabilities === undefined || subscribe === true,
  };
  const parts = [
    ["", "Overview"],
    ["resources", `Resources (${counts.resources + counts.templates})`],
    ["prompts", `Prompts (${counts.prompts})`],
    ["log", "Log"],
  ] as const;
  // A screen has one title: that of what is open, where something is.
  const Heading = open === undefined ? "h1" : "h2";
  return (
    <>
      <a href="#/project">‹ All servers</a>
      <div className="row server-head">
        <Heading key={part} className="tool-title">
          <bdi>{name}</bdi>
        </Heading>
        <span className={`badge ${badge}`}>{words(state)}</span>
      </div>
      <nav className="row server-parts" aria-label="Parts of the server">
        {parts.map(([path, label]) => (
          <a
            key={path}
            className="button"
            href={path === "" ? place.href : `${place.href}/${path}`}
            aria-current={path === part ? "page" : undefined}
          >
            {label}
          </a>
        ))}
        <a className="button" href={`#/tools?${new URLSearchParams({ source: place.source })}`}>
          Tools ({tools})
        </a>
      </nav>
      <ServerProblem server={server} />
      <p className="muted" role="status">
        {feed.changed && changeOf(feed.changed)}
      </p>
      <Part server={server} place={place} part={part} open={open} feed={feed} />
    </>
  );
}

function Part({
  server,
  place,
  part,
  open,
  feed,
}: {
  server: ServerDetail;
  place: Place;
  part: string;
  open: string | undefined;
  feed: ServerFeed;
}) {
  switch (part) {
    case "":
      return <Overview server={server} />;
    case "resources":
      return <Resources place={place} open={open} feed={feed} />;
    case "prompts":
      return <Prompts place={place} open={open} />;
    case "log":
      return (
        <>
          <LogMessages server={server} log={feed.log} />
          <section className="card" aria-label="What the session said">
            <Stderr server={server} />
            <ProtocolLog server={server.name} />
          </section>
        </>
      );
    default:
      return <StatePanel kind="empty" title="There is no such part of a server." />;
  }
}

function changeOf({ kinds, at }: NonNullable<ServerFeed["changed"]>): string {
  return `The server changed its ${kinds.join(", ")} at ${formatTime(at)}; what is here is new.`;
}
