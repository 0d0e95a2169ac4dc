import type { Client } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { REVISION_2025_11_25 } from "./2025-11-25/revision.ts";
import { REVISION_2026_07_28 } from "./2026-07-28/revision.ts";
import { revisionOf } from "./revisions.ts";

const session = (version: string | undefined) =>
  ({ getNegotiatedProtocolVersion: () => version }) as unknown as Client;

test.each([
  [undefined, "2025-11-25"],
  ["2024-11-05", "2025-11-25"],
  ["2025-06-18", "2025-11-25"],
  ["2025-11-25", "2025-11-25"],
  ["2026-07-28", "2026-07-28"],
  ["2027-03-01", "2026-07-28"],
])("a session of %s is spoken to by the rules of %s [M-revision]", (agreed, version) => {
  expect(revisionOf(session(agreed)).version).toBe(version);
});

test("what a request carries beside its parameters depends on the revision [M-revision]", () => {
  const framing = {
    input: { onInput: () => ({ action: "cancel" as const }), meta: { traceparent: "00-1" } },
    progressToken: "p",
    asksForInput: false,
    capabilities: (asksForInput: boolean) => ({ asksForInput }),
  };
  const round = { name: "t", requestState: "s", inputResponses: {} };
  expect(REVISION_2025_11_25.frame(round, framing)).toEqual({
    name: "t",
    _meta: { traceparent: "00-1", progressToken: "p" },
  });
  expect(REVISION_2026_07_28.frame(round, framing)).toEqual({
    ...round,
    _meta: {
      traceparent: "00-1",
      "io.modelcontextprotocol/clientCapabilities": { asksForInput: true },
      progressToken: "p",
    },
  });
  expect(
    REVISION_2026_07_28.frame({ name: "t" }, { ...framing, input: undefined, progressToken: undefined }),
  ).toEqual({
    name: "t",
  });
});
