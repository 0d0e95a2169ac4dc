import { isObject } from "@mci-ts/primitives/is-object";
import { useMemo, useState } from "react";
import type { ToolDetail } from "../../serve/tools/types.ts";
import { checkInput } from "../parts/form/check-input.ts";
import { JsonView } from "../parts/json/json-view.tsx";

/** What the tool says of itself as it says it: what it takes, what it returns, its hints. */
export function ToolSchemas({ tool: { inputSchema, outputSchema, annotations } }: { tool: ToolDetail }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="card" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>Schemas{annotations && " and hints"}</summary>
      {isOpen && (
        <>
          <h3>Input</h3>
          <JsonView value={inputSchema} />
          <h3>Output</h3>
          {outputSchema === undefined ? (
            <p className="muted">It does not say what it returns.</p>
          ) : (
            <JsonView value={outputSchema} />
          )}
          {annotations && (
            <>
              <h3>Hints, which nothing checks</h3>
              <JsonView value={annotations} />
            </>
          )}
        </>
      )}
    </details>
  );
}

/** Says where a structured result is not what the tool's output schema says. Calls pass it on all the same. */
export function OutputCheck({ schema, value }: { schema: unknown; value: unknown }) {
  const errors = useMemo(
    () => (isObject(schema) && value !== undefined ? [...checkInput(schema, value)] : []),
    [schema, value],
  );
  if (errors.length === 0) return null;
  return (
    <section className="card" aria-label="Not what the output schema says">
      <p className="warning">The structured result is not what the tool’s output schema says:</p>
      <ul>
        {errors.slice(0, MAX_ERRORS).map(([path, message]) => (
          <li key={path}>
            <code className="break">{path || "/"}</code> {message}
          </li>
        ))}
      </ul>
      {errors.length > MAX_ERRORS && <p className="muted">And {errors.length - MAX_ERRORS} more.</p>}
    </section>
  );
}

const MAX_ERRORS = 20;
