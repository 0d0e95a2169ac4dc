import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import type { CompletionResponse } from "../../../serve/tools/servers/types.ts";
import { plural } from "../../parts/format.ts";
import { VisibleText } from "../../parts/text/visible-text.tsx";

/** Milliseconds after the last key in which nothing is asked. */
const ASK_AFTER_MS = 200;
const MAX_ROWS = 12;

export interface Argument {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required?: boolean;
}

/** What is proposed for an argument, as far as it is typed. */
export type Complete = (name: string, value: string, signal: AbortSignal) => Promise<CompletionResponse>;

/** A text, with what the server proposes for it below: arrow keys choose, Enter takes, Escape closes. */
export function ArgumentField({
  argument: { name, title, description, required = false },
  value,
  error,
  proposalsOf,
  complete,
  onChange,
}: {
  argument: Argument;
  value: string;
  error: string | undefined;
  /** Whose proposals they are, with all that they depend on. */
  proposalsOf: readonly unknown[];
  /** Absent: there are none. */
  complete: Complete | undefined;
  onChange: (value: string) => void;
}) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const typed = usePaused(value);
  const proposals = useQuery({
    queryKey: ["proposals", ...proposalsOf, name, typed],
    enabled: complete !== undefined && isOpen && typed === value,
    queryFn: ({ signal }) => complete!(name, typed, signal),
    retry: false,
  });
  const found = (isOpen && typed === value && proposals.data?.values) || [];
  // What is there already need not be proposed.
  const values = found.length === 1 && found[0] === value ? [] : found;
  const current = Math.min(active, values.length - 1);
  const close = () => {
    setIsOpen(false);
    setActive(-1);
  };
  const take = (chosen: string) => {
    onChange(chosen);
    close();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && complete !== undefined && !value.includes("\n")) {
      event.preventDefault();
      setIsOpen(true);
      if (values.length === 0) return;
      const next = (current + step + values.length) % values.length;
      setActive(next);
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Escape" && isOpen) {
      event.preventDefault();
      close();
    } else if (event.key === "Enter" && !event.shiftKey && !event.ctrlKey && !event.metaKey) {
      if (current >= 0) {
        event.preventDefault();
        take(values[current]!);
      } else if (!value.includes("\n")) {
        // As in a field of one line; Shift+Enter begins another.
        event.preventDefault();
        close();
        event.currentTarget.form?.requestSubmit();
      }
    }
  };
  return (
    <div className={`field ${error === undefined ? "" : "invalid-field"}`}>
      <label htmlFor={id}>
        <VisibleText text={title ?? name} /> {required && <span className="required">required</span>}
      </label>
      {description && (
        <small id={`${id}-about`}>
          <VisibleText text={description} />
        </small>
      )}
      <div className="proposals">
        <textarea
          id={id}
          rows={Math.min(MAX_ROWS, value.split("\n").length)}
          autoComplete="off"
          spellCheck={false}
          aria-required={required}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={[description && `${id}-about`, error && `${id}-error`].filter(Boolean).join(" ")}
          {...(complete && {
            "aria-autocomplete": "list",
            "aria-controls": values.length > 0 ? `${id}-list` : undefined,
            "aria-activedescendant": current >= 0 ? `${id}-${current}` : undefined,
          })}
          value={value}
          onChange={({ target }) => {
            onChange(target.value);
            setActive(-1);
            setIsOpen(true);
          }}
          onKeyDown={onKeyDown}
          onBlur={close}
        />
        {values.length > 0 && (
          <div id={`${id}-list`} role="listbox" aria-label={`Proposals for ${name}`} className="menu-items">
            {values.map((each, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys
              <div
                key={index}
                id={`${id}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === current}
                // Before the field loses the focus, which closes the list.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => take(each)}
              >
                <VisibleText text={each} />
              </div>
            ))}
          </div>
        )}
      </div>
      <span role="status" className="visually-hidden">
        {values.length > 0 &&
          `${plural(values.length, "proposal")}${proposals.data?.has_more ? ", there are more" : ""}. Arrow keys choose.`}
      </span>
      {isOpen && proposals.isError && (
        <small>
          No proposals: <VisibleText text={proposals.error.message} />
        </small>
      )}
      {values.length > 0 && proposals.data?.has_more && (
        <small>There are more; type to narrow them down.</small>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className="error-text" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

/** The value once it has not changed for a while. */
function usePaused(value: string): string {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), ASK_AFTER_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}
