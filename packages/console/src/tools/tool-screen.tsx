import { isObject } from "@mci-ts/primitives/is-object";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import type { CallDetail, InputQuestion, ToolDetail } from "../../serve/tools/types.ts";
import { getJson } from "../api/http.ts";
import { formatDuration } from "../parts/format.ts";
import { ErrorPanel, StatePanel } from "../parts/state-panel.tsx";
import { useTitle } from "../parts/use-title.ts";
import { replaceQuery, useLocation } from "../router.ts";
import { SaveAsTest } from "./calls/save-as-test.tsx";
import { callWithQuestions } from "./input/call-with-questions.ts";
import { ResultView } from "./result-view.tsx";
import { ToolForm } from "./tool-form.tsx";
import { type ToolInput, useToolInput } from "./use-tool-input.ts";

const Question = lazy(() => import("./input/input-question.tsx"));

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
        <span className="badge">
          <span className="visually-hidden">Defined in: </span>
          {source}
        </span>
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
      <CallOutcome call={call} tool={name} />
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
  const abort = useRef<AbortController>(undefined);
  const queries = useQueryClient();
  const [questions, setQuestions] = useState<readonly InputQuestion[]>([]);
  const call = useMutation({
    mutationFn: (body: { input: Record<string, unknown>; expected?: unknown }) => {
      abort.current = new AbortController();
      return callWithQuestions(name, body, {
        signal: abort.current.signal,
        onQuestion: (question) => setQuestions((before) => [...before, question]),
      });
    },
    onSettled: () => {
      setQuestions([]);
      queries.invalidateQueries({ queryKey: ["calls"] });
    },
  });
  const answered = (id: string) => setQuestions((before) => before.filter((question) => question.id !== id));
  return { ...call, questions, answered, cancel: () => abort.current?.abort() };
}

export function CallOutcome({ call, tool }: { call: ReturnType<typeof useToolCall>; tool: string }) {
  return (
    <>
      {/* What came of it, and not the result itself, which may be long. */}
      <p role="status" className="visually-hidden">
        {call.data &&
          `${call.data.result.isError ? "Failed" : "Done"}, ${formatDuration(call.data.duration_ms)}`}
      </p>
      {call.isPending && call.questions.length === 0 && <StatePanel kind="loading" title="Calling…" />}
      {call.questions.map((question) => (
        <Suspense key={question.id} fallback={<StatePanel kind="loading" title="Loading the question…" />}>
          <Question question={question} onDone={() => call.answered(question.id)} />
        </Suspense>
      ))}
      {call.isError &&
        (isAbort(call.error) ? (
          <StatePanel kind="empty" title="The call was cancelled." />
        ) : (
          <ErrorPanel error={call.error} />
        ))}
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
                input: call.variables.input,
                result: call.data.result,
              }}
            />
          </div>
        </ResultView>
      )}
    </>
  );
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
