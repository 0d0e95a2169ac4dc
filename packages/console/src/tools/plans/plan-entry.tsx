import type { CommittedEntry, PlanEntry } from "mci-ts/code";
import { JsonView } from "../../parts/json/json-view.tsx";
import { VisibleText } from "../../parts/text/visible-text.tsx";
import { RequestView } from "../request-view.tsx";
import { describeWrite } from "./describe-write.ts";
import { ENTRY_STATES } from "./plan-states.ts";

export type Decision = "done" | "repeat";

/** One write: what it does, the exact request, and what became of it. */
export function WriteEntry({
  entry: { number, tool, input, request },
  committed: { state, text },
  isDestructive,
  isOpen,
  decision,
  onDecide,
}: {
  entry: PlanEntry;
  committed: Pick<CommittedEntry, "state" | "text">;
  isDestructive: boolean;
  isOpen: boolean;
  decision: Decision | undefined;
  /** Absent where there is nothing to decide now. */
  onDecide: ((decision: Decision) => void) | undefined;
}) {
  const [badge, label] = ENTRY_STATES[state];
  return (
    <li className="card plan-entry">
      <div className="row">
        <strong>{number}.</strong>
        <span className="tool-name">
          <VisibleText text={tool} />
        </span>
        <span className="muted">
          <VisibleText text={describeWrite(request)} />
        </span>
        {isDestructive && <span className="badge failed">destructive</span>}
        <span className={`badge ${badge}`}>{label}</span>
      </div>
      <details open={isOpen}>
        <summary>The exact request of write {number}</summary>
        <RequestView preview={request} label={`The exact request of write ${number}`} />
        <details>
          <summary>The input of the tool</summary>
          <JsonView value={input} />
        </details>
      </details>
      {text !== undefined && (
        <details open={state !== "done"}>
          <summary>{state === "done" ? "What it returned" : "What is known of it"}</summary>
          <pre className="plain" tabIndex={0} role="region" aria-label={`Outcome of write ${number}`}>
            <VisibleText text={text} />
          </pre>
        </details>
      )}
      {state === "unknown" && onDecide && (
        <fieldset className="row">
          <legend>
            It was begun, and whether it took effect is not known. Look at the service itself: did it?
          </legend>
          {DECISIONS.map(([value, words]) => (
            <label key={value} className="row">
              <input
                type="radio"
                name={`write-${number}`}
                checked={decision === value}
                onChange={() => onDecide(value)}
              />
              {words}
            </label>
          ))}
        </fieldset>
      )}
    </li>
  );
}

const DECISIONS = [
  ["done", "It did: go on behind it"],
  ["repeat", "It did not: send it again"],
] as const;
