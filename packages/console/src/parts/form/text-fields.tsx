import { type ClipboardEvent, useState } from "react";
import type { FieldProps } from "./field.ts";

const shownText = (value: unknown) =>
  typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);

const INPUT_TYPES: Readonly<Record<string, string>> = { email: "email", uri: "url" };

export function TextField({ name, schema, value, required, onChange, control }: FieldProps) {
  const text = shownText(value);
  // Once: another element in its place, while one types, would lose the focus.
  const [isLong, setIsLong] = useState(
    () =>
      text.length > 60 || text.includes("\n") || /body|content|text|message|description|query/i.test(name),
  );
  const [isPasted, setIsPasted] = useState(false);
  /** A field of one line would drop the breaks without a word. */
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData("text");
    if (!/[\r\n]/.test(pasted.trimEnd())) return;
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget;
    setIsLong(true);
    setIsPasted(true);
    onChange(text.slice(0, selectionStart ?? text.length) + pasted + text.slice(selectionEnd ?? text.length));
  };
  const [example] = schema.examples ?? [];
  const common = {
    ...control,
    value: text,
    required,
    placeholder: typeof example === "string" ? `for example ${example}` : undefined,
    onChange: ({ target }: { target: { value: string } }) =>
      onChange(target.value === "" && !required ? undefined : target.value),
  };
  return isLong ? (
    // It takes the place of the line that had the focus.
    <textarea rows={Math.min(10, text.split("\n").length + 1)} autoFocus={isPasted} {...common} />
  ) : (
    <input type={INPUT_TYPES[schema.format ?? ""] ?? "text"} autoComplete="off" onPaste={paste} {...common} />
  );
}

export function PasswordField({ value, required, onChange, control }: FieldProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <div className="row nowrap">
      <input
        {...control}
        className="grow"
        type={isShown ? "text" : "password"}
        autoComplete="off"
        value={shownText(value)}
        required={required}
        onChange={({ target }) => onChange(target.value === "" && !required ? undefined : target.value)}
      />
      <button type="button" aria-pressed={isShown} onClick={() => setIsShown(!isShown)}>
        Show
      </button>
    </div>
  );
}

/** Text that is being typed is not always a number; the input keeps it, and the value is what it means. */
export function NumberField({ schema, value, required, onChange, control }: FieldProps) {
  const [text, setText] = useState(typeof value === "number" ? String(value) : "");
  const isCurrent = (text === "" ? undefined : Number(text)) === value;
  const isInteger = [schema.type].flat().includes("integer");
  return (
    <input
      {...control}
      type="number"
      inputMode={isInteger ? "numeric" : "decimal"}
      step={isInteger ? 1 : "any"}
      min={schema.minimum}
      max={schema.maximum}
      value={isCurrent ? text : typeof value === "number" ? value : ""}
      required={required}
      onChange={({ target }) => {
        setText(target.value);
        onChange(target.value === "" ? undefined : Number(target.value));
      }}
    />
  );
}

export function DateField({ value, required, onChange, control, ...rest }: FieldProps) {
  if (value !== undefined && !/^\d{4}-\d\d-\d\d$/.test(String(value)))
    return <TextField {...{ value, required, onChange, control, ...rest }} />;
  return (
    <input
      {...control}
      type="date"
      value={shownText(value)}
      required={required}
      onChange={({ target }) => onChange(target.value || undefined)}
    />
  );
}

/** Chosen in the time of this place, sent with its offset made explicit (UTC). */
export function DateTimeField({ value, required, onChange, control, ...rest }: FieldProps) {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  if (value !== undefined && Number.isNaN(time))
    return <TextField {...{ value, required, onChange, control, ...rest }} />;
  return (
    <>
      <input
        {...control}
        type="datetime-local"
        step={1}
        value={value === undefined ? "" : localTime(new Date(time))}
        required={required}
        onChange={({ target }) =>
          onChange(target.value === "" ? undefined : new Date(target.value).toISOString())
        }
      />
      {typeof value === "string" && <small>Sent as {value}</small>}
    </>
  );
}

function localTime(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
