import type { CallProgress, InputQuestion } from "../../../serve/tools/types.ts";
import { ApiError, send } from "../../api/http.ts";

interface Line<T> {
  readonly input?: InputQuestion;
  readonly progress?: CallProgress;
  readonly result?: T;
  readonly error?: { readonly code: string; readonly message: string };
}

interface AskOptions {
  readonly signal: AbortSignal;
  readonly onQuestion: (question: InputQuestion) => void;
  readonly onProgress: (progress: CallProgress) => void;
}

/** Asks for something, and hands on what servers ask and report meanwhile. */
export async function askWithQuestions<T>(
  path: string,
  body: object,
  { signal, onQuestion, onProgress }: AskOptions,
): Promise<T> {
  const response = await send(path, { body: { ...body, interactive: true }, signal });
  for await (const { input, progress, result, error } of readLines<T>(response.body!)) {
    if (progress) onProgress(progress);
    if (input) onQuestion(input);
    if (result) return result;
    if (error) throw new ApiError(response.status, error.code, error.message);
  }
  throw new ApiError(
    0,
    "offline",
    "The connection ended before there was a response. Calls and the protocol log say what became of it.",
  );
}

async function* readLines<T>(body: ReadableStream<Uint8Array>): AsyncGenerator<Line<T>> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  // A result of many megabytes is one line in many pieces: joined once, at its end.
  let pieces: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const [end = "", ...lines] = value.split("\n");
      pieces.push(end);
      for (const begin of lines) {
        yield JSON.parse(pieces.join("")) as Line<T>;
        pieces = [begin];
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
