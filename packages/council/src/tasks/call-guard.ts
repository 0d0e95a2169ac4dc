import type { Model } from "../model.ts";

/** What is done around every call of a task: by whatever runs it, which records what is open. */
export interface CallGuard {
  /** Before the call is made; it is not, if this rejects. */
  before(): Promise<void>;
  /** After the call, before its reply is evaluated. */
  after(): Promise<void>;
}

export function guardCalls(model: Model, guard: CallGuard | undefined): Model {
  if (guard === undefined) return model;
  return {
    ...model,
    async complete(request, signal) {
      await guard.before();
      signal.throwIfAborted();
      try {
        return await model.complete(request, signal);
      } finally {
        await guard.after();
      }
    },
  };
}
