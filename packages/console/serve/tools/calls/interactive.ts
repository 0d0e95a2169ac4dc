import type { OnInput } from "mci-ts";
import { toResponse } from "../failure.ts";
import { json, lineStream } from "../json-response.ts";
import type { CallLog } from "./call-log.ts";

/**
 * The response to work that may need a person. With `interactive` in the body it is lines of JSON, `{ input }` for each question that waits
 * for `POST /api/inputs/ID`, then `{ result }` or `{ error }`; without it, what needs a person fails.
 */
export async function respondInteractively(
  { inputs }: CallLog,
  body: unknown,
  work: (options: { readonly onInput?: OnInput }) => Promise<unknown>,
): Promise<Response> {
  const { interactive } = (body ?? {}) as { interactive?: unknown };
  if (interactive !== true) return json(await work({}));
  return lineStream(async (send) => {
    const onInput: OnInput = (request, context) =>
      inputs.ask(request, context, (question) => send({ input: question }));
    try {
      send({ result: await work({ onInput }) });
    } catch (error) {
      send(await toResponse(error).json());
    }
  });
}
