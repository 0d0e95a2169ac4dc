import { useQuery } from "@tanstack/react-query";
import type { HttpExchange } from "mci-ts";
import { useMemo, useState } from "react";
import type { CallDetail, CallRecord } from "../../../serve/tools/types.ts";
import { getJson } from "../../api/http.ts";
import { download } from "../../parts/download.ts";
import {
  formatBytes,
  formatDate,
  formatDuration,
  formatNumber,
  formatWhen,
  plural,
} from "../../parts/format.ts";
import { indentJson } from "../../parts/json/indent-json.ts";
import { JsonView } from "../../parts/json/json-view.tsx";
import { ErrorPanel, StatePanel } from "../../parts/state-panel.tsx";
import { useTitle } from "../../parts/use-title.ts";
import { replaceQuery, useLocation } from "../../router.ts";
import { CopyMenu } from "../copy-menu.tsx";
import { RequestView } from "../request-view.tsx";
import { ResultView } from "../result-view.tsx";
import { useToolEvents } from "../use-tool-events.ts";
import { CallDifferences } from "./call-differences.tsx";
import { toHar } from "./har.ts";
import { SaveAsTest, useProject } from "./save-as-test.tsx";

export function useCall(id: string | undefined) {
  return useQuery({
    queryKey: ["call", id],
    enabled: id !== undefined,
    retry: false,
    queryFn: () => getJson<CallDetail>(`api/calls/${encodeURIComponent(id ?? "")}`),
    // One that is over does not change.
    refetchInterval: ({ state }) => (state.data?.state === "running" ? 1000 : false),
  });
}

/** One call: what was sent, what came back, attempt by attempt; exported, made again, or compared with another. */
export function CallScreen({ id }: { id: string }) {
  const { query } = useLocation();
  useToolEvents();
  const call = useCall(id);
  const other = useCall(query.get("with") ?? undefined);
  useTitle(call.data ? `Call of ${call.data.tool}` : "Call");
  if (call.isError)
    return (
      <>
        <h1>Call {id}</h1>
        <ErrorPanel error={call.error} retry={() => call.refetch()} />
        <a href="#/calls">‹ All calls</a>
      </>
    );
  if (!call.data) return <StatePanel kind="loading" title="Loading the call…" />;
  const { tool, state, started_at, duration_ms, by, input, exchanges, request, result } = call.data;
  return (
    <>
      <a href="#/calls">‹ All calls</a>
      <h1 className="tool-title">
        <bdi>{tool}</bdi> <span className={`badge ${state}`}>{state}</span>
      </h1>
      <p className="muted">
        {formatDate(started_at)}
        {duration_ms !== undefined && ` · ${formatDuration(duration_ms)}`}
        {exchanges.length > 0 && ` · ${plural(exchanges.length, "request")}`}
        {by === "client" ? " · by an MCP client" : " · by this console"}
        {call.data.is_private && " · in memory only: the tool takes a password"}
      </p>
      <Actions call={call.data} />
      <Comparison call={call.data} other={query.get("with") ?? ""} />
      {other.isError && <ErrorPanel error={other.error} />}
      {other.data && <CallDifferences before={other.data} after={call.data} />}
      {call.data.is_dropped && state !== "running" && (
        <StatePanel kind="empty" title="What was sent and received is no longer remembered.">
          <p>
            {state === "cancelled" && call.data.error !== undefined
              ? call.data.error
              : "Only the latest 64 MB of calls are."}
          </p>
        </StatePanel>
      )}
      {call.data.too_large !== undefined && (
        <StatePanel kind="empty" title="What was received is too large to be remembered.">
          <p>It had {formatNumber(call.data.too_large)} characters.</p>
        </StatePanel>
      )}
      <section className="card" aria-label="Input">
        <h2>Input</h2>
        <JsonView value={input} />
      </section>
      {request !== undefined && exchanges.length === 0 && (
        <section className="card" aria-label="Request">
          <h2>Request</h2>
          <RequestView preview={request} />
        </section>
      )}
      {exchanges.map((exchange, index) => (
        <ExchangeView key={index} exchange={exchange} number={index + 1} of={exchanges} />
      ))}
      {call.data.dropped_exchanges ? (
        <p className="muted">{plural(call.data.dropped_exchanges, "more request")} not remembered.</p>
      ) : null}
      {result && <ResultView response={{ id: Number(id), duration_ms: duration_ms ?? 0, result }} />}
    </>
  );
}

