import { plural, words } from "../parts/format.ts";
import { useLabel } from "./run-name.ts";
import type { Call, Race as RaceState, RunState } from "./run-state.ts";

/** Lanes shown before the rest is folded into one line. */
const MAX_LANES = 12;

/**
 * The vote as a race: one lane per answer, one dot per vote. The finish line stands k votes beyond the runner-up, so it moves
 * away when a rival catches up, and the first lane to reach it wins.
 */
export function Race({ run, race }: { run: RunState; race: RaceState }) {
  const label = useLabel();
  const finish = race.runnerUpVotes + race.k;
  const scale = Math.max(finish, race.leaderVotes) + 0.5;
  const shown = race.lanes.slice(0, MAX_LANES);
  const rest = race.lanes.slice(MAX_LANES);
  return (
    <section className="card race" aria-label={label("The vote")}>
      <h2>The vote</h2>
      <p className="standing" role="status">
        {standing(race, run)}
      </p>
      <ol className="lanes">
        {shown.map(({ answer, calls }, place) => (
          <li key={answer} className={laneClass(race, answer, place)}>
            <div className="lane-label">
              <bdi className="lane-answer" title={answer}>
                {answer}
              </bdi>
              <span className="lane-votes">{plural(calls.length, "vote")}</span>
            </div>
            <div className="track" aria-hidden="true">
              <span className="bar" style={{ width: `${(calls.length / scale) * 100}%` }}>
                {calls.length <= 60 &&
                  calls.map((call) => <i key={call} className="dot" title={`Call ${call}`} />)}
              </span>
              <span className="finish" style={{ left: `${(finish / scale) * 100}%` }} />
            </div>
          </li>
        ))}
        {race.lanes.length === 0 && (
          <li className="lane empty-lane">
            <div className="lane-label">
              <span className="muted">No vote counted yet</span>
            </div>
            <div className="track" aria-hidden="true">
              <span className="finish" style={{ left: `${(finish / scale) * 100}%` }} />
            </div>
          </li>
        )}
      </ol>
      {rest.length > 0 && (
        <p className="muted">
          and {plural(rest.length, "more answer")} with{" "}
          {plural(
            rest.reduce((sum, { calls }) => sum + calls.length, 0),
            "vote",
          )}
        </p>
      )}
      <p className="legend muted">
        <span className="finish-sample" aria-hidden="true" /> Finish line: {race.k} ahead of the runner-up.{" "}
        {race.options.length > 0 && <>Options: {race.options.join(", ")}.</>}
      </p>
      <Discarded calls={[...run.calls.values()]} />
    </section>
  );
}

function standing(race: RaceState, run: RunState): string {
  const inFlight = [...run.calls.values()].filter(
    ({ state }) => state === "in_flight" || state === "retrying",
  ).length;
  const waiting = inFlight > 0 ? ` ${plural(inFlight, "call")} in flight.` : "";
  if (race.winner !== undefined) return `“${race.winner}” won: ${race.leaderVotes} to ${race.runnerUpVotes}.`;
  if (race.undecided !== undefined)
    return `Undecided: ${words(race.undecided)}. Leading: “${race.leader ?? "none"}”.`;
  if (race.leader === null) return `First to be ${race.k} ahead wins.${waiting}`;
  const lead = race.leaderVotes - race.runnerUpVotes;
  const position = lead === 0 ? "Level" : `“${race.leader}” leads by ${lead}`;
  return `${position}. ${plural(race.need, "more vote")} in a row ${race.need === 1 ? "decides" : "decide"}.${waiting}`;
}

function laneClass(race: RaceState, answer: string, place: number): string {
  if (race.winner === answer) return "lane won";
  return place === 0 && race.leader === answer ? "lane leads" : "lane";
}

/** What was thrown away, and why: one entry per rule. */
function Discarded({ calls }: { calls: readonly Call[] }) {
  const flagged = calls.filter(({ flag }) => flag !== undefined);
  if (flagged.length === 0) return null;
  const rules = Map.groupBy(flagged, ({ flag }) => flag!.rule);
  return (
    <details className="discarded">
      <summary>
        {plural(flagged.length, "reply", "replies")} discarded:{" "}
        {[...rules].map(([rule, { length }]) => `${words(rule)} (${length})`).join(", ")}
      </summary>
      <ul>
        {flagged.map(({ call, model, flag }) => (
          <li key={call}>
            Call {call}, {model}: {flag!.reason}
          </li>
        ))}
      </ul>
    </details>
  );
}
