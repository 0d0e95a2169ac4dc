import { z } from "zod";
import { defineRoute } from "../http/route.ts";

const Alive = z.strictObject({ status: z.literal("ok") });

/** Whether the process lives. */
export const healthz = defineRoute({
  method: "get",
  path: "/healthz",
  summary: "Whether the process lives",
  public: true,
  responses: { 200: { description: "It does.", content: { "application/json": Alive } } },
  handle: () => Response.json({ status: "ok" }),
});
