import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { LOG_LEVELS } from "../../../serve/tools/servers/log-levels.ts";
import type { LogMessage, ServerDetail } from "../../../serve/tools/servers/types.ts";
import { getJson } from "../../api/http.ts";
import { download } from "../../parts/download.ts";
import { formatNumber, formatTime, plural } from "../../parts/format.ts";
import { JsonView } from "../../parts/json/json-view.tsx";
import { ErrorPanel } from "../../parts/state-panel.tsx";
import { VisibleText } from "../../parts/text/visible-text.tsx";
import { serverPath } from "./place.ts";

/** Messages shown at once; the newest. */
const SHOWN = 100;
/** Characters of a message in its line. */
const LINE_CHARS = 300;

const BADGES: Readonly<Record<string, string>> = {
  ...{ warning: "partial", notice: "in_flight" },
  ...{ error: "failed", critical: "failed", alert: "failed", emergency: "failed" },
};

/** What a server logs, newest first, from the level on that it is asked for. */
export function LogMessages({ server, log }: { server: ServerDetail; log: readonly LogMessage[] }) {
  const [text, setText] = useState("");
  const [from, setFrom] = useState("");
  const [clearedAt, setClearedAt] = useState(0);
  const wanted = text.toLowerCase();
  const least = rankOf(from);
  const messages = log.filter(
    ({ id, level, logger = "", text }) =>
      id > clearedAt &&
      (rankOf(level) === -1 || rankOf(level) >= least) &&
      (wanted === "" || `${logger} ${text}`.toLowerCase().includes(wanted)),
  );
  const missing = (log.at(-1)?.id ?? 0) - (log[0]?.id ?? 1) + 1 - log.length;
  return (
    <section className="card" aria-labelledby="log-title">
      <h2 id="log-title">Log messages</h2>
      <Level server={server} />
      <div className="row">
        <label className="grow">
          <span className="visually-hidden">Search the log messages</span>
          <input
            type="search"
            placeholder="Search the log messages"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </label>
        <label>
          <span className="visually-hidden">Show from level</span>
          <select value={from} onChange={({ target }) => setFrom(target.value)}>
            <option value="">Every level</option>
            {LOG_LEVELS.slice(1).map((level) => (
              <option key={level} value={level}>
                {level} and above
              </option>
            ))}
          </select>
        </label>
        <button type="button" className="quiet" onClick={() => setClearedAt(log.at(-1)?.id ?? 0)}>
          Hide these
        </button>
        <button
          type="button"
          className="quiet"
          disabled={messages.length === 0}
          onClick={() =>
            download(`log-${server.name}.json`, JSON.stringify(messages, undefined, 2), "application/json")
          }
        >
          Download as JSON
        </button>
      </div>
      <p className="muted" role="status">
        {messages.length === 0
          ? log.length === 0
            ? "The server has sent no log messages."
            : "No log message matches."
          : plural(messages.length, "message")}
        {missing > 0 && ` ${formatNumber(missing)} came too fast to be kept.`}
        {messages.length > SHOWN && ` The newest ${SHOWN} are shown; search for others.`}
      </p>
      <ol className="plain-list protocol-log" aria-label="Log messages, newest first">
        {messages
          .slice(-SHOWN)
          .toReversed()
          .map((message) => (
            <Message key={message.id} message={message} />
          ))}
      </ol>
    </section>
  );
}

const rankOf = (level: string) => (LOG_LEVELS as readonly string[]).indexOf(level);

function Level({ server: { name, log_level, identity } }: { server: ServerDetail }) {
  const queries = useQueryClient();
  const set = useMutation({
    mutationFn: (level: string) => getJson<ServerDetail>(serverPath(name, "log-level"), { body: { level } }),
    onSuccess: (detail) => queries.setQueryData(["server", name], detail),
  });
  if (identity?.capabilities !== undefined && !Object.hasOwn(identity.capabilities, "logging"))
    return <p className="muted">The server does not say that it sends log messages.</p>;
  return (
    <>
      <div className="row">
        <label>
          Level that the server sends from{" "}
          <select
            value={log_level ?? ""}
            disabled={set.isPending}
            onChange={({ target }) => target.value !== "" && set.mutate(target.value)}
          >
            <option value="">as it decides</option>
            {LOG_LEVELS.map((level) => (
              <option key={level} value={level}>
                {level}
              </option>
            ))}
          </select>
        </label>
        <span role="status" className="muted">
          {set.isSuccess && `It sends ${log_level} and above.`}
        </span>
      </div>
      {set.isError && <ErrorPanel error={set.error} />}
    </>
  );
}

function Message({ message: { at, level, logger, text, size } }: { message: LogMessage }) {
  const [isOpen, setIsOpen] = useState(false);
  const line = (
    <>
      <span className={`badge ${Object.hasOwn(BADGES, level) ? BADGES[level] : ""}`}>
        <VisibleText text={level} />
      </span>{" "}
      <span className="muted">{formatTime(at)}</span>{" "}
      {logger !== undefined && (
        <span className="mono">
          <VisibleText text={logger} />{" "}
        </span>
      )}
      <VisibleText text={text.slice(0, LINE_CHARS)} />
      {text.length > LINE_CHARS && "…"}
    </>
  );
  const data = isOpen ? parse(text) : undefined;
  if (text.length <= LINE_CHARS && !/^[[{]/.test(text)) return <li className="log-line">{line}</li>;
  return (
    <li className="log-line">
      <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary>{line}</summary>
        {isOpen &&
          (data === undefined ? (
            <pre className="plain" tabIndex={0}>
              <VisibleText text={text} />
            </pre>
          ) : (
            <JsonView value={data} />
          ))}
        {isOpen && size > text.length && (
          <p className="muted">
            {formatNumber(size - text.length)} more characters; the protocol log may have them.
          </p>
        )}
      </details>
    </li>
  );
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
