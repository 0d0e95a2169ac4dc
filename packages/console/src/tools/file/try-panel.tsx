import { useEffect, useState } from "react";
import type { ToolDetail, ToolDraft } from "../../../serve/tools/types.ts";
import { getJson } from "../../api/http.ts";
import { ErrorPanel, StatePanel } from "../../parts/state-panel.tsx";
import { RequestView } from "../request-view.tsx";
import { ToolForm } from "../tool-form.tsx";
import { CallOutcome, useToolCall } from "../tool-screen.tsx";
import { useToolInput } from "../use-tool-input.ts";

/** One tool beside the text that defines it: its form, the exact request of the text as it is typed, and the response. */
export function TryPanel({
  name,
  file,
  text,
  isChanged,
}: {
  name: string;
  file: string;
  /** As typed; undefined where it cannot be saved. */
  text: string | undefined;
  /** Whether the text is another than the saved one. */
  isChanged: boolean;
}) {
  const [tool, setTool] = useState<ToolDetail>();
  const state = useToolInput(name, tool);
  const { draft, error } = useToolDraft(name, text, state?.input);
  useEffect(() => {
    // A new object only for another schema: the form would lose what it knows of its fields.
    if (draft)
      setTool((before) => (JSON.stringify(before) === JSON.stringify(draft.tool) ? before : draft.tool));
  }, [draft]);
  const call = useToolCall(name);
  return (
    <section className="try-panel" aria-label={`Try ${name}`}>
      {tool && state ? (
        <ToolForm
          tool={tool}
          file={file}
          state={state}
          isLive
          {...(isChanged ? { blocked: "A call uses the saved file: save it first." } : {})}
          isCalling={call.isPending}
          onCall={(input, expected) => call.mutate({ input, expected })}
          onCancel={call.cancel}
        />
      ) : (
        error === undefined && <StatePanel kind="loading" title="Loading the tool…" />
      )}
      <section className="card" aria-label="Request">
        <div className="row spread">
          <h2>Request</h2>
          <span className="muted">{isChanged ? "of the text as typed" : "nothing was sent"}</span>
        </div>
        {error !== undefined && <ErrorPanel error={error} />}
        {error !== undefined && draft && (
          <p className="muted">Below: of the last text that could be loaded.</p>
        )}
        {draft?.refused && (
          <p role="status">
            <span className="badge partial">{draft.refused.code}</span> {draft.refused.message}
          </p>
        )}
        {draft?.request !== undefined && <RequestView preview={draft.request} />}
      </section>
      <CallOutcome call={call} tool={name} />
    </section>
  );
}

const ASK_AFTER_MS = 200;

interface DraftState {
  /** The tool of the last text that could be loaded. */
  readonly draft?: ToolDraft;
  /** Why the text as it is now cannot be loaded, or has no such tool. */
  readonly error?: unknown;
}

/** A tool of the text as it is typed, and what a call of it would send; a moment after the last key. `text` undefined: of the saved file. */
function useToolDraft(
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
