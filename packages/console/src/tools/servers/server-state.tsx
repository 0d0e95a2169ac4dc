import type { ServerState } from "../../../serve/tools/types.ts";
import { definitionHref } from "./place.ts";

/** Colour and explanation of each state. */
export const SERVER_STATES: Readonly<Record<ServerState["state"], readonly [badge: string, hint: string]>> = {
  connected: ["succeeded", ""],
  closed: ["", "idle; the next call starts it again"],
  not_started: ["", "its tools are from the cached list; the first call starts it"],
  failed: ["failed", ""],
};

const HINTS: Readonly<Partial<Record<ServerState["state"], string>>> = {
  not_started:
    "It has not been started: the lists here are those of an earlier session. “Ping” on the overview, or any request, starts it.",
  closed:
    "Its session has ended: it was idle, was restarted, or its program has ended. The next request begins another; the lists here are those it had.",
};

/** Why something of the server is missing, and what to do about it. Nothing if all is well. */
export function ServerProblem({ server }: { server: ServerState }) {
  const { state, message } = server;
  const hint = HINTS[state];
  if (state !== "failed" && message === undefined)
    return hint === undefined ? null : <p className="muted">{hint}</p>;
  return (
    <section className="card failed" aria-label="What is wrong">
      <p className="error-text">
        {state === "failed"
          ? "The server could not be started or asked, so it offers nothing here."
          : "Not everything of this server could be loaded."}
      </p>
      <pre className="plain error-text" tabIndex={0}>
        {message}
      </pre>
      <Stderr server={server} />
      <p className="muted">
        “Restart” on the overview tries again. Its settings are in{" "}
        <a href={definitionHref(server.name)}>the file</a>; variables that it needs are under{" "}
        <a href="#/project">Variables and servers</a>.
      </p>
    </section>
  );
}

/** The end of what its process printed. */
export function Stderr({ server: { name, stderr } }: { server: ServerState }) {
  if (!stderr) return null;
  return (
    <details open>
      <summary>What it printed last (stderr)</summary>
      <pre className="plain" tabIndex={0} role="region" aria-label={`stderr of ${name}`}>
        {stderr}
      </pre>
    </details>
  );
}
