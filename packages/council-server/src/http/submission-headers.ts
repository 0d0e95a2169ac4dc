import { z } from "zod";
import type { Submission } from "../runs/submission.ts";
import { parse } from "./parse.ts";
import type { AppContext } from "./route.ts";

/** Request headers of every route that starts a run. */
export const idempotencyHeaders = z.object({
  "idempotency-key": z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe("Requests with the same key and body share one run and its response."),
});

/** Whether the client asked not to wait (RFC 7240). */
export function prefersAsync(c: AppContext): boolean {
  return (c.req.header("prefer") ?? "")
    .split(/[,;]/)
    .some((part) => part.trim().toLowerCase() === "respond-async");
}

export function readIdempotencyKey(c: AppContext): string | undefined {
  const received = { "idempotency-key": c.req.header("idempotency-key") };
  return parse(idempotencyHeaders, received, "headers")["idempotency-key"];
}

/** Response headers of every route that starts a run. */
export function runHeaders({ id, live, cached }: Submission): Record<string, string> {
  return { "x-request-id": id, ...(live || cached ? {} : { "idempotent-replayed": "true" }) };
}
