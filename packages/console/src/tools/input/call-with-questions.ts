import type { CallResponse, InputQuestion } from "../../../serve/tools/types.ts";
import { ApiError, send } from "../../api/http.ts";

interface Line {
  readonly input?: InputQuestion;
  readonly result?: CallResponse;
  readonly error?: { readonly code: string; readonly message: string };
}

/** Calls a tool, and hands on what its servers ask meanwhile. `expected`: the preview that the person agreed to. */
export async function callWithQuestions(
  tool: string,
  body: { readonly input: Record<string, unknown>; readonly expected?: unknown },
  { signal, onQuestion }: { signal: AbortSignal; onQuestion: (question: InputQuestion) => void },
): Promise<CallResponse> {
  const response = await send(`api/tools/${encodeURIComponent(tool)}/call`, {
    body: { ...body, interactive: true },
    signal,
  });
  for await (const { input, result, error } of readLines(response.body!)) {
    if (input) onQuestion(input);
    if (result) return result;
    if (error) throw new ApiError(response.status, error.code, error.message);
  }
  throw new ApiError(
    0,
    "offline",
    "The connection ended before the tool had answered. Calls says what became of it.",
  );
}

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<Line> {
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
        yield JSON.parse(pieces.join("")) as Line;
        pieces = [begin];
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
