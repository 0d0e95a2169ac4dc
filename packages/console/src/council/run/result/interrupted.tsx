import { formatMoney, plural } from "../../../parts/format.ts";
import { StatePanel } from "../../../parts/state-panel.tsx";
import type { RunState } from "../run-state.ts";

/** A run whose process ended before it did: what it had, what is lost, and the way on. */
export function Interrupted({ run, id }: { run: RunState; id: string }) {
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
