import { useMutation } from "@tanstack/react-query";
import type { FormRequest, InputResponse, UrlRequest } from "mci-ts";
import { type FormEvent, useEffect, useRef, useState } from "react";
import type { InputQuestion as Question } from "../../../serve/tools/types.ts";
import { getJson } from "../../api/http.ts";
import { Facts } from "../../parts/facts.tsx";
import { InputEditor } from "../../parts/form/input-editor.tsx";
import type { FormSchema } from "../../parts/form/json-schema.ts";
import { useCheckedInput } from "../../parts/form/use-checked-input.ts";
import { ErrorPanel } from "../../parts/state-panel.tsx";
import { VisibleText } from "../../parts/text/visible-text.tsx";

/** What a server asks of the person while a call waits: a form, or a page to visit. Its words are shown as a stranger's. */
export default function InputQuestion({ question, onDone }: { question: Question; onDone: () => void }) {
  const { id, server, request } = question;
  const answer = useMutation({
    mutationFn: (response: InputResponse) =>
      getJson(`api/inputs/${encodeURIComponent(id)}`, { body: response }),
    onSuccess: onDone,
  });
  const title = useRef<HTMLHeadingElement>(null);
  // The call was sent with a button that is gone; a keyboard goes on here.
  useEffect(() => title.current?.focus(), []);
  return (
    <section className="card answer" aria-label="The call waits for you">
      <h2 tabIndex={-1} ref={title}>
        The call waits for you
      </h2>
      <p className="muted">
        {server === undefined ? (
          "The file says that a person approves each call of this tool."
        ) : (
          <>
            The MCP server <bdi>{server}</bdi> asks. Give it only what you would tell its operator.
          </>
        )}
      </p>
      <blockquote className="text">
        <VisibleText text={request.message} />
      </blockquote>
      {server === undefined ? (
        <Approval isPending={answer.isPending} onAnswer={answer.mutate} />
      ) : request.mode === "form" ? (
        <Form request={request} isPending={answer.isPending} onAnswer={answer.mutate} />
      ) : (
        <Address request={request} isPending={answer.isPending} onAnswer={answer.mutate} />
      )}
      {answer.isError && <ErrorPanel error={answer.error} />}
    </section>
  );
}

interface AnswerProps {
  readonly isPending: boolean;
  readonly onAnswer: (response: InputResponse) => void;
}

/** The file's own question, whether this call may be made: what it is about stands above. */
function Approval({ isPending, onAnswer }: AnswerProps) {
  return (
    <div className="row actions">
      <button type="button" disabled={isPending} onClick={() => onAnswer({ action: "decline" })}>
        Decline
      </button>
      <button
        type="button"
        className="danger"
        disabled={isPending}
        onClick={() => onAnswer({ action: "accept", content: { approve: true } })}
      >
        Approve this call
      </button>
    </div>
  );
}

function Form({ request, isPending, onAnswer }: AnswerProps & { request: FormRequest }) {
  const schema = request.requestedSchema as FormSchema;
  const [input, setInput] = useState<Record<string, unknown>>({});
  const [isJson, setIsJson] = useState(true);
  const [isAttempted, setIsAttempted] = useState(false);
  const [all, setChosen] = useCheckedInput(schema, input);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsAttempted(true);
    if (isJson && all.size === 0)
      onAnswer({
        action: "accept",
        content: input as NonNullable<Extract<InputResponse, { action: "accept" }>["content"]>,
      });
  };
  return (
    <form onSubmit={submit} noValidate>
      <InputEditor
        title="Your answer"
        schema={schema}
        input={input}
        {...(isAttempted ? { errors: all } : {})}
        onChange={setInput}
        onChosen={setChosen}
        onJsonChange={setIsJson}
      />
      <div className="row actions">
        <button type="submit" className="primary" disabled={!isJson || isPending}>
          Send the answer
        </button>
        <Refusals isPending={isPending} onAnswer={onAnswer} />
        {isAttempted && all.size > 0 && (
          <span className="error-text" role="status">
            Not sent: {all.size === 1 ? "one field is" : `${all.size} fields are`} missing or wrong.
          </span>
        )}
      </div>
    </form>
  );
}

/** The host stands alone: an address can begin like that of another. Nothing is opened by itself. */
function Address({ request, isPending, onAnswer }: AnswerProps & { request: UrlRequest }) {
  const [isOpened, setIsOpened] = useState(false);
  const url = parse(request.url);
  return (
    <>
      <Facts
        facts={[
          ["Host", url === undefined ? "none: this is not a web address" : <bdi key="host">{url.host}</bdi>],
          ["The whole address", <VisibleText key="url" text={request.url} />],
        ]}
      />
      {url?.protocol === "http:" && <p className="warning">The connection to this page is not encrypted.</p>}
      <div className="row actions">
        {url && (
          <a
            className="button"
            href={url.href}
            target="_blank"
            rel="noopener noreferrer"
            onClick={() => setIsOpened(true)}
          >
            Open {url.host} in a new tab
          </a>
        )}
        <button
          type="button"
          className="primary"
          disabled={!isOpened || isPending}
          onClick={() => onAnswer({ action: "accept" })}
        >
          I have done it: go on
        </button>
        <Refusals isPending={isPending} onAnswer={onAnswer} />
      </div>
    </>
  );
}

function Refusals({ isPending, onAnswer }: AnswerProps) {
  return (
    <>
      <button type="button" disabled={isPending} onClick={() => onAnswer({ action: "decline" })}>
        Decline
      </button>
      <button
        type="button"
        className="quiet"
        disabled={isPending}
        onClick={() => onAnswer({ action: "cancel" })}
      >
        Close without an answer
      </button>
    </>
  );
}

function parse(text: string): URL | undefined {
  const url = URL.parse(text);
  return url && /^https?:$/.test(url.protocol) && url.username + url.password === "" ? url : undefined;
}
