import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import type { ToolDetail } from "../../serve/tools/types.ts";
import { getJson } from "../api/http.ts";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { MISSING } from "../parts/form/check-input.ts";
import { InputEditor } from "../parts/form/input-editor.tsx";
import type { FormSchema } from "../parts/form/json-schema.ts";
import { useCheckedInput } from "../parts/form/use-checked-input.ts";
import { ErrorPanel, StatePanel } from "../parts/state-panel.tsx";
import { CopyMenu } from "./copy-menu.tsx";
import { RequestView } from "./request-view.tsx";
import { isWithoutPasswords } from "./saved-input.ts";
import type { ToolInput } from "./use-tool-input.ts";

/** The form of a tool. It sends nothing that is not JSON or breaks the schema, and asks before what may destroy something. */
export function ToolForm({
  tool,
  file,
  state: { input, revision, setInput, reset },
  isCalling,
  isLive = false,
  blocked,
  onCall,
  onCancel,
}: {
  tool: ToolDetail;
  file: string;
  state: ToolInput;
  isCalling: boolean;
  /** Whether the request is shown beside the form, as it changes. Default: there is a button for it. */
  isLive?: boolean;
  /** Why it cannot be called now. Default: it can. */
  blocked?: string;
  /** `expected`: the request that was shown and agreed to. */
  onCall: (input: Record<string, unknown>, expected?: unknown) => void;
  onCancel: () => void;
}) {
  const { name, type, annotations } = tool;
  const schema = tool.inputSchema as FormSchema;
  const [isJson, setIsJson] = useState(true);
  const [attempts, setAttempts] = useState(0);
  const isAttempted = attempts > 0;
  const [isAsking, setIsAsking] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const preview = useMutation({
    mutationFn: () => getJson<unknown>(`api/tools/${encodeURIComponent(name)}/preview`, { body: { input } }),
  });
  const [all, setChosen] = useCheckedInput(schema, input);
  // What is merely not filled in yet is not an error before the first attempt.
  const errors = useMemo(
    () => new Map([...all].filter(([, message]) => isAttempted || message !== MISSING)),
    [all, isAttempted],
  );
  useEffect(() => {
    if (attempts > 0 && all.size > 0)
      form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [attempts]);
  // A preview of an earlier input says nothing of this one.
  useEffect(() => preview.reset(), [input]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAttempts(attempts + 1);
    if (!isJson || all.size > 0 || isCalling || blocked !== undefined) return;
    if (isHarmless(tool)) onCall(input);
    else {
      preview.mutate();
      setIsAsking(true);
    }
  };
  return (
    <form
      ref={form}
      className="card tool-form"
      onSubmit={submit}
      onKeyDown={(event: KeyboardEvent<HTMLFormElement>) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        form.current?.requestSubmit();
      }}
      noValidate
    >
      <InputEditor
        key={revision}
        title="Input"
        schema={schema}
        input={input}
        errors={errors}
        storeAs={name}
        mayStore={(text) => isWithoutPasswords(schema, text)}
        onChange={setInput}
        onChosen={setChosen}
        onJsonChange={setIsJson}
      />
      <div className="row actions sticky">
        {isCalling ? (
          <button type="button" className="danger" onClick={onCancel}>
            Cancel
          </button>
        ) : (
          <button
            type="submit"
            className="primary"
            disabled={!isJson || blocked !== undefined}
            title="Ctrl+Enter"
          >
            Call
          </button>
        )}
        {!isLive && (
          <button
            type="button"
            aria-disabled={preview.isPending}
            disabled={!isJson}
            onClick={() => !preview.isPending && preview.mutate()}
          >
            Preview
          </button>
        )}
        <button
          type="button"
          className="quiet"
          onClick={() => {
            reset();
            setAttempts(0);
          }}
        >
          Clear
        </button>
        {blocked !== undefined && (
          <span className="muted" role="status">
            {blocked}
          </span>
        )}
        {isAttempted && all.size > 0 && (
          <span className="error-text" role="status">
            Not sent: {all.size === 1 ? "one field is" : `${all.size} fields are`} missing or wrong.
          </span>
        )}
      </div>
      {isJson && <CopyMenu call={{ file, tool: name, input }} type={type} />}
      {preview.isError && !isAsking && <ErrorPanel error={preview.error} />}
      {preview.data !== undefined && !isAsking && (
        <section aria-label="Preview">
          <h2>Preview: nothing was sent</h2>
          <RequestView preview={preview.data} />
        </section>
      )}
      {isAsking && (
        <ConfirmDialog
          title={`Call ${name}?`}
          action="Send it"
          // A person agrees to what is on the screen.
          isReady={preview.isSuccess}
          onConfirm={() => {
            onCall(input, preview.data);
            // It would stand there as something that was not sent.
            preview.reset();
          }}
          onClose={() => setIsAsking(false)}
        >
          <p>
            {annotations?.destructiveHint
              ? "The tool says of itself that it destroys or overwrites something."
              : "What this tool changes is not known: it does not say that it only reads."}
          </p>
          {preview.isPending && <StatePanel kind="loading" title="Loading the exact request…" />}
          {preview.isError && <ErrorPanel error={preview.error} />}
          {preview.data !== undefined && <RequestView preview={preview.data} />}
        </ConfirmDialog>
      )}
    </form>
  );
}

/** Texts and files are only read; any other tool has to say that it only reads, or destroys nothing. */
function isHarmless({ type, annotations }: ToolDetail): boolean {
  if (annotations?.destructiveHint === true) return false;
  return (
    type === "text" ||
    type === "file" ||
    annotations?.readOnlyHint === true ||
    annotations?.destructiveHint === false
  );
}
