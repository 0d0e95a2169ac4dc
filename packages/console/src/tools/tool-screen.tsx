import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import type { CallResponse, ToolDetail } from "../../serve/tools/types.ts";
import { getJson } from "../api/http.ts";
import { ErrorPanel, StatePanel } from "../parts/state-panel.tsx";
import { useTitle } from "../parts/use-title.ts";
import { ResultView } from "./result-view.tsx";
import { ToolForm } from "./tool-form.tsx";
import { useToolInput } from "./use-tool-input.ts";

/** One tool: its form, a preview of the exact request or command, the call and its result. */
export function ToolScreen({ name, file }: { name: string; file: string }) {
  useTitle(name);
  const path = `api/tools/${encodeURIComponent(name)}`;
  const tool = useQuery({ queryKey: ["tool", name], queryFn: () => getJson<ToolDetail>(path), retry: false });
  const state = useToolInput(name, tool.data);
  const call = useToolCall(name);
  if (tool.isError) return <ErrorPanel error={tool.error} retry={() => tool.refetch()} />;
  if (!tool.data || state === undefined) return <StatePanel kind="loading" title="Loading the tool…" />;
  const { description, tags, source, type, annotations } = tool.data;
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
      <ToolForm
        tool={tool.data}
        file={file}
        state={state}
        isCalling={call.isPending}
        onCall={call.mutate}
        onCancel={call.cancel}
      />
      <CallOutcome call={call} />
    </>
  );
}

/** Calls the tool; the call can be cancelled. */
export function useToolCall(name: string) {
  const abort = useRef<AbortController>(undefined);
  const queries = useQueryClient();
  const call = useMutation({
    mutationFn: (input: Record<string, unknown>) => {
      abort.current = new AbortController();
      return getJson<CallResponse>(`api/tools/${encodeURIComponent(name)}/call`, {
        body: { input },
        signal: abort.current.signal,
      });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ["calls"] }),
  });
  return { ...call, cancel: () => abort.current?.abort() };
}

export function CallOutcome({ call }: { call: ReturnType<typeof useToolCall> }) {
  return (
    <>
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
