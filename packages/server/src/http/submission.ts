import { z } from "zod";
import type { Submission } from "../service.ts";
import { parse } from "./parse.ts";
import type { AppContext } from "./route.ts";

/** What every route that starts a run takes in its headers. */
export const idempotencyHeaders = z.object({
  "idempotency-key": z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe("The same key and body give the same answer, computed once."),
});

export function readIdempotencyKey(c: AppContext): string | undefined {
  const given = { "idempotency-key": c.req.header("idempotency-key") };
  return parse(idempotencyHeaders, given, "headers")["idempotency-key"];
}

/** What it says in the headers of its answer. */
export function runHeaders({ id, live }: Submission): Record<string, string> {
  return { "x-request-id": id, ...(live ? {} : { "idempotent-replayed": "true" }) };
}
