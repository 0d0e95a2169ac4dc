import type { RunEvent } from "@mci-ts/council-server/api";
import { useEffect, useState } from "react";
import { formatDuration } from "../../parts/format.ts";

const SPEEDS = [0.25, 1, 4, 16];
/** However long a model thought, a replay does not wait longer than this between two events. */
const MAX_PAUSE_MS = 2000;

/** Plays a finished run again, event by event. `position` is the number of events shown; undefined shows the end. */
export function Replay({
  events,
  position,
  onChange,
}: {
  events: readonly RunEvent[];
  position: number | undefined;
  onChange: (position: number | undefined) => void;
}) {
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const at = position ?? events.length;

  useEffect(() => {
    if (!playing) return;
    if (at >= events.length) {
      setPlaying(false);
      onChange(undefined);
      return;
    }
    const gap = at === 0 ? 0 : Date.parse(events[at]!.ts) - Date.parse(events[at - 1]!.ts);
    const timer = setTimeout(() => onChange(at + 1), Math.min(Math.max(gap / speed, 16), MAX_PAUSE_MS));
    return () => clearTimeout(timer);
  }, [playing, at, speed, events, onChange]);

  const toggle = () => {
    if (!playing && at >= events.length) onChange(0);
    setPlaying(!playing);
  };
  const current = events[Math.max(0, at - 1)];
  const elapsed = current ? Date.parse(current.ts) - Date.parse(events[0]!.ts) : 0;
  return (
    <section className={`card replay ${at >= events.length ? "at-end" : ""}`} aria-label="Replay">
      <button type="button" onClick={toggle}>
        {playing ? "Pause" : "Replay"}
      </button>
      <button
        type="button"
        aria-label="One event back"
        disabled={at === 0}
        onClick={() => onChange(Math.max(0, at - 1))}
      >
        ‹
      </button>
      <input
        type="range"
        aria-label="Event"
        min={0}
        max={events.length}
        value={at}
        aria-valuetext={`Event ${at} of ${events.length}`}
        onChange={({ target }) => {
          setPlaying(false);
          const value = Number(target.value);
          onChange(value >= events.length ? undefined : value);
        }}
      />
      <button
        type="button"
        aria-label="One event on"
        disabled={at >= events.length}
        onClick={() => onChange(at + 1 >= events.length ? undefined : at + 1)}
      >
        ›
      </button>
      <label>
        <span className="visually-hidden">Speed</span>
        <select value={speed} onChange={({ target }) => setSpeed(Number(target.value))}>
          {SPEEDS.map((each) => (
            <option key={each} value={each}>
              {each}×
            </option>
          ))}
        </select>
      </label>
      <span className="muted replay-at">
        {at} of {events.length} events, {formatDuration(elapsed)}
        {current && at > 0 && (
          <>
            {" · "}
            <code>{current.type}</code>
          </>
        )}
      </span>
    </section>
  );
}
