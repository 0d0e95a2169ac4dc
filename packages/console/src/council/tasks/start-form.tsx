import { EXAMPLE_TASK } from "@mci-ts/council/example-task";
import { useMutation } from "@tanstack/react-query";
import { type ChangeEvent, type FormEvent, type ReactNode, useEffect, useId, useState } from "react";
import { getJson } from "../../api/http.ts";
import { useReplaced } from "../../parts/replaced.tsx";
import { ErrorPanel } from "../../parts/state-panel.tsx";
import { useStored } from "../../parts/stored.ts";
import { navigate } from "../../router.ts";
import { EMPTY_TASK, fromSpec, problemsOf, type TaskFields, toSpec } from "./task-fields.ts";

/** Starts a task: by its fields, or as the JSON that any other client sends. Both show the same task. */
export function StartForm({ isOpen }: { isOpen: boolean }) {
  const [fields, setFields, clearFields] = useStored<TaskFields>("task", EMPTY_TASK);
  const [text, setText, clearText] = useStored<string | undefined>("task as JSON", undefined);
  const [open, setOpen] = useState(isOpen || fields !== EMPTY_TASK || text !== undefined);
  useEffect(() => {
    if (isOpen) setOpen(true);
  }, [isOpen]);
  const start = useMutation({
    mutationFn: async () =>
      getJson<{ id: string }>("tasks", { body: text === undefined ? toSpec(fields) : JSON.parse(text) }),
    onSuccess: ({ id }) => {
      clearFields();
      clearText();
      navigate(`/tasks/${encodeURIComponent(id)}`);
    },
  });
  const replaced = useReplaced((before: { fields: TaskFields; text: string | undefined }) => {
    setFields(before.fields);
    setText(before.text);
  });
  const id = useId();
  const problems = text === undefined ? problemsOf(fields) : jsonProblem(text);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problems.length === 0) start.mutate();
  };
  const toggle = () => {
    if (text === undefined) setText(JSON.stringify(toSpec(fields), undefined, 2));
    else {
      setFields(fromSpec(text) ?? fields);
      setText(undefined);
    }
  };
  return (
    <details className="card" open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <h2>Start a task</h2>
      </summary>
      <div className="row">
        <button
          type="button"
          className="quiet"
          onClick={toggle}
          disabled={text !== undefined && fromSpec(text) === undefined}
        >
          {text === undefined ? "Edit as JSON" : "Edit as form"}
        </button>
        <button
          type="button"
          className="quiet"
          onClick={() => {
            const example = JSON.stringify(EXAMPLE_TASK, undefined, 2);
            const isTyped = JSON.stringify(fields) !== JSON.stringify(EMPTY_TASK) || text !== undefined;
            if (isTyped) replaced.remember({ fields, text });
            setFields(fromSpec(example)!);
            setText((before) => (before === undefined ? undefined : example));
          }}
        >
          Fill in an example
        </button>
      </div>
      {replaced.notice}
      <form onSubmit={submit}>
        {text === undefined ? (
          <Fields fields={fields} set={(change) => setFields({ ...fields, ...change })} />
        ) : (
          <label>
            The task as JSON
            <textarea
              className="mono"
              rows={14}
              spellCheck={false}
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          </label>
        )}
        <div className="row ask-actions">
          <button
            type="submit"
            className="primary"
            disabled={start.isPending || problems.length > 0}
            aria-describedby={id}
          >
            {start.isPending ? "Starting…" : "Start"}
          </button>
          <span id={id} className="muted">
            {problems.join(" ")}
          </span>
        </div>
      </form>
      {start.isError && <ErrorPanel error={start.error} />}
    </details>
  );
}

function jsonProblem(text: string): readonly string[] {
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    return [`This is not JSON: ${(error as Error).message}.`];
  }
}

interface FieldsProps {
  readonly fields: TaskFields;
  readonly set: (change: Partial<TaskFields>) => void;
}

function Fields({ fields, set }: FieldsProps) {
  const isPlan = fields.kind === "plan";
  return (
    <div className="task-fields">
      <Field
        label="Kind"
        about="Steps: one question again and again, each answer the input of the next. A plan: a task that is divided, solved and put together."
      >
        {(id) => (
          <select
            id={id}
            value={fields.kind}
            onChange={({ target }) => set({ kind: target.value as TaskFields["kind"] })}
          >
            <option value="plan">A plan</option>
            <option value="steps">Steps</option>
          </select>
        )}
      </Field>
      {[NAME, ...(isPlan ? PLAN : STEPS), ...LIMITS].map((text) => (
        <Text key={`${fields.kind} ${text.name}`} {...text} {...{ fields, set }} />
      ))}
    </div>
  );
}

interface TextProps {
  readonly name: Exclude<keyof TaskFields, "kind">;
  readonly label: string;
  readonly about?: string;
  readonly rows?: number;
  readonly mono?: boolean;
  /** Beside others, where there is room. */
  readonly short?: boolean;
}

const NAME: TextProps = { name: "name", label: "Name", about: "Without one it is named by its first words." };
const PLAN: readonly TextProps[] = [{ name: "prompt", label: "What is to be done", rows: 4 }];
const STEPS: readonly TextProps[] = [
  { name: "state", label: "State at the start", about: "A JSON object.", rows: 3, mono: true },
  {
    name: "prompt",
    label: "Question of each step",
    rows: 3,
    about: "May use the state: {{state.n}}, and {{step}}, the number of the step.",
  },
  { name: "answer", label: "Schema of its answer", about: "JSON Schema of an object.", rows: 4, mono: true },
  {
    name: "next",
    label: "State after a step",
    mono: true,
    about: "JMESPath over state, answer and step: { n: answer.n }",
  },
  {
    name: "until",
    label: "Done when",
    mono: true,
    about: "JMESPath that becomes true: state.n >= `20`",
  },
  { name: "maxSteps", label: "Steps at most", short: true },
];
const LIMITS: readonly TextProps[] = [
  { name: "k", label: "k", about: "Votes that an answer must be ahead by. Default 3.", short: true },
  {
    name: "maxUsd",
    short: true,
    label: "Budget in US dollars",
    about: "The task pauses when it is spent. Default: none.",
  },
];

function Text({
  name,
  label,
  about,
  rows = 1,
  mono = false,
  short = false,
  fields,
  set,
}: FieldsProps & TextProps) {
  return (
    <Field label={label} about={about} short={short}>
      {(id, aboutId) => {
        const control = {
          id,
          "aria-describedby": aboutId,
          className: mono ? "mono" : "",
          value: fields[name],
          onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
            set({ [name]: target.value }),
        };
        return rows > 1 ? <textarea rows={rows} {...control} /> : <input {...control} />;
      }}
    </Field>
  );
}

function Field({
  label,
  about,
  short = false,
  children,
}: {
  label: string;
  about?: string | undefined;
  short?: boolean;
  children: (id: string, aboutId: string | undefined) => ReactNode;
}) {
  const id = useId();
  const aboutId = about === undefined ? undefined : `${id}-about`;
  return (
    <div className={short ? "field short" : "field"}>
      <label htmlFor={id}>{label}</label>
      {about !== undefined && (
        <small id={aboutId} className="muted">
          {about}
        </small>
      )}
      {children(id, aboutId)}
    </div>
  );
}
