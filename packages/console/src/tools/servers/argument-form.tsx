import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { CompletionResponse } from "../../../serve/tools/servers/types.ts";
import { getJson } from "../../api/http.ts";
import { useStored } from "../../parts/stored.ts";
import { type Argument, ArgumentField } from "./argument-field.tsx";
import { type Place, sourcePath } from "./place.ts";

type Values = Readonly<Record<string, string>>;
const NO_VALUES: Values = {};
const MISSING = "This is required.";

/** The form of a prompt's arguments, or of a template's variables. What was typed is there again after a reload. */
export function ArgumentForm({
  place,
  of,
  argumentsOf,
  action,
  isAsking,
  onSubmit,
  onCancel,
  children,
}: {
  place: Place;
  /** As the API names it, to ask for proposals. */
  of: { readonly prompt: string } | { readonly resource_template: string };
  argumentsOf: readonly Argument[];
  /** What the button says that sends it. */
  action: string;
  isAsking: boolean;
  onSubmit: (values: Values) => void;
  onCancel: () => void;
  /** What stands below the fields, made from what they hold. */
  children?: (values: Values) => ReactNode;
}) {
  const [values, setValues, clear] = useStored(`arguments ${place.source} ${JSON.stringify(of)}`, NO_VALUES);
  const [isAttempted, setIsAttempted] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const textOf = (name: string) => (Object.hasOwn(values, name) ? values[name]! : "");
  const missing = argumentsOf.filter(({ name, required }) => required && textOf(name) === "");
  const isRefused = isAttempted && missing.length > 0;
  useEffect(() => {
    if (isRefused) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [isRefused]);
  const given = (without?: string): Values =>
    Object.fromEntries(
      argumentsOf.flatMap(({ name }) =>
        name === without || textOf(name) === "" ? [] : [[name, textOf(name)]],
      ),
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsAttempted(true);
    if (missing.length === 0 && !isAsking) onSubmit(given());
  };
  return (
    <form ref={form} className="card schema-form" onSubmit={submit} noValidate>
      {argumentsOf.length === 0 && <p className="muted">It takes no arguments.</p>}
      {argumentsOf.map((argument) => {
        const { name } = argument;
        const others = given(name);
        return (
          <ArgumentField
            key={name}
            argument={argument}
            value={textOf(name)}
            error={isAttempted && missing.includes(argument) ? MISSING : undefined}
            proposalsOf={[place.source, of, others]}
            complete={
              place.completes
                ? (argumentName, value, signal) =>
                    getJson<CompletionResponse>(sourcePath(place.source, "complete"), {
                      body: { ...of, argument: { name: argumentName, value }, others },
                      signal,
                    })
                : undefined
            }
            onChange={(value) => setValues((before) => ({ ...before, [name]: value }))}
          />
        );
      })}
      {children?.(given())}
      <div className="row actions">
        {isAsking ? (
          <button type="button" className="danger" onClick={onCancel}>
            Cancel
          </button>
        ) : (
          <button type="submit" className="primary">
            {action}
          </button>
        )}
        {argumentsOf.length > 0 && (
          <button
            type="button"
            className="quiet"
            onClick={() => {
              clear();
              setIsAttempted(false);
            }}
          >
            Clear
          </button>
        )}
        {isRefused && (
          <span className="error-text" role="status">
            Not sent: {missing.length === 1 ? "one field is" : `${missing.length} fields are`} missing.
          </span>
        )}
      </div>
    </form>
  );
}
