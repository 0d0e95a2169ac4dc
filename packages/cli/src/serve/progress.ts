import type { ServerContext } from "@modelcontextprotocol/server";
import type { ExecuteOptions } from "mci-ts";

/** Milliseconds between two notifications of one call: a server may send progress without end. */
const MIN_INTERVAL_MS = 10;
/** Notifications of one call that are sent at once, whatever the interval. */
const BURST = 100;

/** Progress is sent to a client that asked for it, and always before the result. */
export function progressOf({ _meta, notify }: Pick<ServerContext["mcpReq"], "_meta" | "notify">): {
  onProgress: ExecuteOptions["onProgress"];
  sent: () => Promise<unknown>;
} {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return { onProgress: undefined, sent: async () => {} };
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;
  let sentAt = 0;
  let skipped: (() => void) | undefined;
  const send = (progress: object) => {
    sentAt = performance.now();
    skipped = undefined;
    // A disconnected client needs no progress; the call itself is cancelled elsewhere.
    last = notify({ method: "notifications/progress", params: { progressToken, ...progress } }).catch(
      () => {},
    );
  };
  return {
    onProgress: (progress) => {
      if (count++ < BURST || performance.now() - sentAt >= MIN_INTERVAL_MS) send(progress);
      else skipped = () => send(progress);
    },
    sent: () => {
      skipped?.();
      return last;
    },
  };
}
