import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useRef, useState } from "react";
import type { CallProgress, InputQuestion } from "../../../serve/tools/types.ts";
import { formatDuration, formatNumber } from "../../parts/format.ts";
import { ErrorPanel, StatePanel } from "../../parts/state-panel.tsx";
import { VisibleText } from "../../parts/text/visible-text.tsx";
import { useNow } from "../../parts/use-now.ts";
import { askWithQuestions } from "./ask-with-questions.ts";

const Question = lazy(() => import("./input-question.tsx"));

export interface Asking {
  readonly isPending: boolean;
  readonly isError: boolean;
  readonly error: unknown;
  /** What servers ask meanwhile. */
  readonly questions: readonly InputQuestion[];
  readonly answered: (id: string) => void;
  /** As it was reported last. */
  readonly progress: CallProgress | undefined;
}

/** Asks for something that may need the person at the page, and can be cancelled. */
export function useAsking<Body extends object, Response>(
  path: string,
  { onSuccess, onSettled }: { onSuccess?: (response: Response) => void; onSettled?: () => void } = {},
) {
  const abort = useRef<AbortController>(undefined);
  const [questions, setQuestions] = useState<readonly InputQuestion[]>([]);
  const [progress, setProgress] = useState<CallProgress>();
  const asking = useMutation({
    mutationFn: (body: Body) => {
      abort.current = new AbortController();
      return askWithQuestions<Response>(path, body, {
        signal: abort.current.signal,
        onProgress: setProgress,
        onQuestion: (question) => setQuestions((before) => [...before, question]),
      });
    },
    ...(onSuccess && { onSuccess }),
    onSettled: () => {
      setQuestions([]);
      setProgress(undefined);
      onSettled?.();
    },
  });
  const answered = (id: string) => setQuestions((before) => before.filter((question) => question.id !== id));
  return { ...asking, questions, progress, answered, cancel: () => abort.current?.abort() };
}

/** What stands where the response will be: that it is waited for, what is asked meanwhile, why it failed. */
export function AskingState({
  asking,
  pending,
  cancelled,
}: {
  asking: Asking;
  pending: string;
  cancelled: string;
}) {
  return (
    <>
      {asking.isPending && asking.questions.length === 0 && (
        <StatePanel kind="loading" title={pending}>
          {asking.progress && <Progress {...asking.progress} />}
          <Elapsed />
        </StatePanel>
      )}
      {asking.questions.map((question) => (
        <Suspense key={question.id} fallback={<StatePanel kind="loading" title="Loading the question…" />}>
          <Question question={question} onDone={() => asking.answered(question.id)} />
        </Suspense>
      ))}
      {asking.isError &&
        (isAbort(asking.error) ? (
          <StatePanel kind="empty" title={cancelled} />
        ) : (
          <ErrorPanel error={asking.error} />
        ))}
    </>
  );
}

/** What is over sooner needs no clock. */
const SHOWN_FROM_MS = 1000;

/** For how long it has been waited, so that one sees whether something hangs. It is not read out. */
function Elapsed() {
  const [since] = useState(Date.now);
  const elapsed = useNow(true) - since;
  return (
    <p className="muted" aria-hidden="true">
      {elapsed < SHOWN_FROM_MS ? "" : formatDuration(elapsed)}
    </p>
  );
}

function Progress({ progress, total, message }: CallProgress) {
  return (
    <>
      {total !== undefined && total > 0 && <progress aria-label="Progress" max={total} value={progress} />}
      <p className="text">
        {formatNumber(progress)}
        {total !== undefined && ` of ${formatNumber(total)}`}{" "}
        {message !== undefined && <VisibleText text={message} />}
      </p>
    </>
  );
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
