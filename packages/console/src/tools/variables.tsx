import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { VariableList, VariableState } from "../../serve/tools/types.ts";
import { getJson } from "../api/http.ts";
import { ScrollTable } from "../parts/lists/scroll-table.tsx";
import { ErrorPanel } from "../parts/state-panel.tsx";

/** Colour and explanation of each state. */
const STATES: Readonly<Record<VariableState["state"], readonly [badge: string, hint: string]>> = {
  set: ["succeeded", "has a value"],
  empty: ["partial", "is set to nothing, which counts as a value"],
  missing: ["failed", "tools that need it fail"],
  optional: ["", "not set; everything that uses it goes on without it"],
};

/** The variables of the file, each with the tools that use it. A value can be set for this session, and is never shown again. */
export function Variables({ variables, settable }: VariableList) {
  const hasSource = variables.some(({ source }) => source !== undefined);
  return (
    <ScrollTable
      className="variables"
      label="List of variables"
      columns={[
        "Name",
        "State",
        ...(hasSource ? ["From"] : []),
        "Used by",
        ...(settable ? ["For this session"] : []),
      ]}
    >
      {variables.map((variable) => {
        const { name, state, source, used_by, tools = [] } = variable;
        return (
          <tr key={name}>
            <td>
              <code>{name}</code>
            </td>
            <td data-label="State">
              <span className={`badge ${STATES[state][0]}`}>{state}</span>{" "}
              <span className="muted">{STATES[state][1]}</span>
            </td>
            {hasSource && <td data-label="From">{source ?? "–"}</td>}
            <td data-label="Used by">
              {tools.length === 0
                ? used_by.join(", ")
                : tools.map((tool) => (
                    <a key={tool} className="used-by" href={`#/tools/${encodeURIComponent(tool)}`}>
                      {tool}
                    </a>
                  ))}
            </td>
            {settable && (
              <td data-label="For this session">
                <SessionValue variable={variable} />
              </td>
            )}
          </tr>
        );
      })}
    </ScrollTable>
  );
}

function SessionValue({ variable: { name, source } }: { variable: VariableState }) {
  const id = useId();
  const [value, setValue] = useState("");
  const queries = useQueryClient();
  const set = useMutation({
    mutationFn: (next: string | null) =>
      getJson<VariableList>(`api/variables/${encodeURIComponent(name)}`, {
        method: "PUT",
        body: { value: next },
      }),
    onSuccess: (list) => {
      setValue("");
      queries.setQueryData(["variables"], list);
    },
  });
  return (
    <form
      className="row nowrap session-value"
      onSubmit={(event) => {
        event.preventDefault();
        if (value !== "") set.mutate(value);
      }}
    >
      <label htmlFor={id} className="visually-hidden">
        Value of {name} for this session
      </label>
      <input
        id={id}
        type="password"
        autoComplete="off"
        value={value}
        onChange={({ target }) => setValue(target.value)}
      />
      <button
        type="submit"
        className="quiet"
        aria-label={`Set ${name}`}
        disabled={value === "" || set.isPending}
      >
        Set
      </button>
      {source === "this session" && (
        <button
          type="button"
          className="quiet"
          aria-label={`Take back ${name}`}
          onClick={() => set.mutate(null)}
        >
          Take back
        </button>
      )}
      {set.isError && <ErrorPanel error={set.error} />}
    </form>
  );
}
