import { decideAgain, type Redecision, type StoppingRule } from "@mci-ts/council/what-if";
import { useMemo, useState } from "react";
import { formatMoney, formatNumber, plural, words } from "../../../parts/format.ts";
import { ScrollTable } from "../../../parts/lists/scroll-table.tsx";
import { ShortAnswer } from "../result/answer.tsx";
import { useLabel } from "../run-context.ts";
import type { RunState } from "../run-state.ts";
import { type RunVotes, recordedVotes } from "./recorded-votes.ts";

const MAX_K = 10;
const MAX_LANES = 12;

/** From the recorded votes, at no cost: another k, another rule, without a model or a seat, and who would have won. */
export function WhatIf({ run }: { run: RunState }) {
  const label = useLabel();
  const recorded = useMemo(() => recordedVotes(run), [run]);
  const [isOpen, setIsOpen] = useState(false);
  if (recorded.votes.length === 0) return null;
  return (
    <details
      className="card what-if"
      open={isOpen}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>
        <h2>What if</h2> <span className="muted">other settings, decided again from the recorded votes</span>
      </summary>
      {isOpen && <Settings recorded={recorded} label={label} />}
    </details>
  );
}

function Settings({ recorded, label }: { recorded: RunVotes; label: (part: string) => string }) {
  const [kind, setKind] = useState<StoppingRule["kind"]>("ahead");
  const [k, setK] = useState(recorded.k);
  const [without, setWithout] = useState<ReadonlySet<string>>(new Set());
  const votes = recorded.votes.filter(
    ({ model, seat }) => !without.has(model) && !without.has(`seat ${seat}`),
  );
  const decided = decideAgain(votes, { kind, k });
  const sources = sourcesOf(recorded);
  const toggle = (name: string) => setWithout((before) => before.symmetricDifference(new Set([name])));
  return (
    <>
      <div className="row what-if-settings">
        <label>
          Rule{" "}
          <select value={kind} onChange={({ target }) => setKind(target.value as StoppingRule["kind"])}>
            <option value="ahead">First to be ahead by k</option>
            <option value="first">First to k votes</option>
            <option value="majority">Most of the first k votes</option>
          </select>
        </label>
        <label className="grow">
          k = {k}{" "}
          <input
            type="range"
            min={1}
            max={Math.max(MAX_K, recorded.k)}
            value={k}
            aria-valuetext={`k is ${k}`}
            onChange={({ target }) => setK(Number(target.value))}
          />
        </label>
      </div>
      {sources.length > 1 && (
        <fieldset className="what-if-sources">
          <legend>Counted</legend>
          {sources.map(({ name, count }) => (
            <label key={name} className="check">
              <input type="checkbox" checked={!without.has(name)} onChange={() => toggle(name)} /> {name}{" "}
              <span className="muted">{plural(count, "vote")}</span>
            </label>
          ))}
        </fieldset>
      )}
      <Outcome decided={decided} recorded={recorded} label={label} />
      <Table recorded={recorded} votes={votes} kind={kind} current={k} />
    </>
  );
}

function Outcome({
  decided,
  recorded,
  label,
}: {
  decided: Redecision;
  recorded: RunVotes;
  label: (part: string) => string;
}) {
  const { winner, undecided, used, lanes, need } = decided;
  const most = Math.max(1, ...lanes.map((lane) => lane.votes));
  return (
    <section aria-label={label("Decided again")}>
      <p className="standing" role="status">
        {winner === null
          ? `Undecided after ${plural(used, "vote")}: ${words(undecided ?? "")}.${need > 0 ? ` A real run would ask for at least ${need} more.` : ""}`
          : `“${winner.slice(0, 200)}” wins after ${plural(used, "vote")}${winner === recorded.winner ? ", as it did" : recorded.winner === undefined ? ", where the run decided nothing" : ": another answer than the run's"}.`}
      </p>
      <ol className="lanes">
        {lanes.slice(0, MAX_LANES).map(({ key, votes }) => (
          <li key={key} className={`lane ${winner === key ? "won" : ""}`}>
            <div className="lane-label">
              <span className="lane-answer">
                <ShortAnswer answer={key} />
              </span>
              <span className="lane-votes">{plural(votes, "vote")}</span>
            </div>
            <div className="track" aria-hidden="true">
              <span className="bar" style={{ width: `${(votes / most) * 100}%` }} />
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What every k would have decided, and for how much: the cheapest that decides the same stands out. */
function Table({
  recorded,
  votes,
  kind,
  current,
}: {
  recorded: RunVotes;
  votes: RunVotes["votes"];
  kind: StoppingRule["kind"];
  current: number;
}) {
  const rows = Array.from({ length: Math.max(MAX_K, recorded.k) }, (_, index) => {
    const k = index + 1;
    return { k, ...decideAgain(votes, { kind, k }) };
  });
  return (
    <ScrollTable label="Every k" columns={["k", "Winner", "Votes", "Cost"]} numeric={["Votes", "Cost"]}>
      {rows.map(({ k, winner, used, undecided }) => (
        <tr key={k} aria-current={k === current ? "true" : undefined}>
          <th scope="row">{k}</th>
          <td>
            {winner === null ? (
              <span className="muted">{words(undecided ?? "")}</span>
            ) : (
              <bdi>{winner.slice(0, 80)}</bdi>
            )}
            {winner !== null && winner === recorded.winner && <span className="badge complete">same</span>}
          </td>
          <td className="number">{formatNumber(used)}</td>
          <td className="number">
            {formatMoney(
              recorded.costUpTo(votes[used - 1]?.call),
              recorded.isSimulated ? "simulated" : null,
              true,
            )}
          </td>
        </tr>
      ))}
    </ScrollTable>
  );
}

function sourcesOf({ votes }: RunVotes): readonly { readonly name: string; readonly count: number }[] {
  const names = votes.flatMap(({ model, seat }) => (seat === undefined ? [model] : [model, `seat ${seat}`]));
  return [...Map.groupBy(names, (name) => name)].map(([name, all]) => ({ name, count: all.length }));
}
