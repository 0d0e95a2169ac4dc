import type { RunPage } from "@mci-ts/council-server/api";
import { useQuery } from "@tanstack/react-query";
import { getJson } from "../api/http.ts";
import { ErrorPanel, StatePanel } from "../parts/state-panel.tsx";
import { useTitle } from "../parts/use-title.ts";
import { navigate } from "../router.ts";
import { RunContext } from "./run/run-context.ts";
import { RunView } from "./run/run-view.tsx";
import { useRun } from "./run/use-run.ts";
import { useRunDetail } from "./run/use-run-detail.ts";

/** Two runs side by side. */
export function CompareScreen({ left, right }: { left: string; right: string | undefined }) {
  useTitle("Compare");
  const runs = useQuery({ queryKey: ["runs", "latest"], queryFn: () => getJson<RunPage>("runs?limit=100") });
  const choose = (a: string, b: string | undefined) =>
    navigate(
      `/compare/${[a, b]
        .filter((id) => id !== undefined)
        .map((id) => encodeURIComponent(id))
        .join("/")}`,
    );
  const options = runs.data?.runs ?? [];
  return (
    <>
      <h1>Compare two runs</h1>
      <div className="compare">
        <div>
          <Picker label="First run" value={left} options={options} onChange={(id) => choose(id, right)} />
          <Side key={left} id={left} name="first run" />
        </div>
        <div>
          <Picker
            label="Second run"
            value={right ?? ""}
            options={options}
            onChange={(id) => choose(left, id)}
          />
          {right === undefined ? (
            <StatePanel kind="empty" title="Choose a second run." />
          ) : (
            <Side key={right} id={right} name="second run" />
          )}
        </div>
      </div>
    </>
  );
}

function Side({ id, name }: { id: string; name: string }) {
  const { state, connection, events, error } = useRun(id);
  const { context } = useRunDetail(id, name);
  if (error) return <ErrorPanel error={error} />;
  if (events.length === 0) {
    return (
      <StatePanel
        kind={connection === "closed" ? "empty" : "loading"}
        title={connection === "closed" ? "This run has no events." : "Loading…"}
      />
    );
  }
  return (
    <RunContext value={context}>
      <RunView run={state} live={connection === "open"} />
    </RunContext>
  );
}

function Picker({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: string;
  options: RunPage["runs"];
  onChange: (id: string) => void;
}) {
  const isListed = options.some(({ id }) => id === value);
  return (
    <label className="picker">
      {label}
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        {!isListed && <option value={value}>{value || "Choose…"}</option>}
        {options.map(({ id, prompt }) => (
          <option key={id} value={id}>
            {prompt.slice(0, 80)}
          </option>
        ))}
      </select>
    </label>
  );
}
