import type { RunCall } from "@mci-ts/council-server/api";
import { useEffect, useId, useState } from "react";
import { type Fact, Facts } from "../../../parts/facts.tsx";
import { formatDuration, formatMoney, formatNumber, plural, words } from "../../../parts/format.ts";
import { ErrorPanel, StatePanel } from "../../../parts/state-panel.tsx";
import { useModal } from "../../../parts/use-modal.ts";
import { useCallLoader } from "../run-context.ts";

/** One model call, whole: what was sent, what came back, and why it was discarded if it was. */
export function CallDialog({ call, onClose }: { call: number; onClose: () => void }) {
  const { dialog, close } = useModal(onClose);
  const id = useId();
  const load = useCallLoader();
  const [detail, setDetail] = useState<RunCall>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    let isCurrent = true;
    setDetail(undefined);
    setError(undefined);
    load(call).then(
      (loaded) => isCurrent && setDetail(loaded),
      (reason: unknown) => isCurrent && setError(reason),
    );
    return () => {
      isCurrent = false;
    };
  }, [call, load]);
  return (
    <dialog {...dialog} className="call-dialog" aria-labelledby={id}>
      <div className="row spread">
        <h2 id={id}>Call {call}</h2>
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
      {error !== undefined && <ErrorPanel error={error} />}
      {error === undefined && detail === undefined && <StatePanel kind="loading" title="Loading…" />}
      {detail && <CallDetail detail={detail} />}
    </dialog>
  );
}

function CallDetail({ detail }: { detail: RunCall }) {
  const { red_flag: flag, error, messages, reply, reasoning, answer_schema, tool_calls = [] } = detail;
  return (
    <div className="call-detail">
      <CallFacts detail={detail} />
      {flag && (
        <p className="warning">
          <span className="badge discarded">{words(flag.rule)}</span> Discarded, not counted: {flag.reason}
        </p>
      )}
      {error && <p className="error-text">No reply: {error}</p>}
      {detail.cut_chars > 0 && (
        <p className="warning">
          {plural(detail.cut_chars, "character")} are not in the history: <code>MCI_STORE_REPLIES</code>{" "}
          limits what it keeps.
        </p>
      )}
      <h3>Prompt as sent</h3>
      {messages.map(({ role, content }, index) => (
        <Text key={index} title={role} text={content} />
      ))}
      {answer_schema !== undefined && (
        <details>
          <summary>Schema of the answer</summary>
          <Text title="JSON Schema" text={indented(answer_schema)} />
        </details>
      )}
      {reasoning !== null && (
        <details>
          <summary>Reasoning ({plural(reasoning.length, "character")})</summary>
          <Text title="Reasoning" text={reasoning} />
        </details>
      )}
      <h3>Reply</h3>
      {reply === null ? (
        <p className="muted">None came.</p>
      ) : (
        <Text title="as written" text={indented(reply)} />
      )}
      {tool_calls.map(({ name, input }, index) => (
        <Text key={index} title={`calls ${name}`} text={input} />
      ))}
    </div>
  );
}

function CallFacts({ detail }: { detail: RunCall }) {
  const {
    model,
    responding_model,
    temperature,
    max_output_tokens,
    finish_reason,
    attempts,
    tools = [],
  } = detail;
  const facts: readonly Fact[] = [
    ["Model", responding_model && responding_model !== model ? `${model} (${responding_model})` : model],
    ["For", words(detail.purpose)],
    ["Temperature", temperature === null ? "as the agent sent it" : sentTemperature(detail)],
    ["Finish reason", finish_reason === null ? "–" : words(finish_reason)],
    ["Tokens in", tokens(detail.input_tokens, detail.cached_tokens, "cached")],
    ["Tokens out", tokens(detail.output_tokens, detail.reasoning_tokens, "reasoning")],
    ["Limit of the reply", plural(max_output_tokens, "token")],
    ["Time", detail.latency_ms === null ? "–" : formatDuration(detail.latency_ms)],
    ["Cost", formatMoney(detail.cost_usd, model === "simulated" ? "simulated" : null)],
    ...(attempts > 1 ? [["Attempts", formatNumber(attempts)] as const] : []),
    ...(tools.length > 0 ? [["Tools", tools.join(", ")] as const] : []),
  ];
  return <Facts facts={facts} />;
}

/** Some models refuse a temperature: the endpoint then got none. */
function sentTemperature({ temperature, sent }: RunCall): string {
  return sent?.["temperature"] === false
    ? `${temperature}, not sent: the model refuses it`
    : String(temperature);
}

function tokens(all: number | null, part: number | null, name: string): string {
  if (all === null) return "–";
  return part ? `${formatNumber(all)}, ${formatNumber(part)} ${name}` : formatNumber(all);
}

function Text({ title, text }: { title: string; text: string }) {
  return (
    <figure className="call-text-block">
      <figcaption className="muted">{title}</figcaption>
      <pre className="plain" dir="auto" tabIndex={0}>
        {text}
      </pre>
    </figure>
  );
}

/** JSON with line breaks; any other text as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
