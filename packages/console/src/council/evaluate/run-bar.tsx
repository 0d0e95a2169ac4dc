import type { EvaluationOptions } from "@mci-ts/council-server/api";
import { useMemo, useState } from "react";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { formatDuration, formatMoney, formatNumber, formatTime, plural } from "../../parts/format.ts";
import { useNow } from "../../parts/use-now.ts";
import { isOpen } from "./asking/ask-cell.ts";
import type { Wait } from "./asking/pause.ts";
import { type CostEstimate, estimateCost } from "./estimate-cost.ts";
import type { Matrix } from "./matrix.ts";
import { costOf } from "./results/totals.ts";
import type { Session, Snapshot } from "./session.ts";
import type { Evaluation } from "./types.ts";

const MAX_PROBLEMS = 5;

/** How far it is, what it will take, and the buttons that start and stop it. */
export function RunBar({
  session,
  snapshot,
  matrix,
  problems,
  evaluation,
  options,
}: {
  session: Session;
  snapshot: Snapshot;
  matrix: Matrix;
  problems: readonly string[];
  evaluation: Evaluation;
  options: EvaluationOptions | undefined;
}) {
  const { cells, phase, wait, isElsewhere } = snapshot;
  const [isAsking, setIsAsking] = useState<"start" | "retry" | "cancel">();
  const { asks } = matrix;
  const count = useMemo(() => countOf(matrix, snapshot), [matrix, snapshot]);
  const isRunning = phase !== "idle";
  const estimate = useMemo(
    () =>
      options && !isRunning && problems.length === 0
        ? estimateCost(
            count.open.length > 0 ? count.open : count.failed,
            cells,
            evaluation.concurrency,
            options,
          )
        : undefined,
    [options, isRunning, problems, count, evaluation.concurrency],
  );
  const start = (what: "start" | "retry") =>
    void (what === "start" ? session.start(asks) : session.askAgain(count.failed));
  const begin = (what: "start" | "retry") => {
    if (estimate?.isFree) start(what);
    else setIsAsking(what);
  };
  const isBlocked = problems.length > 0 || isElsewhere || options === undefined;
  const spent = useMemo(
    () => asks.flatMap(({ key }) => cells.get(key) ?? []).filter(({ state }) => state !== "running"),
    [asks, cells],
  );
  const isSimulated = spent.some(({ cost_source }) => cost_source === "simulated");
  return (
    <section className="card" aria-label="Progress">
      <div className="row spread">
        <p className="run-counts">
          <strong>
            {formatNumber(count.answered)} of {plural(asks.length, "answer")}
          </strong>
          {count.running > 0 && `, ${formatNumber(count.running)} in flight`}
          {count.waiting > 0 && `, ${formatNumber(count.waiting)} waiting`}
          {count.failed.length > 0 && `, ${formatNumber(count.failed.length)} failed`}
          {spent.length > 0 &&
            ` · cost of these: ${formatMoney(costOf(spent), isSimulated ? "simulated" : null)}`}
        </p>
        <div className="row">
          {phase === "idle" && count.failed.length > 0 && (
            <button type="button" disabled={isBlocked || count.running > 0} onClick={() => begin("retry")}>
              Ask {plural(count.failed.length, "failed one")} again
            </button>
          )}
          {phase === "running" && (
            <button type="button" onClick={() => session.stop()}>
              Stop
            </button>
          )}
          {phase === "stopping" && count.running > 0 && (
            <button type="button" className="danger" onClick={() => setIsAsking("cancel")}>
              Cancel those in flight
            </button>
          )}
          {phase === "idle" && (count.open.length > 0 || asks.length === 0) && (
            <button type="button" className="primary" disabled={isBlocked} onClick={() => begin("start")}>
              {count.answered + count.failed.length > 0 ? "Resume" : "Start"}:{" "}
              {plural(count.open.length, "answer")}
            </button>
          )}
        </div>
      </div>
      <progress
        aria-label="Answered"
        max={Math.max(1, asks.length)}
        value={count.answered + count.failed.length}
      />
      {problems.length > 0 && (asks.length > 0 || evaluation.source.trim() !== "") && (
        <ul className="error-text">
          {problems.slice(0, MAX_PROBLEMS).map((problem) => (
            <li key={problem}>
              <bdi>{problem}</bdi>
            </li>
          ))}
          {problems.length > MAX_PROBLEMS && <li>and {plural(problems.length - MAX_PROBLEMS, "more")}</li>}
        </ul>
      )}
      {evaluation.source.trim() === "" && <p className="muted">Add questions to start.</p>}
      {estimate && estimate.calls > 0 && <EstimateText estimate={estimate} />}
      {phase === "stopping" && (
        <p role="status">Stopping: nothing more is sent, and what is in flight is waited for.</p>
      )}
      {isElsewhere && <p role="status">Another tab asks these questions. What it gets is shown here, too.</p>}
      {phase === "idle" && !isElsewhere && count.running > 0 && (
        <p role="status">What was in flight when this page was left is fetched.</p>
      )}
      {wait && <WaitLine wait={wait} tryNow={() => session.tryNow()} />}
      <Announced done={count.answered + count.failed.length} total={asks.length} isRunning={isRunning} />
      {(isAsking === "start" || isAsking === "retry") && (
        <ConfirmDialog
          title={`Ask for ${plural(isAsking === "start" ? count.open.length : count.failed.length, "answer")}?`}
          action="Ask them"
          onClose={() => setIsAsking(undefined)}
          onConfirm={() => start(isAsking)}
        >
          {estimate && <EstimateText estimate={estimate} />}
        </ConfirmDialog>
      )}
      {isAsking === "cancel" && (
        <ConfirmDialog
          title={`Cancel ${plural(count.running, "run")}?`}
          action="Cancel them for good"
          onClose={() => setIsAsking(undefined)}
          onConfirm={() => void session.cancel()}
        >
          <p>What they have spent is spent. They can be asked again.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

function countOf({ asks }: Matrix, { cells }: Snapshot) {
  const open = asks.filter((ask) => isOpen(ask, cells.get(ask.key)));
  const failed = asks.filter(({ key }) => cells.get(key)?.state === "failed");
  const underway = asks.flatMap(({ key }) => cells.get(key) ?? []).filter(({ state }) => state === "running");
  const running = underway.filter(({ run_id }) => run_id !== undefined).length;
  const answered = asks.length - open.length - failed.length - underway.length;
  return { open, failed, running, waiting: underway.length - running, answered };
}

export function EstimateText({ estimate: { text, time, warning } }: { estimate: CostEstimate }) {
  return (
    <>
      <p className="muted">
        {text}. Time {time}.
      </p>
      {warning && <p className="warning">{warning}</p>}
    </>
  );
}

function WaitLine({ wait: { reason, until }, tryNow }: { wait: Wait; tryNow: () => void }) {
  const left = Math.max(0, until - useNow(true));
  return (
    <div className="row warning" role="group" aria-label="Waiting">
      <span>
        <bdi>{reason.replace(/\.$/, "")}</bdi>. It is tried again at{" "}
        {formatTime(new Date(until).toISOString())} (in {formatDuration(Math.ceil(left / 1000) * 1000)}).
      </span>
      <button type="button" className="quiet" onClick={tryNow}>
        Try now
      </button>
    </div>
  );
}

/** For screen readers: a word at each tenth, not at every answer. */
function Announced({ done, total, isRunning }: { done: number; total: number; isRunning: boolean }) {
  const tenth = total === 0 ? 0 : Math.floor((10 * done) / total);
  const text = useMemo(() => (isRunning ? `${done} of ${total} answered` : ""), [tenth, isRunning]);
  return (
    <p className="visually-hidden" role="status">
      {text}
    </p>
  );
}
