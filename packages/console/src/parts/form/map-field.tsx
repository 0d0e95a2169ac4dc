import { isObject } from "@mci-ts/primitives/is-object";
import { useId, useState } from "react";
import { type GroupProps, labelOf, type RenderField, withField } from "./field.ts";
import type { FormSchema } from "./json-schema.ts";

/** An object whose keys are free. */
export function MapField({
  name,
  path,
  schema,
  root,
  value,
  required,
  onChange,
  depth,
  renderField,
}: GroupProps) {
  return (
    <MapRows
      title={labelOf({ name, schema })}
      {...{ path, root, depth, renderField }}
      schema={schema.additionalProperties as FormSchema}
      value={isObject(value) ? value : {}}
      except={[]}
      onChange={(next) => onChange(Object.keys(next).length === 0 && !required ? undefined : next)}
    />
  );
}

/** The entries besides those of `except`, and a row that adds one. A key that is there already is not added again. */
export function MapRows({
  title,
  path,
  schema,
  root,
  value,
  except,
  depth,
  onChange,
  renderField,
}: {
  title: string;
  path: string;
  /** The schema of each value. */
  schema: FormSchema;
  root: FormSchema;
  value: Readonly<Record<string, unknown>>;
  except: readonly string[];
  depth: number;
  onChange: (value: Record<string, unknown>) => void;
  renderField: RenderField;
}) {
  const id = useId();
  const [key, setKey] = useState("");
  // A key that has no value yet is not part of the input.
  const [added, setAdded] = useState<readonly string[]>([]);
  const keys = [...new Set([...Object.keys(value), ...added])].filter((each) => !except.includes(each));
  const isTaken = keys.includes(key) || except.includes(key);
  const add = () => {
    if (key === "" || isTaken) return;
    setAdded([...added, key]);
    setKey("");
  };
  return (
    <>
      {keys.map((each) => (
        <div key={each} className="row list-item">
          <div className="grow">
            {renderField({
              name: each,
              path: `${path}/${each}`,
              schema: { ...schema, title: each },
              root,
              value: value[each],
              required: true,
              isEntry: true,
              depth: depth + 1,
              onChange: (next) => onChange(withField(value, each, next)),
            })}
          </div>
          <button
            type="button"
            className="quiet"
            aria-label={`Remove ${each}`}
            onClick={() => {
              setAdded(added.filter((one) => one !== each));
              onChange(withField(value, each, undefined));
            }}
          >
            Remove
          </button>
        </div>
      ))}
      <div className="row list-item">
        <div className="grow">
          <label htmlFor={id}>Key of a new entry</label>
          <input
            id={id}
            value={key}
            autoComplete="off"
            aria-invalid={isTaken || undefined}
            onChange={({ target }) => setKey(target.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter") return;
              event.preventDefault();
              add();
            }}
          />
        </div>
        <button type="button" disabled={key === "" || isTaken} onClick={add}>
          Add to {title}
        </button>
      </div>
      {isTaken && <p className="error-text">There is “{key}” already.</p>}
    </>
  );
}
