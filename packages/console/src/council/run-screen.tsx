import { useMutation, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { getJson, send } from "../api/http.ts";
import type { RunDetail } from "../api/types.ts";
import { ErrorPanel, StatePanel } from "../parts/state-panel.tsx";
import { Replay } from "./replay.tsx";
import { applyEvents, INITIAL } from "./run-state.ts";
import { RunView } from "./run-view.tsx";
import { useRun } from "./use-run.ts";

/** One run: live while it goes on, replayable when it is over. */
export function RunScreen({ id }: { id: string }) {
  const { state, events, connection, error } = useRun(id);
  const detail = useQuery({
    queryKey: ["run", id],
    queryFn: () => getJson<RunDetail>(`runs/${encodeURIComponent(id)}`),
    retry: false,
  });
  const [position, setPosition] = useState<number>();
  const cancel = useMutation({
    mutationFn: () => send(`runs/${encodeURIComponent(id)}`, { method: "DELETE" }),
  });
  const shown = useMemo(
    () => (position === undefined ? state : applyEvents(INITIAL, events.slice(0, position))),
    [state, events, position],
  );
  const over = state.phase === "finished" || state.phase === "failed";
  if (error) return <ErrorPanel error={error} />;
  return (
    <>
      <div className="row spread">
        <h1 className="prompt">
          <bdi>{detail.data?.prompt ?? "Run"}</bdi>
        </h1>
        <div className="row">
          {!over && (
            <button
              type="button"
              className="danger"
              disabled={cancel.isPending}
              onClick={() => cancel.mutate()}
            >
              Cancel run
            </button>
          )}
          <a className="button" href={`#/ask?again=${encodeURIComponent(id)}`}>
            Ask again
          </a>
          <a className="button" href={`#/compare/${encodeURIComponent(id)}`}>
            Compare
          </a>
        </div>
      </div>
      {connection === "reconnecting" && (
        <p className="banner warning" role="status">
          The connection was cut. Reconnecting; nothing is lost.
        </p>
      )}
      {events.length === 0 && connection !== "closed" && (
        <StatePanel kind="loading" title="Waiting for the first event…" />
      )}
      {events.length === 0 && connection === "closed" && (
        <StatePanel kind="empty" title="This run has no events in the history." />
      )}
      {over && events.length > 1 && <Replay events={events} position={position} onChange={setPosition} />}
      {events.length > 0 && <RunView run={shown} live={position === undefined} />}
    </>
  );
}
