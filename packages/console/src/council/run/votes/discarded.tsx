import { plural, words } from "../../../parts/format.ts";
import { useLabel } from "../run-context.ts";
import type { Call } from "../run-state.ts";

/** Crosses up to this many; beyond, only the count. */
const MAX_CROSSES = 40;

/** The purposes whose replies are votes: whether two answers mean the same is asked besides, and counts for nothing. */
const VOTERS: readonly string[] = ["vote", "act"];

export const discardedVotes = (calls: readonly Call[]) =>
  calls.filter(({ flag, purpose }) => flag !== undefined && VOTERS.includes(purpose));

/** What was thrown away, and why: one entry per rule, and every reply by name on request. */
export function Discarded({ calls }: { calls: readonly Call[] }) {
  const label = useLabel();
  const flagged = discardedVotes(calls);
  if (flagged.length === 0) return null;
  const rules = [...Map.groupBy(flagged, ({ flag }) => flag!.rule)];
  return (
    <section className="discarded" aria-label={label("Discarded replies")}>
      <p>
        <span className="crosses" aria-hidden="true">
          {"✕".repeat(Math.min(flagged.length, MAX_CROSSES))}
        </span>{" "}
        {plural(flagged.length, "reply", "replies")} discarded, not counted:{" "}
        {rules.map(([rule, { length }]) => `${words(rule)} (${length})`).join(", ")}
      </p>
      <details>
        <summary>Why</summary>
        <ul>
          {flagged.slice(0, 200).map(({ call, model, flag }) => (
            <li key={call}>
              Call {call}, {model}: {flag!.reason}
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}
