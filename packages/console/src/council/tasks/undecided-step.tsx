import type { Task } from "@mci-ts/council-server/api";
import { formatNumber, plural } from "../../parts/format.ts";
import { JsonView } from "../../parts/json/json-view.tsx";

type Evidence = NonNullable<Task["undecided"]>[number];

/** What a person needs to see before answering: what the models were asked, where the task stood, what they replied. */
export function UndecidedStep({ task, step }: { task: Task; step: number }) {
  const evidence = task.undecided?.find((each) => each.step === step);
  if (!evidence)
    return (
      <p className="muted">
        What the models were asked and replied is not recorded for this step: an earlier version paused the
        task. Resume it to vote again.
      </p>
    );
  return (
    <div className="evidence">
      <section aria-label={`The question of step ${step}`}>
        <h3>The models were asked</h3>
        <pre className="plain" dir="auto" tabIndex={0}>
          {evidence.prompt}
        </pre>
      </section>
      {task.kind === "steps" && (
        <section aria-label={`State before step ${step}`}>
          <h3>State before the step</h3>
          <JsonView value={task.state} />
        </section>
      )}
      <Votes evidence={evidence} />
      <details>
        <summary>Every reply</summary>
        <pre className="plain" dir="auto" tabIndex={0}>
          {evidence.samples}
        </pre>
      </details>
    </div>
  );
}

function Votes({ evidence: { step, votes, k } }: { evidence: Evidence }) {
  const entries = Object.entries(votes);
  const most = Math.max(1, ...Object.values(votes));
  return (
    <section aria-label={`Votes of step ${step}`}>
      <h3>
        Their votes {k !== null && <small className="muted">one had to be {formatNumber(k)} ahead</small>}
      </h3>
      {entries.length === 0 && <p className="muted">No reply counted as a vote.</p>}
      <ol className="lanes">
        {entries.map(([answer, count]) => (
          <li key={answer} className="lane">
            <div className="lane-label">
              <bdi className="lane-answer">{answer.slice(0, 300)}</bdi>
              <span className="lane-votes">{plural(count, "vote")}</span>
            </div>
            <div className="track" aria-hidden="true">
              <span className="bar" style={{ width: `${(count / most) * 100}%` }} />
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
