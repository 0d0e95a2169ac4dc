import type { OnInput } from "mci-ts";
import { toResponse } from "../failure.ts";
import { json, lineStream } from "../json-response.ts";
import type { CallProgress } from "../types.ts";
import type { CallLog } from "./call-log.ts";

/** Milliseconds between two lines of progress: a server may report it without pause. */
const PROGRESS_MS = 200;
const MAX_MESSAGE = 1000;

export interface Listeners {
  readonly onInput?: OnInput;
  readonly onProgress?: (progress: CallProgress) => void;
}

/**
 * The response to work that may need a person. With `interactive` in the body it is lines of JSON, `{ input }` for each question that waits
 * for `POST /api/inputs/ID`, `{ progress }` as it is reported, then `{ result }` or `{ error }`; without it, what needs a person fails.
 * `mask` takes secrets out of the words of a server.
 */
export async function respondInteractively(
  { inputs }: CallLog,
  body: unknown,
  mask: (text: string) => string,
  work: (listeners: Listeners) => Promise<unknown>,
): Promise<Response> {
  const { interactive } = (body ?? {}) as { interactive?: unknown };
  if (interactive !== true) return json(await work({}));
  return lineStream(async (send) => {
    const onInput: OnInput = (request, context) =>
      inputs.ask(request, context, (question) => send({ input: question }));
    const progress = latest<CallProgress>((reported) => send({ progress: bounded(reported, mask) }));
    try {
      const result = await work({ onInput, onProgress: progress.report });
      progress.end();
      send({ result });
    } catch (error) {
      progress.end();
      send(await toResponse(error).json());
    }
  });
}

function bounded({ message, ...numbers }: CallProgress, mask: (text: string) => string): CallProgress {
  return message === undefined ? numbers : { ...numbers, message: mask(message).slice(0, MAX_MESSAGE) };
}

/** Hands on the first report, and after that the latest one after some time. */
function latest<T>(send: (value: T) => void) {
  let waiting: { value: T } | undefined;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    if (waiting === undefined) return;
    send(waiting.value);
    waiting = undefined;
    timer = setTimeout(flush, PROGRESS_MS).unref();
  };
  return {
    report(value: T) {
      waiting = { value };
      if (timer === undefined) flush();
    },
    end: () => clearTimeout(timer),
  };
}
