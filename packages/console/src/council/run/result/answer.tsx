import type { ModelResponse } from "@mci-ts/council-server/api";
import { type ReactNode, useState } from "react";
import { formatDuration, formatNumber, formatPercent, plural } from "../../../parts/format.ts";
import { ScrollTable } from "../../../parts/lists/scroll-table.tsx";
import { Markdown } from "../../../parts/markdown/markdown.tsx";
import { useAnswerSchema, useLabel } from "../run-context.ts";
import type { RunState } from "../run-state.ts";
import { fieldsOf, fieldText } from "./answer-fields.ts";

/** A longer answer is folded: its first lines are enough to know it. */
const LONG_CHARS = 600;

/** The answer first: what most readers came for. */
export function Answer({ run, children }: { run: RunState; children?: ReactNode }) {
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
      {voting && <Trust voting={voting} />}
      {warnings.map((warning) => (
        <p key={warning} className="warning">
          {warning}
        </p>
      ))}
      {children}
    </section>
  );
}

/** How far the votes agree, how likely that is right, and what either number rests on. */
function Trust({ voting }: { voting: NonNullable<ModelResponse["metadata"]["voting"]> }) {
  const { agreement, confidence, confidence_interval: interval, basis, effective_votes: effective } = voting;
  return (
    <div className="trust">
      <p className="muted">
        Agreement {formatPercent(agreement)},{" "}
        {confidence !== undefined && `confidence of being right ${formatPercent(confidence)}, `}
        {plural(voting.samples, "reply", "replies")}, {formatNumber(voting.red_flagged)} discarded
      </p>
      <p className="muted explanation">
        {confidence === undefined ? (
          <>
            Agreement is how many votes the answer got, not how likely it is right. A confidence needs 20
            outcomes of this model, from verdicts or an evaluation; there are{" "}
            {formatNumber(basis?.outcomes ?? 0)}.
          </>
        ) : (
          <>
            Confidence: of {formatNumber(basis?.outcomes ?? 0)} measured votes of {basis?.model} with answers
            of {basis?.all_kinds ? "all kinds" : `the kind “${basis?.kind}”`}, about{" "}
            {formatPercent(confidence)} of those that agreed so far were right
            {interval && ` (95% interval ${formatPercent(interval[0]!)} to ${formatPercent(interval[1]!)})`}.
            {effective !== undefined &&
              ` The votes repeat each other: they are worth ${formatNumber(effective)} independent ones.`}
          </>
        )}
      </p>
    </div>
  );
}

/** A text, or an object as a table of its fields. Long texts are formatted, and folded after their beginning. */
function AnswerValue({ answer }: { answer: unknown }) {
  const fields = fieldsOf(answer, useAnswerSchema());
  const label = useLabel();
  if (!fields) {
    const text = String(answer);
    if (text.length > LONG_CHARS) return <LongText text={text} />;
    return (
      <p className="answer-text" dir="auto">
        {text}
      </p>
    );
  }
  return (
    <ScrollTable
      className="answer-fields"
      label={label("Fields of the answer")}
      columns={["Field", "Value", "Vote"]}
    >
      {fields.map(({ name, value, isVoted }) => (
        <tr key={name}>
          <th scope="row">
            <bdi>{name}</bdi>
          </th>
          <td dir="auto">
            {fieldText(value).length > LONG_CHARS ? <LongText text={fieldText(value)} /> : fieldText(value)}
          </td>
          <td>{isVoted ? "counted" : <span className="muted">not counted</span>}</td>
        </tr>
      ))}
    </ScrollTable>
  );
}

/** The beginning; the rest is formatted when it is opened. */
function LongText({ text }: { text: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      className="long-answer"
      open={isOpen}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>
        {!isOpen && <span dir="auto">{text.slice(0, LONG_CHARS / 2)}… </span>}
        <span className="muted">the whole answer, {plural(text.length, "character")}</span>
      </summary>
      {isOpen && <Markdown text={text} />}
    </details>
  );
}

const SHORT_CHARS = 300;

/** The same in one line. */
export function ShortAnswer({ answer }: { answer: unknown }) {
  const fields = fieldsOf(answer, useAnswerSchema());
  if (!fields) {
    const text = String(answer);
    return <bdi>{text.length > SHORT_CHARS ? `${text.slice(0, SHORT_CHARS)}…` : text}</bdi>;
  }
  return (
    <span className="short-fields">
      {fields.map(({ name, value, isVoted }) => (
        <span key={name} className={isVoted ? undefined : "muted"}>
          <span className="field-name">{name}</span> <bdi>{fieldText(value).slice(0, SHORT_CHARS)}</bdi>
        </span>
      ))}
    </span>
  );
}