function Actions({ call }: { call: CallDetail }) {
  const { id, tool, input, exchanges, request, state } = call;
  const file = useProject()?.file ?? "mci.json";
  const canRepeat = typeof input === "object" && input !== null;
  const name = `${tool}-${id}`;
  const type = (request as { type?: string } | undefined)?.type ?? "";
  const asJson = (value: unknown) => JSON.stringify(value, undefined, 2);
  return (
    <div className="card">
      <div className="row">
        {canRepeat && (
          <a className="button" href={`#/tools/${encodeURIComponent(tool)}?call=${id}`}>
            Edit and send again
          </a>
        )}
        {exchanges.length > 0 && (
          <button
            type="button"
            onClick={() => download(`${name}.har`, asJson(toHar(call)), "application/json")}
          >
            Export as HAR
          </button>
        )}
        <button type="button" onClick={() => download(`${name}.json`, asJson(call), "application/json")}>
          Export as JSON
        </button>
        {state !== "running" && canRepeat && <SaveAsTest call={call} className="" />}
      </div>
      {canRepeat && <CopyMenu call={{ file, tool, input: input as Record<string, unknown> }} type={type} />}
    </div>
  );
}

/** Chooses the call to compare with: of the same tool first. */
function Comparison({ call, other }: { call: CallDetail; other: string }) {
  const calls = useQuery({
    queryKey: ["calls"],
    queryFn: async () => (await getJson<{ calls: readonly CallRecord[] }>("api/calls")).calls,
  });
  const others = (calls.data ?? [])
    .filter(({ id }) => id !== call.id)
    .toSorted((a, b) => Number(b.tool === call.tool) - Number(a.tool === call.tool));
  if (others.length === 0) return null;
  return (
    <label className="compare-with">
      Compare with
      <select value={other} onChange={({ target }) => replaceQuery({ with: target.value })}>
        <option value="">no other call</option>
        {others.map(({ id, tool, state, started_at }) => (
          <option key={id} value={id}>
            {tool}, {formatWhen(started_at)}, {state} (call {id})
          </option>
        ))}
      </select>
    </label>
  );
}

function ExchangeView({
  exchange: { attempt, durationMs, startedAt, request, response, error },
  number,
  of,
}: {
  exchange: HttpExchange;
  number: number;
  of: readonly HttpExchange[];
}) {
  const began = Date.parse(of[0]!.startedAt);
  const total = Math.max(1, ...of.map((each) => Date.parse(each.startedAt) - began + each.durationMs));
  const offset = Date.parse(startedAt) - began;
  return (
    <section className="card exchange" aria-label={`Request ${number}`}>
      <div className="row spread">
        <h2>
          {request.method} {response ? `${response.status} ${response.statusText}` : "no response"}
        </h2>
        <span className="muted">
          {of.length > 1 && `request ${number} of ${of.length}, attempt ${attempt} · `}
          {formatDuration(durationMs)}
          {response && ` · ${formatBytes(response.size)}`}
        </span>
      </div>
      <svg className="timing" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect x="0" y="0" width="100" height="4" className="timing-all" />
        <rect
          x={(offset / total) * 100}
          y="0"
          width={Math.max(0.5, (durationMs / total) * 100)}
          height="4"
          className="timing-one"
        />
      </svg>
      <p className="mono break">{request.url}</p>
      {error && <p className="error-text">{error}</p>}
      <Headers title="Request headers" headers={request.headers} />
      {request.body !== undefined && (
        <Body
          title={`Request body${of.length > 1 ? ` ${number}` : ""}`}
          text={request.body}
          encoding={request.bodyEncoding}
        />
      )}
      {response && <Headers title="Response headers" headers={response.headers} />}
      {response && (
        <Body
          title={`Response body${of.length > 1 ? ` ${number}` : ""}${response.isCut ? ", its beginning" : ""}`}
          text={response.body}
          encoding={response.bodyEncoding}
          isCut={response.isCut}
        />
      )}
    </section>
  );
}

function Headers({ title, headers }: { title: string; headers: Readonly<Record<string, string>> }) {
  const entries = Object.entries(headers);
  return (
    <details open={entries.length <= 6}>
      <summary>
        {title} <span className="muted">{entries.length}</span>
      </summary>
      <dl className="headers">
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

const SHOWN_CHARS = 5000;

function Body({
  title,
  text,
  encoding,
  isCut = false,
}: {
  title: string;
  text: string;
  encoding: "base64" | undefined;
  isCut?: boolean | undefined;
}) {
  const [isAll, setIsAll] = useState(false);
  const [isRaw, setIsRaw] = useState(false);
  const indented = useMemo(() => (encoding ? undefined : indentJson(text, isCut)), [text, encoding, isCut]);
  const shown = isRaw ? text : (indented ?? text);
  if (text === "") return <p className="muted">{title}: empty</p>;
  return (
    <details open>
      <summary>
        {title} {encoding && <span className="muted">base64</span>}
      </summary>
      <pre className="plain" tabIndex={0} role="region" aria-label={title}>
        {isAll ? shown : shown.slice(0, SHOWN_CHARS)}
      </pre>
      {indented !== undefined && indented !== text && (
        <button type="button" className="quiet" aria-pressed={isRaw} onClick={() => setIsRaw(!isRaw)}>
          Raw
        </button>
      )}
      {shown.length > SHOWN_CHARS && !isAll && (
        <button type="button" className="quiet" onClick={() => setIsAll(true)}>
          Show all {formatNumber(shown.length)} characters
        </button>
      )}
    </details>
  );
}
