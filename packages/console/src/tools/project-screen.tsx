import { useQuery } from "@tanstack/react-query";
import type { ServerState, VariableState } from "../../serve/tools/types.ts";
import { getJson } from "../api/http.ts";
import { plural, words } from "../parts/format.ts";
import { ErrorPanel, StatePanel } from "../parts/state-panel.tsx";
import { useTitle } from "../parts/use-title.ts";
import { useToolEvents } from "./use-tool-events.ts";

/** What the file needs from outside: variables, never their values, and MCP servers. */
export function ProjectScreen() {
  useToolEvents();
  useTitle("Variables and servers");
  const variables = useQuery({
    queryKey: ["variables"],
    queryFn: async () => (await getJson<{ variables: readonly VariableState[] }>("api/variables")).variables,
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
        {variables.data?.length === 0 && <StatePanel kind="empty" title="The file needs no variables." />}
        {variables.data && variables.data.length > 0 && <Variables variables={variables.data} />}
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
const VARIABLE_STATES: Readonly<Record<VariableState["state"], readonly [badge: string, hint: string]>> = {
  set: ["succeeded", "has a value"],
  empty: ["partial", "is set to nothing, which counts as a value"],
  missing: ["failed", "tools that need it fail"],
  optional: ["", "not set; everything that uses it goes on without it"],
};

function Variables({ variables }: { variables: readonly VariableState[] }) {
  const hasSource = variables.some(({ source }) => source !== undefined);
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label="List of variables">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">State</th>
            {hasSource && <th scope="col">From</th>}
            <th scope="col">Used by</th>
          </tr>
        </thead>
        <tbody>
          {variables.map(({ name, state, source, used_by }) => (
            <tr key={name}>
              <td>
                <code>{name}</code>
              </td>
              <td>
                <span className={`badge ${VARIABLE_STATES[state][0]}`}>{state}</span>{" "}
                <span className="muted">{VARIABLE_STATES[state][1]}</span>
              </td>
              {hasSource && <td>{source}</td>}
              <td>{used_by.join(", ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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
      </div>
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
    </li>
  );
}
