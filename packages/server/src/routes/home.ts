import { z } from "zod";
import { defineRoute } from "../http/route.ts";

const Home = z.strictObject({
  name: z.string(),
  description: z.string(),
  links: z.record(z.string(), z.string()),
});

/** Links to the other endpoints. */
export const home = defineRoute({
  method: "get",
  path: "/",
  summary: "Links to the other endpoints",
  public: true,
  responses: { 200: { description: "Links to the other endpoints.", content: { "application/json": Home } } },
  handle: () =>
    Response.json({
      name: "council",
      description:
        'Answers prompts by voting, a judged council, or decomposition. POST /mcp/model with {"prompt": "…"}.',
      links: {
        api: "/openapi.json",
        model: "/mcp/model",
        mcp: "/mcp",
        chat: "/v1/chat/completions",
        runs: "/runs",
        ready: "/readyz",
        metrics: "/metrics",
      },
    }),
});
