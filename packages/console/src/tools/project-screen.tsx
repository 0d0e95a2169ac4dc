import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ServerList } from "../../serve/tools/servers/types.ts";
import type { ServerState, VariableList } from "../../serve/tools/types.ts";
import { getJson } from "../api/http.ts";
import { plural, words } from "../parts/format.ts";
import { ErrorPanel, StatePanel } from "../parts/state-panel.tsx";
import { useTitle } from "../parts/use-title.ts";
import { ProtocolLog } from "./protocol-log.tsx";
import { FILE, serverHref } from "./servers/place.ts";
import { SERVER_STATES, Stderr } from "./servers/server-state.tsx";
import { useToolEvents } from "./use-tool-events.ts";
import { Variables } from "./variables.tsx";

/** What the file needs from outside: variables, never their values, and MCP servers with what was said to them. */
export function ProjectScreen() {
  useToolEvents();
  useTitle("Variables and servers");
  const variables = useQuery({
    queryKey: ["variables"],
    queryFn: () => getJson<VariableList>("api/variables"),
  });
  const servers = useQuery({
    queryKey: ["servers"],
    queryFn: () => getJson<ServerList>("api/servers"),
    // What they print arrives without an event.
    refetchInterval: 2000,
  });
  return (
    <>
      <h1>Variables and servers</h1>
      <section className="card" aria-labelledby="variables-title">
        <h2 id="variables-title">Variables</h2>
        {variables.isError && <ErrorPanel error={variables.error} retry={() => variables.refetch()} />}
        {variables.isPending && <StatePanel kind="loading" title="Loading…" />}
        {variables.data?.variables.length === 0 && (
          <StatePanel kind="empty" title="The file needs no variables." />
        )}
        {variables.data && variables.data.variables.length > 0 && <Variables {...variables.data} />}
      </section>
      <section className="card" aria-labelledby="servers-title">
        <h2 id="servers-title">MCP servers</h2>
        {servers.isError && <ErrorPanel error={servers.error} retry={() => servers.refetch()} />}
        {servers.isPending && <StatePanel kind="loading" title="Loading…" />}
        {servers.data?.servers.length === 0 && (
          <StatePanel kind="empty" title="The file has no MCP servers." />
        )}
        <ul className="servers">
          {servers.data?.servers.map((server) => (
            <Server key={server.name} server={server} />
          ))}
        </ul>
      </section>
      {servers.data && <OwnContent own={servers.data.own} />}
    </>
  );
}

/** Only where there is something. */
function OwnContent({ own: { resources, templates, prompts } }: Pick<ServerList, "own">) {
  if (resources + templates + prompts === 0) return null;
  return (
    <section className="card" aria-labelledby="own-title">
      <h2 id="own-title">Of the file itself</h2>
      <p className="row">
        <a href={`${FILE.href}/resources`}>{plural(resources + templates, "resource")}</a>
        <a href={`${FILE.href}/prompts`}>{plural(prompts, "prompt")}</a>
      </p>
    </section>
  );
}

function Server({ server }: { server: ServerState }) {
  const { name, state, tools, message } = server;
  const [badge, hint] = SERVER_STATES[state];
  const queries = useQueryClient();
  const restart = useMutation({
    mutationFn: () => getJson(`api/servers/${encodeURIComponent(name)}/restart`, { body: {} }),
    onSettled: () => {
      for (const key of ["servers", "tools", "server log"]) queries.invalidateQueries({ queryKey: [key] });
    },
  });
  return (
    <li>
      <div className="row">
        <a className="tool-name" href={serverHref(name)}>
          <bdi>{name}</bdi>
        </a>
        <span className={`badge ${badge}`}>{words(state)}</span>
        {tools > 0 ? (
          <a href={`#/tools?source=${encodeURIComponent(`mcp:${name}`)}`}>{plural(tools, "tool")}</a>
        ) : (
          <span className="muted">no tools</span>
        )}
        <span className="muted">{hint}</span>
        <button
          type="button"
          className="quiet"
          aria-label={`Restart ${name}`}
          disabled={restart.isPending}
          onClick={() => restart.mutate()}
        >
          {restart.isPending ? "Restarting…" : "Restart"}
        </button>
        <span role="status" className="muted">
          {restart.isSuccess && "Restarted."}
        </span>
      </div>
      {restart.isError && <ErrorPanel error={restart.error} />}
      {message && (
        <pre className="plain error-text" tabIndex={0}>
          {message}
        </pre>
      )}
      <Stderr server={server} />
      <ProtocolLog server={name} />
    </li>
  );
}
