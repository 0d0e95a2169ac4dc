import { formatDuration, formatNumber, formatPercent, plural } from "../../parts/format.ts";
import { fieldsOf, fieldText } from "./answer-fields.ts";
import { useAnswerSchema, useLabel } from "./run-context.ts";
import type { RunState } from "./run-state.ts";

/** The answer first: what most readers came for. */
export function Answer({ run }: { run: RunState }) {
  const label = useLabel();
  const { answer, voting, warnings, model, cached } = run.response!.metadata;
  const hasAnswer = answer !== undefined && answer !== null;
  if (!hasAnswer && warnings.length === 0 && !cached) return null;
  return (
    <section className="card answer" aria-label={label("Answer")}>
      <h2>Answer</h2>
      {hasAnswer ? <AnswerValue answer={answer} /> : <p className="muted">No answer was decided.</p>}
      {model === "simulated" && <p className="simulated-note">Simulated: no language model was asked.</p>}
      {cached && (
        <p className="simulated-note">
          From the cache: this is the response of an equal run, {formatDuration(cached.age_seconds * 1000)}{" "}
          old. No model was asked.
        </p>
      )}
      {voting && (
        <p className="muted">
          Agreement {formatPercent(voting.agreement)},{" "}
          {voting.confidence !== undefined &&
            `confidence of being right ${formatPercent(voting.confidence)}, `}
          {plural(voting.samples, "reply", "replies")}, {formatNumber(voting.red_flagged)} discarded
        </p>
      )}
      {warnings.map((warning) => (
        <p key={warning} className="warning">
          {warning}
        </p>
      ))}
    </section>
  );
}

/** A text, or an object as a table of its fields. */
export function AnswerValue({ answer }: { answer: unknown }) {
  const fields = fieldsOf(answer, useAnswerSchema());
  const label = useLabel();
  if (!fields)
    return (
      <p className="answer-text" dir="auto">
        {String(answer)}
      </p>
    );
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={label("Fields of the answer")}>
      <table className="answer-fields">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Value</th>
            <th scope="col">Vote</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ name, value, isVoted }) => (
            <tr key={name}>
              <th scope="row">
                <bdi>{name}</bdi>
              </th>
              <td dir="auto">{fieldText(value)}</td>
              <td>{isVoted ? "counted" : <span className="muted">not counted</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The same in one line. */
export function ShortAnswer({ answer }: { answer: unknown }) {
  const fields = fieldsOf(answer, useAnswerSchema());
  if (!fields) return <bdi>{String(answer)}</bdi>;
  return (
    <span className="short-fields">
      {fields.map(({ name, value, isVoted }) => (
        <span key={name} className={isVoted ? undefined : "muted"}>
          <span className="field-name">{name}</span> <bdi>{fieldText(value)}</bdi>
        </span>
      ))}
    </span>
  );
}
