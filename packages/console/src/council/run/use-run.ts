import type { RunEvent } from "@mci-ts/council-server/api";
import { useEffect, useRef, useState } from "react";
import { followEvents } from "../../api/events.ts";
import { applyEvents, INITIAL, type RunState } from "./run-state.ts";

export interface LiveRun {
  readonly state: RunState;
  readonly events: readonly RunEvent[];
  readonly connection: "connecting" | "open" | "reconnecting" | "closed";
  readonly error?: unknown;
}

/** Follows a run from its first event. Events are applied once per frame, so that two thousand of them cost two thousand dots, not renders. */
export function useRun(id: string): LiveRun {
  const [live, setLive] = useState<LiveRun>({ state: INITIAL, events: [], connection: "connecting" });
  const pending = useRef<RunEvent[]>([]);

  useEffect(() => {
    const controller = new AbortController();
    let frame = 0;
    pending.current = [];
    setLive({ state: INITIAL, events: [], connection: "connecting" });
    const flush = () => {
      frame = 0;
      const batch = pending.current;
      pending.current = [];
      setLive((before) => ({
        ...before,
        state: applyEvents(before.state, batch),
        events: [...before.events, ...batch.filter(({ seq }) => seq > before.state.seq)],
      }));
    };
    followEvents(`runs/${encodeURIComponent(id)}/events`, {
      signal: controller.signal,
      isLast: ({ type }) => type === "run.response" || type === "run.error",
      onState: (connection) => setLive((before) => ({ ...before, connection })),
      onEvent: ({ data }) => {
        pending.current.push(JSON.parse(data));
        // A hidden tab gets no frames; a timer still comes.
        frame ||= document.hidden ? window.setTimeout(flush, 250) : requestAnimationFrame(flush);
      },
    }).then(
      () => setLive((before) => ({ ...before, connection: "closed" })),
      (error) => setLive((before) => ({ ...before, connection: "closed", error })),
    );
    return () => {
      controller.abort();
      cancelAnimationFrame(frame);
      clearTimeout(frame);
    };
  }, [id]);
  return live;
}
