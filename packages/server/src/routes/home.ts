import { z } from "zod";
import { defineRoute } from "../http/route.ts";

const Home = z.strictObject({
  name: z.string(),
  description: z.string(),
  links: z.record(z.string(), z.string()),
});

/** Where to go from here. */
export const home = defineRoute({
  method: "get",
  path: "/",
  summary: "Where to go from here",
  public: true,
  responses: { 200: { description: "The service's other doors.", content: { "application/json": Home } } },
  handle: () =>
    Response.json({
      name: "council",
      description: 'Answers prompts by voting and judging. POST /mcp/model with {"prompt": "…"}.',
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
