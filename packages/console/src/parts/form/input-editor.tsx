import { isObject } from "@mci-ts/primitives/is-object";
import {
  type Dispatch,
  type SetStateAction,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import { parseExact } from "../json/parse-exact.ts";
import { readStored, writeStored } from "../stored.ts";
import type { ChosenShapes, InputErrors } from "./check-input.ts";
import { FieldErrorsContext } from "./field-errors.ts";
import type { FormSchema } from "./json-schema.ts";
import { SchemaForm } from "./schema-form.tsx";

const NO_ERRORS: InputErrors = new Map();

/** The form, or the same input as JSON. */
export function InputEditor({
  title,
  heading: Heading = "h2",
  schema,
  input,
  errors = NO_ERRORS,
  storeAs,
  mayStore = () => true,
  onChange,
  onChosen,
  onJsonChange,
}: {
  title: string;
  /** Default: h2. */
  heading?: "h2" | "h3";
  schema: FormSchema;
  input: Record<string, unknown>;
  /** What is wrong with which field. Default: nothing. */
  errors?: InputErrors;
  /** Under which name a JSON text survives a reload. Default: it does not. */
  storeAs?: string;
  /** Whether this text may be stored. Default: any. */
  mayStore?: (text: string) => boolean;
  onChange: (input: Record<string, unknown>) => void;
  /** Told which of several shapes each value has in the form. Default: no one asks. */
  onChosen?: Dispatch<SetStateAction<ChosenShapes>>;
  /** Called with false while a text is not JSON, so `input` is not what is shown; and with true again. */
  onJsonChange: (isJson: boolean) => void;
}) {
  const [raw, setStoredRaw] = useState<string | undefined>(
    () => storeAs && readStored<string>(`json ${storeAs}`),
  );
  const setRaw = (text: string | undefined) => {
    setStoredRaw(text);
    if (storeAs !== undefined)
      writeStored(`json ${storeAs}`, text !== undefined && mayStore(text) ? text : undefined);
  };
  const parsed = useMemo(() => (raw === undefined ? undefined : parseInput(raw)), [raw]);
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
  const setChosen = useCallback(
    (path: string, shape: number | undefined) =>
      onChosen?.((before) => {
        if (before.get(path) === shape) return before;
        const others = [...before].filter(([other]) => other !== path);
        return new Map(shape === undefined ? others : [...others, [path, shape]]);
      }),
    [onChosen],
  );
  const shared = useMemo(() => ({ errors, setNotJson, setChosen }), [errors, setNotJson, setChosen]);
  const isJson = parsed?.error === undefined && notJson.size === 0;
  useEffect(() => onJsonChange(isJson), [isJson]);
  return (
    <>
      <div className="row spread">
        <Heading>{title}</Heading>
        <button
          type="button"
          className="quiet"
          // The form would show the input before, and what was typed would be gone.
          disabled={parsed?.error !== undefined}
          onClick={() => setRaw(raw === undefined ? JSON.stringify(input, undefined, 2) : undefined)}
        >
          {raw === undefined ? "Edit as JSON" : "Edit as form"}
        </button>
      </div>
      {raw === undefined ? (
        <FieldErrorsContext value={shared}>
          <SchemaForm schema={schema} value={input} onChange={onChange} />
        </FieldErrorsContext>
      ) : (
        <JsonInput
          title={title}
          text={raw}
          error={parsed?.error}
          errors={errors}
          onChange={(text) => {
            setRaw(text);
            const { input: next } = parseInput(text);
            if (next) onChange(next);
          }}
        />
      )}
    </>
  );
}

function JsonInput({
  title,
  text,
  error,
  errors,
  onChange,
}: {
  title: string;
  text: string;
  error: string | undefined;
  errors: InputErrors;
  onChange: (text: string) => void;
}) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [, position] = /position (\d+)/.exec(error ?? "") ?? [];
  return (
    <>
      <label htmlFor={id} className="visually-hidden">
        {title} as JSON
      </label>
      <textarea
        id={id}
        ref={area}
        className="mono"
        rows={Math.min(24, Math.max(6, text.split("\n").length + 1))}
        spellCheck={false}
        value={text}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-errors`}
        onChange={({ target }) => onChange(target.value)}
      />
      {/* Its reason changes with every key: only that it is not JSON is read out. */}
      <p className="visually-hidden" role="status">
        {error === undefined ? "" : "Not JSON yet."}
      </p>
      {error && (
        <p className="error-text" id={`${id}-errors`}>
          Not an input: {error}{" "}
          {position !== undefined && (
            <button
              type="button"
              className="quiet"
              onClick={() => {
                area.current?.focus();
                area.current?.setSelectionRange(Number(position), Number(position) + 1);
              }}
            >
              Go to it
            </button>
          )}
        </p>
      )}
      {!error && errors.size > 0 && (
        <ul className="error-text" id={`${id}-errors`}>
          {[...errors].map(([path, message]) => (
            <li key={path}>
              <code>{path || "/"}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function parseInput(text: string): { input?: Record<string, unknown>; error?: string } {
  try {
    const parsed = parseExact(text);
    if (!isObject(parsed)) throw new Error("it must be an object, {…}");
    return { input: parsed };
  } catch (reason) {
    return { error: (reason as Error).message };
  }
}
