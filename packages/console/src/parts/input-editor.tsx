import { useId, useState } from "react";
import type { FormSchema } from "./json-schema.ts";
import { SchemaForm } from "./schema-form.tsx";

/** The form, or the same input as JSON. */
export function InputEditor({
  title,
  schema,
  input,
  onChange,
}: {
  title: string;
  schema: FormSchema;
  input: Record<string, unknown>;
  onChange: (input: Record<string, unknown>) => void;
}) {
  const id = useId();
  const [raw, setRaw] = useState<string>();
  const [error, setError] = useState<string>();
  return (
    <>
      <div className="row spread">
        <h2>{title}</h2>
        <button
          type="button"
          className="quiet"
          onClick={() => (
            setError(undefined), setRaw(raw === undefined ? JSON.stringify(input, undefined, 2) : undefined)
          )}
        >
          {raw === undefined ? "Edit as JSON" : "Edit as form"}
        </button>
      </div>
      {raw === undefined ? (
        <SchemaForm schema={schema} value={input} onChange={onChange} />
      ) : (
        <>
          <label htmlFor={id} className="visually-hidden">
            {title} as JSON
          </label>
          <textarea
            id={id}
            className="mono"
            rows={10}
            spellCheck={false}
            value={raw}
            aria-invalid={error !== undefined}
            onChange={({ target }) => {
              setRaw(target.value);
              try {
                onChange(JSON.parse(target.value));
                setError(undefined);
              } catch (reason) {
                setError((reason as Error).message);
              }
            }}
          />
          {error && <p className="error-text">Not JSON: {error}</p>}
        </>
      )}
    </>
  );
}
