import { useMutation } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { send } from "../../api/http.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { formatDate, formatMoney, plural } from "../../parts/format.ts";
import { ErrorPanel, StatePanel } from "../../parts/state-panel.tsx";
import { shorten, useTitle } from "../../parts/use-title.ts";
import { replaceQuery, useLocation } from "../../router.ts";
import { ShareMenu } from "../share/share-menu.tsx";
import { useRunDetail } from "./calls/use-run-detail.ts";
import { Replay } from "./replay.tsx";
import { Verdict } from "./result/verdict.tsx";
import { RunContext } from "./run-context.ts";
import { applyEvents, INITIAL, type RunState } from "./run-state.ts";
import { RunView } from "./run-view.tsx";
import { useRun } from "./use-run.ts";

const TITLE_CHARS = 160;

/** One run: live while it goes on, replayable when it is over. `?at=17` in its address shows it after that event. */
export function RunScreen({ id }: { id: string }) {
  const { query } = useLocation();
  const { state, events, connection, error } = useRun(id);
  const { detail, context, reload } = useRunDetail(id);
  const prompt = detail?.prompt;
  useTitle(prompt ?? "Run");
  const [position, setPosition] = useMoment(query.get("at"));
  const cancel = useMutation({
    mutationFn: () => send(`runs/${encodeURIComponent(id)}`, { method: "DELETE" }),
  });
  const [isAsking, setIsAsking] = useState(false);
  const display = useMemo(
    () => (position === undefined ? state : applyEvents(INITIAL, events.slice(0, position))),
    [state, events, position],
  );
  const isInterrupted = detail?.status === "interrupted";
  const over = state.phase === "finished" || state.phase === "failed" || isInterrupted;
  const isStale = connection === "closed" && detail?.status === "running";
  useEffect(() => {
    // Its events are over: the record says how it ended, also if the service was stopped while it was watched.
    if (isStale) reload();
  }, [isStale]);
  if (error)
    return (
      <>
        <h1>Run</h1>
        <ErrorPanel error={error} />
        <a href="#/runs">‹ All runs</a>
      </>
    );
  return (
    <RunContext value={context}>
      <div className="row spread run-title">
        <h1 className="prompt">
          <bdi>{prompt === undefined ? "Run" : shorten(prompt, TITLE_CHARS)}</bdi>
        </h1>
        <div className="row">
          {!over && (
            <button
              type="button"
              className="danger"
              disabled={cancel.isPending}
              onClick={() => setIsAsking(true)}
            >
              Cancel run
            </button>
          )}
          {detail?.session != null && (
            <a className="button" href={`#/sessions/${encodeURIComponent(detail.session)}`}>
              All steps of this agent
            </a>
          )}
          <a className="button" href={`#/ask?again=${encodeURIComponent(id)}`}>
            Ask again
          </a>
          <a className="button" href={`#/compare/${encodeURIComponent(id)}`}>
            Compare
          </a>
          {over && <ShareMenu id={id} position={position} />}
        </div>
      </div>
      {isAsking && (
        <ConfirmDialog
          title="Cancel this run?"
          action="Cancel it for good"
          onConfirm={() => cancel.mutate()}
          onClose={() => setIsAsking(false)}
        >
          <p>Its calls end now, and no more votes are counted. What they cost so far is spent.</p>
          <code>DELETE /runs/{id}</code>
        </ConfirmDialog>
      )}
      {prompt !== undefined && shorten(prompt, TITLE_CHARS) !== prompt.trim() && (
        <details className="whole-prompt">
          <summary>The whole prompt</summary>
          <pre className="plain" dir="auto" tabIndex={0}>
            {prompt}
          </pre>
        </details>
      )}
      {query.has("cached") && detail?.ended_at && (
        <p className="banner warning" role="status">
          From the cache: an equal question was answered {formatDate(detail.ended_at)}. No model was asked
          again.
        </p>
      )}
      {cancel.isError && <ErrorPanel error={cancel.error} />}
      {connection === "reconnecting" && !isInterrupted && (
        <p className="banner warning" role="status">
          The connection was cut. Reconnecting; nothing is lost.
        </p>
      )}
      {events.length === 0 && connection !== "closed" && (
        <StatePanel kind="loading" title="Waiting for the first event…" />
      )}
      {events.length === 0 && connection === "closed" && !isInterrupted && (
        <StatePanel kind="empty" title="This run has no events in the history." />
      )}
      {isInterrupted && <Interrupted run={state} id={id} />}
      {over && events.length > 1 && <Replay events={events} position={position} onChange={setPosition} />}
      {events.length > 0 && (
        <RunView
          run={display}
          live={position === undefined && !isInterrupted}
          verdict={
            detail && state.response?.metadata.voting?.basis && <Verdict run={detail} onSaved={reload} />
          }
        />
      )}
    </RunContext>
  );
}

/** The moment of a replay, from the address and back to it, so that it can be passed on. */
function useMoment(at: string | null): [number | undefined, (position: number | undefined) => void] {
  const [position, setPosition] = useState(() =>
    at !== null && /^\d{1,7}$/.test(at) ? Number(at) : undefined,
  );
  return [
    position,
    (next) => {
      setPosition(next);
      replaceQuery({ at: next === undefined ? undefined : String(next) });
    },
  ];
}

/** A run whose process ended before it did: what it had, what is lost, and the way on. */
function Interrupted({ run, id }: { run: RunState; id: string }) {
  const calls = [...run.calls.values()];
  const done = calls.filter(({ state }) => state === "finished");
  const lost = calls.filter(({ endedAt }) => endedAt === undefined);
  const votes = run.race?.lanes.reduce((sum, lane) => sum + lane.calls.length, 0) ?? 0;
  const costs = done.map(({ costUsd }) => costUsd ?? null);
  const cost = costs.includes(null) ? null : costs.reduce<number>((sum, each) => sum + (each ?? 0), 0);
  const leader = run.race?.leader;
  return (
    <StatePanel kind="error" title="Interrupted: the service stopped before this run ended">
      <p className="text">
        Lost: the answer
        {lost.length > 0 &&
          `, and ${plural(lost.length, "call")} in flight, whose replies and cost are not known`}
        . There is no way to go on with it.
      </p>
      <p className="text">
        Still here: {plural(done.length, "reply", "replies")} ({formatMoney(cost, null)}) and{" "}
        {plural(votes, "counted vote")}
        {leader != null &&
          `; “${leader}” led with ${plural(run.race!.leaderVotes, "vote")}, which decides nothing`}
        .
      </p>
      <a className="button" href={`#/ask?again=${encodeURIComponent(id)}`}>
        Ask again
      </a>
    </StatePanel>
  );
}
