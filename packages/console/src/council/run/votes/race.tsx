import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { formatNumber, plural, words } from "../../../parts/format.ts";
import { ShortAnswer } from "../result/answer.tsx";
import { answerText } from "../result/answer-fields.ts";
import { useAnswerSchema, useLabel } from "../run-context.ts";
import type { Lane as LaneState, Race as RaceState, RunState } from "../run-state.ts";
import { Discarded } from "./discarded.tsx";

/** Lanes shown before the rest is folded into one line. */
const MAX_LANES = 12;
/** Votes on the track up to which each one is a dot. */
const MAX_DOTS = 60;

/**
 * The vote as a race: one lane per answer, one dot per vote. The finish line stands k votes beyond the runner-up, so it moves
 * away when a rival catches up, and the first lane to reach it wins.
 */
export function Race({ run, race }: { run: RunState; race: RaceState }) {
  const label = useLabel();
  const finish = race.runnerUpVotes + race.k;
  const scale = Math.max(finish, race.leaderVotes) + 0.5;
  const lanes = race.lanes.slice(0, MAX_LANES);
  const rest = race.lanes.slice(MAX_LANES);
  const list = useRef<HTMLOListElement>(null);
  useMovingRows(list, lanes.map(({ answer }) => answer).join("\n"));
  const isOver = race.winner !== undefined || race.undecided !== undefined;
  const at = `${(finish / scale) * 100}%`;
  return (
    <section className="card race" aria-label={label("The vote")}>
      <h2>The vote</h2>
      <Standing race={race} run={run} />
      <p className="finish-label" aria-hidden="true">
        <span style={{ right: `${100 - (finish / scale) * 100}%` }}>
          {isOver ? "finish" : "wins here"}: {plural(finish, "vote")}
        </span>
      </p>
      <ol className="lanes" ref={list}>
        {lanes.map((lane, place) => (
          <Lane key={lane.answer} race={race} lane={lane} place={place} scale={scale} finish={at} />
        ))}
        {race.lanes.length === 0 && (
          <li className="lane">
            <div className="lane-label">
              <span className="muted">No vote counted yet</span>
            </div>
            <div className="track" aria-hidden="true">
              <span className="finish" style={{ left: at }} />
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
      <Discarded calls={[...run.calls.values()]} />
      <p className="legend muted">
        <span className="finish-sample" aria-hidden="true" /> The first answer that is{" "}
        {plural(race.k, "vote")} ahead of the runner-up wins.
        {!isOver && race.need > 0 && " Hollow dots: what the leader still needs."}
      </p>
    </section>
  );
}

function Lane({
  race,
  lane: { answer, calls },
  place,
  scale,
  finish,
}: {
  race: RaceState;
  lane: LaneState;
  place: number;
  scale: number;
  finish: string;
}) {
  const isLeader = place === 0 && race.leader === answer;
  const hasDots = scale <= MAX_DOTS;
  const needed =
    isLeader && hasDots && race.winner === undefined && race.undecided === undefined ? race.need : 0;
  const left = (vote: number) => `${((vote + 0.5) / scale) * 100}%`;
  return (
    <li className={`lane ${race.winner === answer ? "won" : isLeader ? "leads" : ""}`}>
      <div className="lane-label">
        <span className="lane-answer" title={answer}>
          <ShortAnswer answer={answer} />
        </span>
        <span className="lane-votes">{plural(calls.length, "vote")}</span>
      </div>
      <div className="track" aria-hidden="true">
        <span className="bar" style={{ width: `${(calls.length / scale) * 100}%` }} />
        {hasDots &&
          calls.map((call, vote) => (
            <i key={call} className="dot" title={`Call ${call}`} style={{ left: left(vote) }} />
          ))}
        {Array.from({ length: needed }, (_, index) => (
          <i key={`needed-${index}`} className="dot needed" style={{ left: left(calls.length + index) }} />
        ))}
        <span className="finish" style={{ left: finish }} />
      </div>
    </li>
  );
}

/** What leads, by how much, what is still needed: in words. */
function Standing({ race, run }: { race: RaceState; run: RunState }) {
  const schema = useAnswerSchema();
  const name = (answer: string) => `“${shortText(answerText(answer, schema))}”`;
  const inFlight = [...run.calls.values()].filter(
    ({ state }) => state === "in_flight" || state === "retrying",
  ).length;
  return (
    <>
      <p className="standing">
        {sentence(race, name, run.error?.code === "cancelled")}
        {race.winner === undefined && inFlight > 0 && (
          <span className="muted"> {plural(inFlight, "call")} in flight.</span>
        )}
      </p>
      <p className="visually-hidden" role="status">
        {useCalm(spoken(race, name), race.winner !== undefined || race.undecided !== undefined)}
      </p>
    </>
  );
}

/** The sentence is announced while votes arrive: a long answer would be read out again with each. */
const shortText = (text: string) => (text.length > 120 ? `${text.slice(0, 120)}…` : text);

/** For those who listen: without what changes with every call. */
function spoken({ winner, undecided, leader, ...race }: RaceState, name: (answer: string) => string): string {
  if (winner !== undefined)
    return `${name(winner)} won, ${formatNumber(race.leaderVotes)} to ${formatNumber(race.runnerUpVotes)}.`;
  if (undecided !== undefined) return `Not decided, ${words(undecided)}.`;
  if (leader === null) return "";
  const lead = race.leaderVotes - race.runnerUpVotes;
  return lead === 0 ? "The vote is level." : `${name(leader)} is ahead by ${lead}.`;
}

function sentence(race: RaceState, name: (answer: string) => string, isCancelled: boolean): string {
  const { winner, undecided, leader, leaderVotes, runnerUpVotes, need, k } = race;
  if (winner !== undefined)
    return `${name(winner)} won: ${formatNumber(leaderVotes)} to ${formatNumber(runnerUpVotes)}.`;
  if (undecided !== undefined)
    return `Undecided: ${isCancelled ? "cancelled" : words(undecided)}.${leader === null ? "" : ` Leading: ${name(leader)}.`}`;
  if (leader === null) return `First to be ${k} ahead wins.`;
  const lead = leaderVotes - runnerUpVotes;
  const position = lead === 0 ? "Level" : `${name(leader)} leads by ${lead}`;
  return `${position}. ${plural(need, "more vote")} in a row ${need === 1 ? "decides" : "decide"}.`;
}

/** What changes many times a second, as one would read it out: the first at once, then the latest every few seconds, and the end at once. */
function useCalm(text: string, isOver: boolean, everyMs = 5000): string {
  const [said, setSaid] = useState(text);
  const saidAt = useRef(Date.now());
  useEffect(() => {
    if (text === said) return;
    const say = () => {
      saidAt.current = Date.now();
      setSaid(text);
    };
    const wait = isOver ? 0 : saidAt.current + everyMs - Date.now();
    if (wait <= 0) {
      say();
      return;
    }
    const timer = setTimeout(say, wait);
    return () => clearTimeout(timer);
  }, [text, said, isOver, everyMs]);
  return said;
}

const MOVE_MS = 220;

/** Rows of a list that change places glide to the new one. `order` changes with the places. */
function useMovingRows(list: RefObject<HTMLElement | null>, order: string): void {
  const places = useRef(new Map<Element, number>());
  useLayoutEffect(() => {
    const before = places.current;
    const rows = [...(list.current?.children ?? [])] as HTMLElement[];
    places.current = new Map(rows.map((row) => [row, row.offsetTop]));
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const row of rows) {
      const from = before.get(row);
      if (from !== undefined && from !== row.offsetTop)
        row.animate([{ transform: `translateY(${from - row.offsetTop}px)` }, { transform: "none" }], {
          duration: MOVE_MS,
          easing: "ease-out",
        });
    }
  }, [list, order]);
}
