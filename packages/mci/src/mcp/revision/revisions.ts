import type { Client } from "@modelcontextprotocol/client";
import { REVISION_2025_11_25 } from "./2025-11-25/revision.ts";
import { REVISION_2026_07_28 } from "./2026-07-28/revision.ts";
import type { Revision } from "./revision.ts";

/** One line for each revision that changed how clients and servers talk, oldest first. */
const REVISIONS: readonly Revision[] = [REVISION_2025_11_25, REVISION_2026_07_28];

/** How to talk to the server of a session: by the newest revision that is not newer than the one agreed upon. */
export function revisionOf(client: Client): Revision {
  const agreed = client.getNegotiatedProtocolVersion() ?? "";
  return REVISIONS.findLast(({ version }) => version <= agreed) ?? REVISIONS[0]!;
}
