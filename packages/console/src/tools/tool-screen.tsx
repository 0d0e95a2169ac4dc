import { isObject } from "@mci-ts/primitives/is-object";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { CallDetail, CallResponse, ToolDetail } from "../../serve/tools/types.ts";
import { getJson } from "../api/http.ts";
import { formatDuration } from "../parts/format.ts";
import { ErrorPanel, StatePanel } from "../parts/state-panel.tsx";
import { useTitle } from "../parts/use-title.ts";
import { replaceQuery, useLocation } from "../router.ts";
import { SaveAsTest } from "./calls/save-as-test.tsx";
import { AskingState, useAsking } from "./input/use-asking.tsx";
import { ResultView } from "./result-view.tsx";
import { serverHref } from "./servers/place.ts";
import { ToolForm } from "./tool-form.tsx";
import { OutputCheck, ToolSchemas } from "./tool-schemas.tsx";
import { type ToolInput, useToolInput } from "./use-tool-input.ts";

/** One tool: its form, a preview of the exact request or command, the call and its result. */
export function ToolScreen({ name, file }: { name: string; file: string }) {
  useTitle(name);
  const path = `api/tools/${encodeURIComponent(name)}`;
  const tool = useQuery({ queryKey: ["tool", name], queryFn: () => getJson<ToolDetail>(path), retry: false });
  const state = useToolInput(name, tool.data);
  const call = useToolCall(name);
  const reopened = useReopenedCall(state);
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
      <div className="row tool-facts">
        <span className="badge">
          <span className="visually-hidden">Type: </span>
          {type}
        </span>
        {source.startsWith("mcp:") ? (
          <a className="badge" href={serverHref(source.slice(4))}>
            <span className="visually-hidden">MCP server: </span>
            {source}
          </a>
        ) : (
          <span className="badge">
            <span className="visually-hidden">Defined in: </span>
            {source}
          </span>
        )}
        {annotations?.readOnlyHint && <span className="badge complete">read-only</span>}
        {annotations?.destructiveHint && <span className="badge failed">destructive</span>}
        {tags.map((tag) => (
          <span key={tag} className="badge tag">
            #{tag}
          </span>
        ))}
        <a href={definitionOf(name, source)}>Definition in the file</a>
      </div>
      {reopened.isError && <ErrorPanel error={reopened.error} />}
      <ToolForm
        tool={tool.data}
        file={file}
        state={state}
        isCalling={call.isPending}
        onCall={(input, expected) => call.mutate({ input, expected })}
        onCancel={call.cancel}
      />
      <CallOutcome call={call} tool={name} outputSchema={tool.data.outputSchema} />
      <ToolSchemas tool={tool.data} />
    </>
  );
}

/** Where the file says what it is: itself, or what it includes. */
function definitionOf(name: string, source: string): string {
  const [kind, value] =
    source === "main"
      ? ["tool", name]
      : source.startsWith("mcp:")
        ? ["server", source.slice(4)]
        : ["toolset", source];
  return `#/file?${new URLSearchParams({ [kind!]: value! })}`;
}

/** `?call=7` fills the form with the input of that call, once: the address works in another tab, too. */
function useReopenedCall(state: ToolInput | undefined) {
  const id = useLocation().query.get("call");
  const call = useQuery({
    queryKey: ["call", id],
    enabled: id !== null,
    retry: false,
    queryFn: () => getJson<CallDetail>(`api/calls/${encodeURIComponent(id ?? "")}`),
  });
  useEffect(() => {
    if (id === null || state === undefined || !isObject(call.data?.input)) return;
    state.replace(call.data.input);
    replaceQuery({ call: undefined });
  }, [id, call.data, state === undefined]);
  return call;
}

/** Calls the tool; the call can be cancelled. */
export function useToolCall(name: string) {
  const queries = useQueryClient();
  return useAsking<{ input: Record<string, unknown>; expected?: unknown }, CallResponse>(
    `api/tools/${encodeURIComponent(name)}/call`,
    { onSettled: () => queries.invalidateQueries({ queryKey: ["calls"] }) },
  );
}

export function CallOutcome({
  call,
  tool,
  outputSchema,
}: {
  call: ReturnType<typeof useToolCall>;
  tool: string;
  /** Of the tool, if it has one. */
  outputSchema?: unknown;
}) {
  return (
    <>
      {/* What came of it, and not the result itself, which may be long. */}
      <p role="status" className="visually-hidden">
        {call.data &&
          `${call.data.result.isError ? "Failed" : "Done"}, ${formatDuration(call.data.duration_ms)}`}
      </p>
      <AskingState asking={call} pending="Calling…" cancelled="The call was cancelled." />
      {call.data && !call.data.result.isError && (
        <OutputCheck schema={outputSchema} value={call.data.result.structuredContent} />
      )}
      {call.data && (
        <ResultView response={call.data}>
          <div className="row">
            <a className="button quiet" href={`#/calls/${call.data.id}`}>
              What was sent and received
            </a>
            <SaveAsTest
              call={{
                id: call.data.id,
                tool,
                input: call.variables!.input,
                result: call.data.result,
              }}
            />
          </div>
        </ResultView>
      )}
    </>
  );
}
