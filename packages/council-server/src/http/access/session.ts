import { createHash } from "node:crypto";
import type { AgentRequest, Headers } from "../../protocols/protocol.ts";

/** Headers in which agents name their conversation. */
const HEADERS = [
  "x-session-id",
  "session-id",
  "session_id",
  "thread-id",
  "x-claude-code-session-id",
  "conversation-id",
  "x-conversation-id",
  "x-session-affinity",
];

/**
 * What the steps of one agent have in common: the name that it gives its conversation, or else how that begins. `caller`: where the request
 * comes from, which tells two conversations apart that begin alike.
 */
export function sessionOf({ sessionKey, opening }: AgentRequest, headers: Headers, caller: string): string {
  const named = HEADERS.map((name) => headers.get(name)).find(Boolean) ?? sessionKey;
  if (named !== undefined && /^[\w.:-]{1,64}$/.test(named)) return named;
  return createHash("sha256")
    .update(named ?? `${caller}\n${opening}`)
    .digest("base64url")
    .slice(0, 32);
}
