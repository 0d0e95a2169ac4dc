import type { EvaluationOptions } from "@mci-ts/council-server/api";
import { type Dispatch, lazy, type SetStateAction, Suspense, useId, useState } from "react";
import type { FormSchema } from "../../../parts/form/json-schema.ts";
import { plural } from "../../../parts/format.ts";
import { titleOf } from "../matrix.ts";
import { newColumn, newId } from "../new-evaluation.ts";
import type { Column, Evaluation } from "../types.ts";

/** The form of the settings is loaded when they are unfolded. */
const InputEditor = lazy(async () => ({
  default: (await import("../../../parts/form/input-editor.tsx")).InputEditor,
}));

interface CardProps {
  readonly evaluation: Evaluation;
  readonly options: EvaluationOptions | undefined;
  readonly isOpen: boolean;
  readonly edit: (patch: Partial<Evaluation>) => void;
  /** Which configurations have a text that is not JSON. */
  readonly setNotJson: Dispatch<SetStateAction<ReadonlySet<string>>>;
}

const MAX_COLUMNS = 12;
const MAX_REPEATS = 25;
const MAX_CONCURRENCY = 16;

/** In which ways it is answered: the columns of the matrix. */
export function ColumnsCard({ evaluation, options, isOpen, edit, setNotJson }: CardProps) {
  const id = useId();
  const { columns, repeats, concurrency } = evaluation;
  const set = (column: Column) =>
    edit({ columns: columns.map((each) => (each.id === column.id ? column : each)) });
  const number = (text: string, most: number) => Math.min(most, Math.max(1, Math.floor(Number(text)) || 1));
  return (
    <details className="card" open={isOpen}>
      <summary>
        <h2>Configurations</h2>{" "}
        <span className="muted">{columns.map((column) => titleOf(column, evaluation)).join(" · ")}</span>
      </summary>
      <datalist id={`${id}-models`}>
        {options?.models.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <div className="columns">
        {columns.map((column, index) => (
          <ColumnForm
            key={column.id}
            {...{ column, index, evaluation, options, set, setNotJson }}
            models={`${id}-models`}
            remove={() => edit({ columns: columns.filter((each) => each.id !== column.id) })}
            copy={() => edit({ columns: columns.toSpliced(index + 1, 0, { ...column, id: newId() }) })}
            isFull={columns.length >= MAX_COLUMNS}
          />
        ))}
      </div>
      <div className="row">
        <button
          type="button"
          disabled={columns.length >= MAX_COLUMNS}
          onClick={() => edit({ columns: [...columns, newColumn({ method: "vote-3" })] })}
        >
          Add a configuration
        </button>
        <label>
          Times each question is asked
          <input
            type="number"
            min={1}
            max={MAX_REPEATS}
            value={repeats}
            onChange={({ target }) => edit({ repeats: number(target.value, MAX_REPEATS) })}
          />
        </label>
        <label>
          Questions at a time
          <input
            type="number"
            min={1}
            max={MAX_CONCURRENCY}
            value={concurrency}
            onChange={({ target }) => edit({ concurrency: number(target.value, MAX_CONCURRENCY) })}
          />
        </label>
      </div>
    </details>
  );
}

/** How the methods of `mci-council eval` are chosen: a kind, and a number where it has one. */
const KINDS = [
  { kind: "single", label: "Single call" },
  { kind: "vote", label: "Vote", number: "Lead to win (k)", usual: 3 },
  { kind: "cheap", label: "Cheap first", number: "Lead to win (k)", usual: 3 },
  { kind: "council", label: "Council with a judge", number: "Seats", usual: 3 },
] as const;
type Kind = (typeof KINDS)[number]["kind"];

function kindOf({ method, settings }: Column): Kind {
  const kind = method.split("-")[0] as Kind;
  return kind === "vote" && settings["cheap_first"] === true ? "cheap" : kind;
}

function ColumnForm({
  column,
  index,
  evaluation,
  options,
  models,
  set,
  remove,
  copy,
  isFull,
  setNotJson,
}: {
  column: Column;
  index: number;
  evaluation: Evaluation;
  options: EvaluationOptions | undefined;
  models: string;
  set: (column: Column) => void;
  remove: () => void;
  copy: () => void;
  isFull: boolean;
  setNotJson: CardProps["setNotJson"];
}) {
  const [isUnfolded, setIsUnfolded] = useState(false);
  const kind = KINDS.find((each) => each.kind === kindOf(column)) ?? KINDS[0];
  const number = Number(column.method.split("-")[1] ?? 3);
  const choose = (chosen: Kind, size: number) => {
    const { cheap_first: _, ...settings } = column.settings;
    const method = chosen === "single" ? "single" : `${chosen === "council" ? "council" : "vote"}-${size}`;
    set({ ...column, method, settings: chosen === "cheap" ? { ...settings, cheap_first: true } : settings });
  };
  const prompts = evaluation.prompts.length;
  const settled = Object.keys(column.settings).length;
  return (
    <fieldset className="group">
      <legend>
        <bdi>{`${index + 1}. ${titleOf(column, evaluation)}`}</bdi>
      </legend>
      <label>
        Method
        <select value={kind.kind} onChange={({ target }) => choose(target.value as Kind, number)}>
          {KINDS.map((each) => (
            <option key={each.kind} value={each.kind}>
              {each.label}
            </option>
          ))}
        </select>
      </label>
      {"number" in kind && (
        <label>
          {kind.number}
          <input
            type="number"
            min={1}
            max={25}
            value={number}
            onChange={({ target }) =>
              choose(kind.kind, Math.min(25, Math.max(1, Math.floor(Number(target.value)) || 1)))
            }
          />
        </label>
      )}
      <label>
        Model
        <input
          list={models}
          value={column.model}
          maxLength={200}
          placeholder={options?.models[0]?.name ?? "the service's own"}
          onChange={({ target }) => set({ ...column, model: target.value })}
        />
      </label>
      {prompts > 1 && (
        <label>
          Prompt
          <select
            value={Math.min(column.prompt, prompts - 1)}
            onChange={({ target }) => set({ ...column, prompt: Number(target.value) })}
          >
            {evaluation.prompts.map((_, prompt) => (
              <option key={prompt} value={prompt}>
                Prompt {prompt + 1}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        Name
        <input
          value={column.name}
          maxLength={80}
          placeholder={titleOf({ ...column, name: "" }, { columns: [] })}
          onChange={({ target }) => set({ ...column, name: target.value })}
        />
      </label>
      <details className="wide" onToggle={({ currentTarget }) => currentTarget.open && setIsUnfolded(true)}>
        <summary>
          Settings <span className="muted">{settled > 0 && plural(settled, "setting")}</span>
        </summary>
        {isUnfolded && options && (
          <Suspense fallback={<p className="muted">Loading…</p>}>
            <InputEditor
              title={`Settings of ${index + 1}`}
              schema={options.settings as FormSchema}
              input={column.settings as Record<string, unknown>}
              onChange={(settings) => set({ ...column, settings })}
              onJsonChange={(isJson) =>
                setNotJson((before) =>
                  isJson
                    ? new Set([...before].filter((each) => each !== column.id))
                    : new Set([...before, column.id]),
                )
              }
            />
          </Suspense>
        )}
      </details>
      <div className="row wide">
        <button type="button" className="quiet" disabled={isFull} onClick={copy}>
          Copy {index + 1}
        </button>
        <button type="button" className="quiet" onClick={remove}>
          Remove {index + 1}
        </button>
      </div>
    </fieldset>
  );
}
