import { isObject } from "@mci-ts/primitives/is-object";
import { useCallback, useEffect, useId, useMemo, useState } from "react";
import type { InputErrors } from "./check-input.ts";
import { FieldErrorsContext } from "./field-errors.ts";
import type { FormSchema } from "./json-schema.ts";
import { SchemaForm } from "./schema-form.tsx";

const NO_ERRORS: InputErrors = new Map();

/** The form, or the same input as JSON. */
export function InputEditor({
  title,
  schema,
  input,
  errors = NO_ERRORS,
  onChange,
  onJsonChange,
}: {
  title: string;
  schema: FormSchema;
  input: Record<string, unknown>;
  /** What is wrong with which field. Default: nothing. */
  errors?: InputErrors;
  onChange: (input: Record<string, unknown>) => void;
  /** Called with false while a text is not JSON, so `input` is not what is shown; and with true again. */
  onJsonChange: (isJson: boolean) => void;
}) {
  const id = useId();
  const [raw, setRaw] = useState<string>();
  const [error, setError] = useState<string>();
  const [notJson, setFields] = useState<ReadonlySet<string>>(new Set());
  const setNotJson = useCallback((field: string, isNotJson: boolean) => {
    setFields((before) => {
      if (before.has(field) === isNotJson) return before;
      const after = new Set(before);
      if (isNotJson) after.add(field);
      else after.delete(field);
      return after;
    });
  }, []);
  const shared = useMemo(() => ({ errors, setNotJson }), [errors, setNotJson]);
  const isJson = error === undefined && notJson.size === 0;
  useEffect(() => onJsonChange(isJson), [isJson]);
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
        <FieldErrorsContext value={shared}>
          <SchemaForm schema={schema} value={input} onChange={onChange} />
        </FieldErrorsContext>
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
                const parsed: unknown = JSON.parse(target.value);
                if (!isObject(parsed)) throw new Error("it must be an object, {…}");
                onChange(parsed);
                setError(undefined);
              } catch (reason) {
                setError((reason as Error).message);
              }
            }}
          />
          {error && (
            <p className="error-text" role="alert">
              Not an input: {error}
            </p>
          )}
          {!error && errors.size > 0 && (
            <ul className="error-text" role="alert">
              {[...errors].map(([path, message]) => (
                <li key={path}>
                  <code>{path || "/"}</code> {message}
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </>
  );
}
