import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ServerState, VariableList } from "../../serve/tools/types.ts";
import { getJson } from "../api/http.ts";
import { plural, words } from "../parts/format.ts";
import { ErrorPanel, StatePanel } from "../parts/state-panel.tsx";
import { useTitle } from "../parts/use-title.ts";
import { ProtocolLog } from "./protocol-log.tsx";
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
    queryFn: async () => (await getJson<{ servers: readonly ServerState[] }>("api/servers")).servers,
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
        {servers.data?.length === 0 && <StatePanel kind="empty" title="The file has no MCP servers." />}
        <ul className="servers">
          {servers.data?.map((server) => (
            <Server key={server.name} server={server} />
          ))}
        </ul>
      </section>
    </>
  );
}

/** Colour and explanation of each state. */
const SERVER_STATES: Readonly<Record<ServerState["state"], readonly [badge: string, hint: string]>> = {
  connected: ["succeeded", ""],
  closed: ["", "idle; the next call starts it again"],
  not_started: ["", "its tools are from the cached list; the first call starts it"],
  failed: ["failed", ""],
};

function Server({ server: { name, state, tools, message, stderr } }: { server: ServerState }) {
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
        <bdi className="tool-name">{name}</bdi>
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
      {stderr && (
        <details open>
          <summary>What it printed last (stderr)</summary>
          <pre className="plain" tabIndex={0} role="region" aria-label={`stderr of ${name}`}>
            {stderr}
          </pre>
        </details>
      )}
      <ProtocolLog server={name} />
    </li>
  );
}
