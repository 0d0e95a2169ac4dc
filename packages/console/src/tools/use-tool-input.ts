import { useEffect, useState } from "react";
import type { ToolDetail } from "../../serve/tools/types.ts";
import { type FormSchema, initialValue } from "../parts/form/json-schema.ts";
import { replaceInput, savedInput, saveInput } from "./saved-input.ts";

export interface ToolInput {
  readonly input: Record<string, unknown>;
  /** Changes when the input was replaced from outside the form. */
  readonly revision: number;
  readonly setInput: (input: Record<string, unknown>) => void;
  /** Another input in place of what was typed. */
  readonly replace: (input: Record<string, unknown>) => void;
  /** Back to the defaults. */
  readonly reset: () => void;
}

/** The input of a tool: what was typed before, or the defaults of its schema. What was typed survives a reload of file and page. */
export function useToolInput(name: string, tool: ToolDetail | undefined): ToolInput | undefined {
  const schema = tool?.inputSchema as FormSchema | undefined;
  const [state, setState] = useState(() => ({ input: savedInput(name), revision: 0 }));
  const defaults = () => ((schema && initialValue(schema, schema)) ?? {}) as Record<string, unknown>;
  useEffect(() => {
    if (schema) setState((before) => ({ ...before, input: before.input ?? defaults() }));
  }, [schema]);
  if (state.input === undefined) return undefined;
  const replace = (input: Record<string, unknown>, isTyped = true) => {
    replaceInput(name, isTyped ? input : undefined, schema);
    setState(({ revision }) => ({ input, revision: revision + 1 }));
  };
  return {
    input: state.input,
    revision: state.revision,
    setInput: (input) => {
      saveInput(name, input, schema);
      setState((before) => ({ ...before, input }));
    },
    replace,
    reset: () => replace(defaults(), false),
  };
}
