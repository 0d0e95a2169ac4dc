import type { Revision } from "../revision.ts";
import { taskCalls } from "./task-calls.ts";

/** Until 2025: a handshake opens a session; servers ask and tell of changes of their own accord. */
export const REVISION_2025_11_25: Revision = {
  version: "2025-11-25",
  asksDuringCalls: true,

  /** Servers know no state of a request that waits. */
  frame({ requestState: _, inputResponses: __, ...params }, { input, progressToken }) {
    const meta = { ...input?.meta, ...(progressToken && { progressToken }) };
    return { ...params, ...(Object.keys(meta).length > 0 && { _meta: meta }) };
  },

  openCalls: taskCalls,
  ping: (client, options) => client.ping(options),
  setLogLevel: (client, level, options) => client.setLoggingLevel(level, options),

  async watch(client, { uris, before }, options) {
    for (const uri of uris) if (!before.includes(uri)) await client.subscribeResource({ uri }, options);
    for (const uri of before) if (!uris.includes(uri)) await client.unsubscribeResource({ uri }, options);
    return undefined;
  },
};
