import { useEffect, useState } from "react";
import type { ToolDraft } from "../../../serve/tools/types.ts";
import { getJson } from "../../api/http.ts";

const ASK_AFTER_MS = 200;

export interface DraftState {
  /** The tool of the last text that could be loaded. */
  readonly draft?: ToolDraft;
  /** Why the text as it is now cannot be loaded, or has no such tool. */
  readonly error?: unknown;
}

/** A tool of the text as it is typed, and what a call of it would send; a moment after the last key. `text` undefined: of the saved file. */
export function useToolDraft(
  name: string,
  text: string | undefined,
  input: Readonly<Record<string, unknown>> | undefined,
): DraftState {
  const [state, setState] = useState<DraftState>({});
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      getJson<ToolDraft>(`api/tools/${encodeURIComponent(name)}/draft`, {
        body: { input: input ?? {}, ...(text === undefined ? {} : { text }) },
        signal: controller.signal,
      }).then(
        (draft) => setState({ draft }),
        (error) => {
          if (!controller.signal.aborted) setState((before) => ({ ...before, error }));
        },
      );
    }, ASK_AFTER_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [name, text, input]);
  return state;
}
