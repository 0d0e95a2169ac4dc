import type { Run, RunPage } from "@mci-ts/council-server/api";
import { useQuery } from "@tanstack/react-query";
import { getJson } from "../api/http.ts";
import { type DiffPart, diffWords } from "../parts/diff/diff.ts";
import { DiffView } from "../parts/diff/diff-view.tsx";
import { Facts } from "../parts/facts.tsx";
import { formatDate, formatMoney, formatNumber, words } from "../parts/format.ts";
import { ScrollTable } from "../parts/lists/scroll-table.tsx";
import { ErrorPanel, StatePanel } from "../parts/state-panel.tsx";
import { useTitle } from "../parts/use-title.ts";
import { navigate } from "../router.ts";
import { useRunDetail } from "./run/calls/use-run-detail.ts";
import { RunContext } from "./run/run-context.ts";
import { RunView } from "./run/run-view.tsx";
import { useRun } from "./run/use-run.ts";

/** Two runs: what differs between them, then both side by side. */
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
        <Picker label="First run" value={left} options={options} onChange={(id) => choose(id, right)} />
        <Picker
          label="Second run"
          value={right ?? ""}
          options={options}
          onChange={(id) => choose(left, id)}
        />
      </div>
      {right !== undefined && <Differences left={left} right={right} />}
      <div className="compare">
        <div>
          <SideTitle id={left}>First run</SideTitle>
          <Side key={left} id={left} name="first run" />
        </div>
        <div>
          {right === undefined ? (
            <StatePanel kind="empty" title="Choose a second run." />
          ) : (
            <>
              <SideTitle id={right}>Second run</SideTitle>
              <Side key={right} id={right} name="second run" />
            </>
          )}
        </div>
      </div>
    </>
  );
}

function SideTitle({ id, children }: { id: string; children: string }) {
  return (
    <div className="row spread">
      <h2>{children}</h2>
      <a href={`#/runs/${encodeURIComponent(id)}`} aria-label={`Open the ${children.toLowerCase()}`}>
        Open
      </a>
    </div>
  );
}

/** What differs: the answers, what was asked with which settings, the votes, the proposals. */
function Differences({ left, right }: { left: string; right: string }) {
  const { detail: a } = useRunDetail(left);
  const { detail: b } = useRunDetail(right);
  if (!a || !b) return <StatePanel kind="loading" title="Loading…" />;
  const [one, two] = [metadataOf(a), metadataOf(b)];
  const seats = seatNumbers(one, two);
  return (
    <section className="card differences" aria-label="Differences">
      <h2>Differences</h2>
      <Difference name="Answer" parts={diffWords(text(one?.answer), text(two?.answer))} />
      <Difference name="Prompt" parts={diffWords(a.prompt, b.prompt)} />
      <h3>Settings</h3>
      <DiffView label="Difference of Settings" before={json(settings(a))} after={json(settings(b))} />
      <VoteTable left={one?.voting?.votes ?? {}} right={two?.voting?.votes ?? {}} />
      {seats.map((seat) => (
        <Difference
          key={seat}
          name={`Proposal of seat ${seat}`}
          parts={diffWords(proposal(one, seat), proposal(two, seat))}
          isFolded
        />
      ))}
      <Figures left={a} right={b} />
    </section>
  );
}

function Difference({
  name,
  parts,
  isFolded = false,
}: {
  name: string;
  parts: readonly DiffPart[];
  isFolded?: boolean;
}) {
  const isSame = parts.every(({ kind }) => kind === "same");
  if (isSame)
    return (
      <p className="muted">
        {name}: {parts.length === 0 ? "none in either" : "the same"}
      </p>
    );
  const body = (
    <p className={parts.some(({ kind }) => kind === "same") ? "diff" : "diff whole"} dir="auto">
      {parts.map(({ kind, text: piece }, index) =>
        kind === "same" ? (
          <span key={index}>{piece}</span>
        ) : kind === "added" ? (
          <ins key={index}>{piece}</ins>
        ) : (
          <del key={index}>{piece}</del>
        ),
      )}
    </p>
  );
  if (!isFolded)
    return (
      <>
        <h3>{name}</h3>
        {body}
      </>
    );
  return (
    <details>
      <summary>{name}: differs</summary>
      {body}
    </details>
  );
}

function VoteTable({
  left,
  right,
}: {
  left: Readonly<Record<string, number>>;
  right: Readonly<Record<string, number>>;
}) {
  const answers = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  if (answers.length === 0) return null;
  return (
    <>
      <h3>Votes</h3>
      <ScrollTable
        label="Votes of both runs"
        columns={["Answer", "First run", "Second run"]}
        numeric={["First run", "Second run"]}
      >
        {answers.map((answer) => (
          <tr key={answer} className={left[answer] === right[answer] ? undefined : "differs"}>
            <th scope="row">
              <bdi>{answer.slice(0, 200)}</bdi>
            </th>
            <td className="number">{formatNumber(left[answer] ?? 0)}</td>
            <td className="number">{formatNumber(right[answer] ?? 0)}</td>
          </tr>
        ))}
      </ScrollTable>
    </>
  );
}

function Figures({ left, right }: { left: Run; right: Run }) {
  const rows = [
    ["Status", words(left.status), words(right.status)],
    ["Calls", left.calls ?? "–", right.calls ?? "–"],
    ["Cost", formatMoney(left.cost_usd, left.cost_source), formatMoney(right.cost_usd, right.cost_source)],
    ["Model", left.model ?? "–", right.model ?? "–"],
  ] as const;
  return <Facts facts={rows.map(([name, a, b]) => [name, a === b ? a : `${a} → ${b}`])} />;
}

const metadataOf = ({ response }: Run) =>
  response && "metadata" in response ? response.metadata : undefined;
const text = (value: unknown) =>
  value === undefined || value === null ? "" : typeof value === "string" ? value : json(value);
const json = (value: unknown) => JSON.stringify(value ?? {}, undefined, 2);
const settings = ({ request, tool }: Run) => ({
  tool,
  intent: request?.intent,
  config: request?.config,
  context: request?.context,
});
type Metadata = ReturnType<typeof metadataOf>;
const proposal = (metadata: Metadata, seat: number) =>
  metadata?.council?.proposals.find((each) => each.seat === seat)?.proposal ?? "";
const seatNumbers = (...all: readonly Metadata[]) =>
  [
    ...new Set(all.flatMap((metadata) => metadata?.council?.proposals.map(({ seat }) => seat) ?? [])),
  ].toSorted((a, b) => a - b);

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
  // An older run than those of the list is named, too.
  const own = useQuery({
    queryKey: ["run", value],
    enabled: value !== "" && options.length > 0 && !isListed,
    queryFn: () => getJson<Run>(`runs/${encodeURIComponent(value)}`),
  });
  return (
    <label className="picker">
      {label}
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        {!isListed && <option value={value}>{own.data ? describeRun(own.data) : value || "Choose…"}</option>}
        {options.map((run) => (
          <option key={run.id} value={run.id}>
            {describeRun(run)}
          </option>
        ))}
      </select>
    </label>
  );
}

function describeRun({ prompt, status, answer, started_at }: RunPage["runs"][number]): string {
  const winner = answer === null ? [] : [answer.slice(0, 40)];
  return [formatDate(started_at), words(status), ...winner, prompt.slice(0, 60)].join(" · ");
}
