import { useContext, useEffect, useState } from "react";
import { parseExact } from "../json/parse-exact.ts";
import type { FieldProps } from "./field.ts";
import { FieldErrorsContext } from "./field-errors.ts";

export function JsonField({ value, onChange, control }: FieldProps) {
  const [text, setText] = useState(value === undefined ? "" : JSON.stringify(value, undefined, 2));
  const [error, setError] = useState<string>();
  const { setNotJson } = useContext(FieldErrorsContext);
  const { id } = control;
  useEffect(() => {
    setNotJson(id, error !== undefined);
    return () => setNotJson(id, false);
  }, [id, error, setNotJson]);
  return (
    <>
      <textarea
        {...control}
        rows={4}
        className="mono"
        spellCheck={false}
        value={text}
        placeholder="JSON"
        aria-invalid={error !== undefined || control["aria-invalid"]}
        aria-errormessage={error === undefined ? undefined : `${id}-not-json`}
        onChange={({ target }) => {
          setText(target.value);
          try {
            onChange(target.value.trim() === "" ? undefined : parseExact(target.value));
            setError(undefined);
          } catch (reason) {
            setError((reason as Error).message);
          }
        }}
      />
      {error && (
        <p id={`${id}-not-json`} className="error-text">
          Not JSON: {error}
        </p>
      )}
    </>
  );
}
