import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useMemo, useRef, useState } from "react";
import type { CallResponse, ToolDetail } from "../../serve/tools/types.ts";
import { getJson } from "../api/http.ts";
import { checkInput, MISSING } from "../parts/check-input.ts";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { InputEditor } from "../parts/input-editor.tsx";
import { type FormSchema, initialValue } from "../parts/json-schema.ts";
import { JsonView } from "../parts/json-view.tsx";
import { ErrorPanel, StatePanel } from "../parts/state-panel.tsx";
import { useTitle } from "../parts/use-title.ts";
import { CopyMenu } from "./copy-menu.tsx";
import { ResultView } from "./result-view.tsx";
import { savedInput, saveInput } from "./saved-input.ts";

/** One tool: its form, a preview of the exact request or command, the call and its result. */
export function ToolScreen({ name, file }: { name: string; file: string }) {
  useTitle(name);
  const path = `api/tools/${encodeURIComponent(name)}`;
  const tool = useQuery({ queryKey: ["tool", name], queryFn: () => getJson<ToolDetail>(path), retry: false });
  const [input, setShownInput] = useState<Record<string, unknown> | undefined>(() => savedInput(name));
  const setInput = (next: Record<string, unknown>) => {
    saveInput(name, next);
    setShownInput(next);
  };
  useEffect(() => {
    // What was typed survives a reload of the file.
    if (tool.data && input === undefined)
      setShownInput(
        (initialValue(tool.data.inputSchema as FormSchema, tool.data.inputSchema as FormSchema) ??
          {}) as Record<string, unknown>,
      );
  }, [tool.data]);
  const abort = useRef<AbortController>(undefined);
  const queries = useQueryClient();
  const call = useMutation({
    mutationFn: () => {
      abort.current = new AbortController();
      return getJson<CallResponse>(`${path}/call`, { body: { input }, signal: abort.current.signal });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ["calls"] }),
  });
  const preview = useMutation({ mutationFn: () => getJson<unknown>(`${path}/preview`, { body: { input } }) });
  const [isJson, setIsJson] = useState(true);
  const [isAttempted, setIsAttempted] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const all = useMemo(
    () => checkInput((tool.data?.inputSchema ?? {}) as FormSchema, input),
    [tool.data, input],
  );
  // What is merely not filled in yet is not an error before the first attempt.
  const errors = useMemo(
    () => new Map([...all].filter(([, message]) => isAttempted || message !== MISSING)),
    [all, isAttempted],
  );
  if (tool.isError) return <ErrorPanel error={tool.error} retry={() => tool.refetch()} />;
  if (!tool.data || input === undefined) return <StatePanel kind="loading" title="Loading the tool…" />;
  const { description, tags, source, type, annotations, inputSchema } = tool.data;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsAttempted(true);
    if (!isJson || all.size > 0) return;
    if (isHarmless(tool.data)) call.mutate();
    else {
      preview.mutate();
      setIsAsking(true);
    }
  };
  return (
    <>
      <a className="back" href="#/tools">
        ‹ All tools
      </a>
      <h1 className="tool-title">
        <bdi>{name}</bdi>
      </h1>
      {description && <p className="text">{description}</p>}
      <p className="row">
        <span className="badge">{type}</span>
        <span className="badge">{source}</span>
        {annotations?.readOnlyHint && <span className="badge complete">read-only</span>}
        {annotations?.destructiveHint && <span className="badge failed">destructive</span>}
        {tags.map((tag) => (
          <span key={tag} className="badge tag">
            #{tag}
          </span>
        ))}
      </p>
      <form className="card" onSubmit={submit} noValidate>
        <InputEditor
          title="Input"
          schema={inputSchema as FormSchema}
          input={input}
          errors={errors}
          onChange={setInput}
          onJsonChange={setIsJson}
        />
        <div className="row actions">
          {call.isPending ? (
            <button type="button" className="danger" onClick={() => abort.current?.abort()}>
              Cancel
            </button>
          ) : (
            <button type="submit" className="primary" disabled={!isJson}>
              Call
            </button>
          )}
          <button type="button" disabled={preview.isPending || !isJson} onClick={() => preview.mutate()}>
            Preview
          </button>
        </div>
        {isJson && <CopyMenu call={{ file, tool: name, input }} type={type} />}
      </form>
      {isAsking && (
        <ConfirmDialog
          title={`Call ${name}?`}
          action="Send it"
          onConfirm={() => call.mutate()}
          onClose={() => setIsAsking(false)}
        >
          <p>
            {annotations?.destructiveHint
              ? "The tool says of itself that it destroys or overwrites something."
              : "What this tool changes is not known: it does not say that it only reads."}
          </p>
          {preview.isError && <ErrorPanel error={preview.error} />}
          {preview.data !== undefined && <JsonView value={preview.data} />}
        </ConfirmDialog>
      )}
      {preview.isError && <ErrorPanel error={preview.error} />}
      {preview.data !== undefined && !isAsking && (
        <section className="card" aria-label="Preview">
          <h2>Preview: nothing was sent</h2>
          <JsonView value={preview.data} />
        </section>
      )}
      {call.isPending && <StatePanel kind="loading" title="Calling…" />}
      {call.isError &&
        (isAbort(call.error) ? (
          <StatePanel kind="empty" title="The call was cancelled." />
        ) : (
          <ErrorPanel error={call.error} />
        ))}
      {call.data && <ResultView response={call.data} />}
    </>
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

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
