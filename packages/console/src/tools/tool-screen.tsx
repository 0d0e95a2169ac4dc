import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import type { CallResponse, ToolDetail } from "../../serve/tools/types.ts";
import { getJson } from "../api/http.ts";
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
  if (tool.isError) return <ErrorPanel error={tool.error} retry={() => tool.refetch()} />;
  if (!tool.data || input === undefined) return <StatePanel kind="loading" title="Loading the tool…" />;
  const { description, tags, source, type, annotations, inputSchema } = tool.data;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    call.mutate();
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
      <form className="card" onSubmit={submit}>
        <InputEditor title="Input" schema={inputSchema as FormSchema} input={input} onChange={setInput} />
        <div className="row actions">
          {call.isPending ? (
            <button type="button" className="danger" onClick={() => abort.current?.abort()}>
              Cancel
            </button>
          ) : (
            <button type="submit" className="primary">
              Call
            </button>
          )}
          <button type="button" disabled={preview.isPending} onClick={() => preview.mutate()}>
            Preview
          </button>
        </div>
        <CopyMenu call={{ file, tool: name, input }} type={type} />
      </form>
      {preview.isError && <ErrorPanel error={preview.error} />}
      {preview.data !== undefined && (
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

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
