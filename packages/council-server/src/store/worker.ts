import { parentPort, workerData } from "node:worker_threads";
import { type HistoryOptions, openHistory } from "./history.ts";

/**
 * The thread that owns the database, so that disk waits of SQLite do not block the event loop. Every message gets a reply with its
 * number and a value or an error; no message can end the thread.
 */
export type WorkerRequest = {
  readonly number: number;
  readonly method: string;
  readonly args: readonly unknown[];
};
export type WorkerReply = { readonly number: number; readonly value?: unknown; readonly error?: string };

const port = parentPort!;

try {
  const history: Record<string, (...args: never[]) => unknown> = openHistory(workerData as HistoryOptions);
  port.on("message", ({ number, method, args }: WorkerRequest) => {
    try {
      port.postMessage({ number, value: history[method]?.(...(args as never[])) } satisfies WorkerReply);
    } catch (error) {
      port.postMessage({ number, error: String((error as Error).message) } satisfies WorkerReply);
    }
  });
  port.postMessage({ number: 0 } satisfies WorkerReply);
} catch (error) {
  port.postMessage({ number: 0, error: String((error as Error).message) } satisfies WorkerReply);
  port.close();
}
