import { randomUUID } from "node:crypto";
import type { InputContext, InputRequest, InputResponse } from "mci-ts";
import type { InputQuestion } from "../types.ts";

/** What servers ask of the person at the page while a call runs. Each question has an id that only the caller's stream names. */
export class PendingInputs {
  readonly #waiting = new Map<string, (response: InputResponse) => void>();

  /** Shows the question, and waits for its response. Ends with the call. */
  ask(
    request: InputRequest,
    { server, signal }: InputContext,
    show: (question: InputQuestion) => void,
  ): Promise<InputResponse> {
    const id = randomUUID();
    return new Promise((resolve) => {
      const settle = (response: InputResponse) => {
        this.#waiting.delete(id);
        signal.removeEventListener("abort", cancel);
        resolve(response);
      };
      const cancel = () => settle({ action: "cancel" });
      if (signal.aborted) return cancel();
      signal.addEventListener("abort", cancel, { once: true });
      this.#waiting.set(id, settle);
      show({ id, request, ...(server === undefined ? {} : { server }) });
    });
  }

  /** False: there is no such question, or not any more. */
  answer(id: string, response: InputResponse): boolean {
    const settle = this.#waiting.get(id);
    settle?.(response);
    return settle !== undefined;
  }
}
