import type { Task } from "@mci-ts/council-server/api";
import { useMutation } from "@tanstack/react-query";
import { type Dispatch, type SetStateAction, useEffect, useId, useMemo, useState } from "react";
import { getJson } from "../../api/http.ts";
import { type ChosenShapes, type InputErrors, MISSING } from "../../parts/form/check-input.ts";
import { InputEditor } from "../../parts/form/input-editor.tsx";
import { type FormSchema, initialValue, kindOf } from "../../parts/form/json-schema.ts";
import { useCheckedInput } from "../../parts/form/use-checked-input.ts";
import { parseExact } from "../../parts/json/parse-exact.ts";
import { ErrorPanel } from "../../parts/state-panel.tsx";
import { useStored, writeStored } from "../../parts/stored.ts";
import { UndecidedStep } from "./undecided-step.tsx";

interface AnswerProps {
  readonly task: Task;
  readonly step: number;
  /** What the step of a plan is to do. */
  readonly about: string | undefined;
  readonly onAnswered: (task: Task) => void;
}

/** A person decides a step that the vote left open, and what waits for it goes on. */
export function AnswerForm({ task, step, about, onAnswered }: AnswerProps) {
  const { id, status, answer_schema } = task;
  const draft = `answer ${id} ${step}`;
  const schema = useMemo(() => (answer_schema ?? {}) as FormSchema, [JSON.stringify(answer_schema)]);
  const initial = useMemo(() => initialValue(schema, schema), [schema]);
  const [value, setValue, clear] = useStored<unknown>(draft, initial);
  const [isJson, setIsJson] = useState(true);
  const [isAttempted, setIsAttempted] = useState(false);
  const [all, setChosen] = useCheckedInput(schema, value);
  // What is merely not filled in yet is not an error before the first attempt.
  const errors = useMemo(
    () => new Map([...all].filter(([, message]) => isAttempted || message !== MISSING)),
    [all, isAttempted],
  );
  const answer = useMutation({
    mutationFn: () =>
      getJson<Task>(`tasks/${encodeURIComponent(id)}/steps/${step}`, { body: { answer: value } }),
    onSuccess: (next) => {
      clear();
      writeStored(`json ${draft}`, undefined);
      onAnswered(next);
    },
  });
  return (
    <section className="card answer" aria-label={`Answer step ${step}`}>
      <h2>Answer step {step} yourself</h2>
      {about !== undefined && <p className="text">{about}</p>}
      <UndecidedStep task={task} step={step} />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setIsAttempted(true);
          if (all.size === 0) answer.mutate();
        }}
      >
        <AnswerInput
          schema={schema}
          value={value}
          errors={errors}
          storeAs={draft}
          onChange={setValue}
          onChosen={setChosen}
          onJsonChange={setIsJson}
        />
        <div className="row ask-actions">
          <button
            type="submit"
            className="primary"
            disabled={answer.isPending || value === undefined || !isJson}
          >
            Answer and go on
          </button>
          {isAttempted && all.size > 0 && (
            <span className="error-text" role="status">
              Not sent:{" "}
              {all.get("") ??
                `${all.size === 1 ? "one field is" : `${all.size} fields are`} missing or wrong`}
              .
            </span>
          )}
          {status === "paused" && <span className="muted">or resume, to vote on it again</span>}
        </div>
      </form>
      {answer.isError && <ErrorPanel error={answer.error} />}
    </section>
  );
}

interface InputProps {
  readonly schema: FormSchema;
  readonly value: unknown;
  readonly errors: InputErrors;
  /** Under which name what was typed survives a reload, also what is not JSON yet. */
  readonly storeAs: string;
  readonly onChange: (value: unknown) => void;
  readonly onChosen: Dispatch<SetStateAction<ChosenShapes>>;
  readonly onJsonChange: (isJson: boolean) => void;
}

/** A form for an object, one field for text, and JSON for schemas that no form is made of. */
function AnswerInput({ schema, value, errors, storeAs, onChange, onChosen, onJsonChange }: InputProps) {
  const kind = kindOf(schema);
  if (kind === "object")
    return (
      <InputEditor
        title="Answer"
        heading="h3"
        schema={schema}
        input={(value ?? {}) as Record<string, unknown>}
        errors={errors}
        storeAs={storeAs}
        onChange={onChange}
        onChosen={onChosen}
        onJsonChange={onJsonChange}
      />
    );
  return kind === "text" ? (
    <TextAnswer
      label="The result of the step"
      initial={typeof value === "string" ? value : ""}
      onChange={(text) => onChange(text || undefined)}
    />
  ) : (
    <JsonAnswer {...{ value, storeAs, onChange, onJsonChange }} />
  );
}

/** What is not JSON says so, and stays as it was typed. */
function JsonAnswer({
  value,
  storeAs,
  onChange,
  onJsonChange,
}: Pick<InputProps, "value" | "storeAs" | "onChange" | "onJsonChange">) {
  const [text, setText] = useStored(
    `json ${storeAs}`,
    useState(() => (value === undefined ? "" : JSON.stringify(value)))[0],
  );
  const { error } = parse(text);
  useEffect(() => onJsonChange(error === undefined), [error === undefined]);
  return (
    <TextAnswer
      label="The answer, as JSON of the step's schema"
      mono
      initial={text}
      error={text.trim() === "" ? undefined : error}
      onChange={(next) => {
        setText(next);
        onChange(parse(next).value);
      }}
    />
  );
}

function TextAnswer({
  label,
  mono = false,
  error,
  initial,
  onChange,
}: {
  readonly label: string;
  readonly initial: string;
  readonly mono?: boolean;
  readonly error?: string | undefined;
  readonly onChange: (text: string) => void;
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className={mono ? "mono" : ""}
        rows={4}
        required
        defaultValue={initial}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={`${id}-error`}
        onChange={({ target }) => onChange(target.value)}
      />
      <p id={`${id}-error`} className="error-text">
        {error && `Not JSON: ${error}.`}
      </p>
    </div>
  );
}

function parse(text: string): { value?: unknown; error?: string } {
  try {
    return { value: parseExact(text) };
  } catch (reason) {
    return { error: (reason as Error).message };
  }
}
