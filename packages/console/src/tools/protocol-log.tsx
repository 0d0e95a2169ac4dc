import { parseJson } from "@mci-ts/primitives/parse-json";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { ProtocolMessage } from "../../serve/tools/types.ts";
import { getJson } from "../api/http.ts";
import { download } from "../parts/download.ts";
import { formatDuration, formatNumber, formatTime, plural } from "../parts/format.ts";
import { JsonView } from "../parts/json/json-view.tsx";
import { ErrorPanel } from "../parts/state-panel.tsx";

/** Messages shown at first; the newest. */
const SHOWN = 100;

/** The messages of a server, newest first, each of them whole when it is opened. Fetched while it is open. */
export function ProtocolLog({ server }: { server: string }) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  const log = useQuery({
    queryKey: ["server log", server],
    enabled: isOpen,
    queryFn: () =>
      getJson<{ messages: readonly ProtocolMessage[]; dropped: number }>(
        `api/servers/${encodeURIComponent(server)}/log`,
      ),
    refetchInterval: 2000,
  });
  const wanted = text.toLowerCase();
  const all = log.data?.messages;
  const answered = useMemo(() => requestsOf(all ?? []), [all]);
  const messages = (all ?? []).filter((message) => message.text.toLowerCase().includes(wanted)).toReversed();
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Protocol log</summary>
      {log.isError && <ErrorPanel error={log.error} />}
      {log.data && (
        <>
          <label>
            <span className="visually-hidden">Search the messages of {server}</span>
            <input
              type="search"
              placeholder="Search messages"
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          </label>
          <button
            type="button"
            className="quiet"
            onClick={() =>
              download(
                `protocol-${server}.json`,
                JSON.stringify(log.data.messages, undefined, 2),
                "application/json",
              )
            }
          >
            Download as JSON
          </button>
          <p className="muted" role="status">
            {messages.length === 0 ? "No messages." : plural(messages.length, "message")}
            {log.data.dropped > 0 &&
              ` ${formatNumber(log.data.dropped)} older ones are no longer remembered.`}
            {messages.length > SHOWN && ` The newest ${SHOWN} are shown; search for others.`}
          </p>
          <ul className="plain-list protocol-log" aria-label={`Messages of ${server}`}>
            {messages.slice(0, SHOWN).map((message) => (
              <Message key={message.id} message={message} answers={answered.get(message.id)} />
            ))}
          </ul>
        </>
      )}
    </details>
  );
}

interface Request {
  readonly method: string;
  readonly at: string;
}

function Message({
  message: { direction, at, text, size },
  answers,
}: {
  message: ProtocolMessage;
  /** The request that it answers. */
  answers: Request | undefined;
}) {
  const [isOpen, setOpen] = useState(false);
  const parsed = useMemo(() => parse(text), [text]);
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span className="mono">{direction === "sent" ? "→" : "←"}</span>{" "}
          <span className="visually-hidden">{direction}</span> <bdi>{titleOf(parsed, text, answers)}</bdi>{" "}
          <span className="muted">
            {formatTime(at)} · {formatNumber(size)} characters
            {answers && ` · after ${formatDuration(Date.parse(at) - Date.parse(answers.at))}`}
          </span>
        </summary>
        {isOpen &&
          (parsed === undefined ? <pre className="plain">{text}…</pre> : <JsonView value={parsed} />)}
      </details>
    </li>
  );
}

/** The request that each response answers: the last before it with its id, from the other side. A new session counts from the beginning. */
function requestsOf(messages: readonly ProtocolMessage[]): ReadonlyMap<number, Request> {
  const open = new Map<string, Request>();
  const answered = new Map<number, Request>();
  for (const { id: key, direction, at, text } of messages) {
    const { id, method } = parse(text) ?? {};
    if (id === undefined) continue;
    if (typeof method === "string") {
      open.set(`${direction} ${JSON.stringify(id)}`, { method, at });
      continue;
    }
    const request = `${direction === "sent" ? "received" : "sent"} ${JSON.stringify(id)}`;
    const found = open.get(request);
    if (found) answered.set(key, found);
    open.delete(request);
  }
  return answered;
}

/** undefined for a message that was cut. */
const parse = (text: string) => parseJson(text) as Record<string, unknown> | undefined;

function titleOf(
  message: Record<string, unknown> | undefined,
  text: string,
  answers: Request | undefined,
): string {
  if (message === undefined) return text.slice(0, 80);
  const { id, method, error } = message;
  const number = id === undefined ? "" : ` #${id}`;
  if (typeof method === "string") return `${method}${number}`;
  const to = answers === undefined ? "" : ` to ${answers.method}`;
  return `${error === undefined ? "response" : "error"}${to}${number}`;
}
