import { z } from "zod";
import { defineRoute } from "../http/route.ts";

const Alive = z.strictObject({ status: z.literal("ok") });

/** Liveness: the process responds. */
export const healthz = defineRoute({
  method: "get",
  path: "/healthz",
  summary: "Liveness check",
  public: true,
  responses: { 200: { description: "The process is alive.", content: { "application/json": Alive } } },
  handle: () => Response.json({ status: "ok" }),
});
