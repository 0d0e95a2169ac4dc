import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ServerDetail } from "../../../serve/tools/servers/types.ts";
import { getJson } from "../../api/http.ts";
import { type Fact, Facts } from "../../parts/facts.tsx";
import { formatDuration, formatTime, plural } from "../../parts/format.ts";
import { JsonView } from "../../parts/json/json-view.tsx";
import { ErrorPanel } from "../../parts/state-panel.tsx";
import { VisibleText } from "../../parts/text/visible-text.tsx";
import { definitionHref, serverPath } from "./place.ts";

const TRANSPORTS: Readonly<Record<ServerDetail["transport"], string>> = {
  stdio: "a program of this machine (stdio)",
  http: "HTTP",
  sse: "HTTP, the older SSE",
};

/** What a server says of itself, whether it responds, and what can be done with its session. */
export function Overview({ server }: { server: ServerDetail }) {
  const { identity, instructions } = server;
  return (
    <>
      <Actions server={server} />
      <section className="card server-about" aria-labelledby="about-title">
        <h2 id="about-title">About the server</h2>
        {identity === undefined && (
          <p className="muted">
            It has had no session yet. “Ping” begins one, and shows what it says of itself.
          </p>
        )}
        <Facts facts={factsOf(server)} />
        {identity?.capabilities !== undefined && Object.keys(identity.capabilities).length > 0 && (
          <details>
            <summary>Capabilities, as it declares them</summary>
            <JsonView value={identity.capabilities} />
          </details>
        )}
      </section>
      {instructions !== undefined && (
        <section className="card" aria-labelledby="instructions-title">
          <h2 id="instructions-title">Instructions</h2>
          <p className="muted">What the server says to the model. Its own words, checked by nobody:</p>
          <blockquote className="text">
            <VisibleText text={instructions} />
          </blockquote>
        </section>
      )}
    </>
  );
}

function factsOf({ identity, transport, counts, tools }: ServerDetail): readonly Fact[] {
  const text = (name: string, value: string | undefined): readonly Fact[] =>
    value === undefined ? [] : [[name, <VisibleText key={name} text={value} />]];
  const { resources, templates, prompts, skills } = counts;
  return [
    ...text("Name", identity?.name),
    ...text("Title", identity?.title),
    ...text("Version", identity?.version),
    ...text("Revision of MCP", identity?.protocolVersion),
    ["Transport", TRANSPORTS[transport]],
    ...text("Capabilities", identity?.capabilities && capabilitiesOf(identity.capabilities)),
    [
      "Offers",
      [
        plural(tools, "tool"),
        plural(resources, "resource"),
        plural(templates, "template"),
        plural(prompts, "prompt"),
        ...(skills > 0 ? [plural(skills, "skill")] : []),
      ].join(", "),
    ],
  ];
}

/** `resources (subscribe, listChanged), logging` */
function capabilitiesOf(capabilities: Readonly<Record<string, unknown>>): string {
  const written = Object.entries(capabilities).map(([name, value]) => {
    const parts =
      typeof value === "object" && value !== null
        ? Object.entries(value).flatMap(([part, isOn]) => (isOn === false ? [] : [part]))
        : [];
    return parts.length === 0 ? name : `${name} (${parts.join(", ")})`;
  });
  return written.length === 0 ? "none" : written.join(", ");
}

function Actions({ server: { name } }: { server: ServerDetail }) {
  const queries = useQueryClient();
  const refresh = () => {
    for (const key of ["server", "servers", "tools", "tool", "resources", "prompts", "server log"])
      queries.invalidateQueries({ queryKey: [key] });
  };
  const action = <T,>(what: string) => ({
    mutationFn: async () => ({
      result: await getJson<T>(serverPath(name, what), { body: {} }),
      at: new Date().toISOString(),
    }),
    onSettled: refresh,
  });
  const ping = useMutation(action<{ duration_ms: number }>("ping"));
  const restart = useMutation(action<unknown>("restart"));
  const reload = useMutation(action<ServerDetail>("refresh"));
  const isPending = ping.isPending || restart.isPending || reload.isPending;
  const button = (
    label: string,
    pending: string,
    { isPending: isThis, mutate }: typeof ping | typeof restart,
  ) => (
    <button type="button" disabled={isPending} onClick={() => mutate()}>
      {isThis ? pending : label}
    </button>
  );
  const failed = [ping, restart, reload].find(({ isError }) => isError);
  return (
    <section className="card" aria-label="Session">
      <div className="row">
        {button("Ping", "Waiting…", ping)}
        {button("Restart", "Restarting…", restart)}
        {button("Load its lists again", "Loading…", reload)}
        <a className="button" href={definitionHref(name)}>
          Definition in the file
        </a>
        <span role="status" className="muted">
          {!isPending && lastOf(ping.data, restart.data, reload.data)}
        </span>
      </div>
      {failed !== undefined && !isPending && <ErrorPanel error={failed.error} />}
    </section>
  );
}

type Done<T> = { readonly result: T; readonly at: string } | undefined;

/** The text about what was done last. */
function lastOf(ping: Done<{ duration_ms: number }>, restart: Done<unknown>, reload: Done<unknown>): string {
  const all = [
    ...(ping ? [[ping.at, `It responded in ${formatDuration(ping.result.duration_ms)}`] as const] : []),
    ...(restart ? [[restart.at, "Restarted"] as const] : []),
    ...(reload ? [[reload.at, "Its lists were loaded"] as const] : []),
  ];
  const [last] = all.toSorted(([one], [other]) => (one < other ? 1 : -1));
  return last === undefined ? "" : `${last[1]}, at ${formatTime(last[0])}.`;
}
