import { useId, useState } from "react";
import { formatBytes, plural } from "../../../parts/format.ts";
import { variablesOf } from "../template.ts";
import { type Evaluation, FORMATS, type Format } from "../types.ts";
import type { ReadRows } from "./read-rows.ts";

interface CardProps {
  readonly evaluation: Evaluation;
  readonly read: ReadRows;
  readonly isOpen: boolean;
  readonly edit: (patch: Partial<Evaluation>) => void;
}

/** A longer text is not drawn as a whole: a file is named instead. */
const MAX_SHOWN_CHARS = 100_000;
const MAX_FILE_BYTES = 20 * 1024 * 1024;
const MAX_PROBLEMS = 10;

const FORMAT_LABELS: Readonly<Record<Format, string>> = {
  auto: "recognise it",
  lines: "one question per line",
  jsonl: "JSON lines, as mci-council eval reads them",
  csv: "a table, commas (CSV)",
  tsv: "a table, tabs (from a spreadsheet)",
};

/** What is asked: typed, pasted or from a file. */
export function QuestionsCard({ evaluation, read, isOpen, edit }: CardProps) {
  const id = useId();
  const [fileProblem, setFileProblem] = useState<string>();
  const { name, source, file, format } = evaluation;
  const readFile = async (chosen: File) => {
    setFileProblem(undefined);
    if (chosen.size > MAX_FILE_BYTES) {
      setFileProblem(
        `${chosen.name} has ${formatBytes(chosen.size)}; at most ${formatBytes(MAX_FILE_BYTES)} are read.`,
      );
      return;
    }
    edit({ source: await chosen.text(), file: chosen.name });
  };
  const isLong = source.length > MAX_SHOWN_CHARS;
  return (
    <details className="card" open={isOpen}>
      <summary>
        <h2>Questions</h2> <span className="muted">{plural(read.rows.length, "question")}</span>
      </summary>
      <label htmlFor={`${id}-name`}>Name of the evaluation</label>
      <input
        id={`${id}-name`}
        value={name}
        maxLength={200}
        placeholder="without a name"
        onChange={({ target }) => edit({ name: target.value })}
      />
      <div className="field">
        <label htmlFor={`${id}-source`}>Questions</label>
        <small id={`${id}-about`}>
          One per line, with the expected answer after <code>=&gt;</code>; or JSON lines with{" "}
          <code>prompt</code> and <code>answer</code>, <code>accept</code>, <code>schema</code> or{" "}
          <code>rubric</code>; or a table whose first line names <code>prompt</code>, <code>answer</code>,{" "}
          <code>rubric</code> and variables.
        </small>
        {isLong ? (
          <p className="row">
            <span>
              <bdi>{file ?? "A long text"}</bdi>, {formatBytes(source.length)}
            </span>
            <button type="button" onClick={() => edit({ source: "", file: undefined })}>
              Remove
            </button>
          </p>
        ) : (
          <textarea
            id={`${id}-source`}
            aria-describedby={`${id}-about`}
            className="mono"
            rows={Math.min(14, Math.max(5, source.split("\n").length + 1))}
            spellCheck={false}
            value={source}
            placeholder={
              "What is the capital of Australia? => Canberra\nHow many legs does a spider have? => 8"
            }
            onChange={({ target }) => edit({ source: target.value, file: undefined })}
          />
        )}
      </div>
      <div className="row">
        <label className="grow">
          From a file
          <input
            type="file"
            accept=".jsonl,.ndjson,.json,.csv,.tsv,.txt"
            onChange={({ target }) => {
              const [chosen] = target.files ?? [];
              if (chosen) void readFile(chosen);
              // The same file again is a change, too.
              target.value = "";
            }}
          />
        </label>
        <label className="grow">
          Read as
          <select value={format} onChange={({ target }) => edit({ format: target.value as Format })}>
            {FORMATS.map((each) => (
              <option key={each} value={each}>
                {FORMAT_LABELS[each]}
              </option>
            ))}
          </select>
        </label>
      </div>
      {fileProblem && (
        <p className="error-text" role="alert">
          {fileProblem}
        </p>
      )}
      <ReadSummary read={read} source={source} />
      <Prompts {...{ evaluation, read, edit }} />
    </details>
  );
}

function ReadSummary({ read: { rows, problems, format }, source }: { read: ReadRows; source: string }) {
  if (source.trim() === "") return null;
  const unchecked = rows.filter(
    ({ answer, accept, schema, rubric }) =>
      answer === undefined && !accept && !schema && rubric === undefined,
  ).length;
  return (
    <>
      <p className="muted" role="status">
        {plural(rows.length, "question")}, read as {FORMAT_LABELS[format]}
        {unchecked > 0 &&
          `; ${plural(unchecked, "question")} without an expected answer, for a person to judge`}
        .
      </p>
      {problems.length > 0 && (
        <ul className="error-text">
          {problems.slice(0, MAX_PROBLEMS).map((problem) => (
            <li key={problem}>
              <bdi>{problem}</bdi>
            </li>
          ))}
          {problems.length > MAX_PROBLEMS && <li>and {plural(problems.length - MAX_PROBLEMS, "more")}</li>}
        </ul>
      )}
    </>
  );
}

function Prompts({ evaluation, read, edit }: Omit<CardProps, "isOpen">) {
  const id = useId();
  const { prompts } = evaluation;
  const set = (index: number, text: string) => edit({ prompts: prompts.with(index, text) });
  const names = [...new Set(read.rows.slice(0, 50).flatMap(({ variables }) => [...variables.keys()]))];
  return (
    <div className="prompts">
      {prompts.map((prompt, index) => (
        <div key={index} className="field">
          <label htmlFor={`${id}-${index}`}>Prompt {index + 1}</label>
          <textarea
            id={`${id}-${index}`}
            rows={3}
            value={prompt}
            aria-describedby={`${id}-about`}
            onChange={({ target }) => set(index, target.value)}
          />
          <div className="row">
            <button type="button" className="quiet" onClick={() => edit(withoutPrompt(evaluation, index))}>
              Remove prompt {index + 1}
            </button>
            <small>
              {variablesOf(prompt).length === 0 && "It uses no variable: every question would be the same."}
            </small>
          </div>
        </div>
      ))}
      <div className="row">
        <button
          type="button"
          className="quiet"
          onClick={() => edit({ prompts: [...prompts, prompts.at(-1) ?? "{{prompt}}"] })}
        >
          {prompts.length === 0 ? "Use a prompt with variables" : "Add a prompt"}
        </button>
        <small id={`${id}-about`}>
          {prompts.length > 0 && (
            <>
              <code>{"{{name}}"}</code> is filled in from each row
              {names.length > 0 && <>: {names.slice(0, 20).join(", ")}</>}. <code>{"{{prompt}}"}</code> is the
              question.
            </>
          )}
        </small>
      </div>
    </div>
  );
}

/** Configurations of later prompts keep theirs; those of this one get the first. */
function withoutPrompt({ prompts, columns }: Evaluation, index: number): Partial<Evaluation> {
  const moved = (prompt: number) => (prompt === index ? 0 : prompt > index ? prompt - 1 : prompt);
  return {
    prompts: prompts.toSpliced(index, 1),
    columns: columns.map((column) => ({ ...column, prompt: moved(column.prompt) })),
  };
}
