import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useRef, useState } from "react";
import type { InputQuestion } from "../../../serve/tools/types.ts";
import { ErrorPanel, StatePanel } from "../../parts/state-panel.tsx";
import { askWithQuestions } from "./ask-with-questions.ts";

const Question = lazy(() => import("./input-question.tsx"));

export interface Asking {
  readonly isPending: boolean;
  readonly isError: boolean;
  readonly error: unknown;
  /** What servers ask meanwhile. */
  readonly questions: readonly InputQuestion[];
  readonly answered: (id: string) => void;
}

/** Asks for something that may need the person at the page, and can be cancelled. */
export function useAsking<Body extends object, Response>(
  path: string,
  { onSuccess, onSettled }: { onSuccess?: (response: Response) => void; onSettled?: () => void } = {},
) {
  const abort = useRef<AbortController>(undefined);
  const [questions, setQuestions] = useState<readonly InputQuestion[]>([]);
  const asking = useMutation({
    mutationFn: (body: Body) => {
      abort.current = new AbortController();
      return askWithQuestions<Response>(path, body, {
        signal: abort.current.signal,
        onQuestion: (question) => setQuestions((before) => [...before, question]),
      });
    },
    ...(onSuccess && { onSuccess }),
    onSettled: () => {
      setQuestions([]);
      onSettled?.();
    },
  });
  const answered = (id: string) => setQuestions((before) => before.filter((question) => question.id !== id));
  return { ...asking, questions, answered, cancel: () => abort.current?.abort() };
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
      {asking.isPending && asking.questions.length === 0 && <StatePanel kind="loading" title={pending} />}
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

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
