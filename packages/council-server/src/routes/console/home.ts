import { z } from "zod";
import { acceptsHtml } from "../../http/accept.ts";
import { consoleFiles } from "../../http/console/console-files.ts";
import { defineRoute } from "../../http/route.ts";

const Home = z.strictObject({
  name: z.string(),
  description: z.string(),
  links: z.record(z.string(), z.string()),
});

/** The web console for browsers; links to the other endpoints for programs. */
export const home = defineRoute({
  method: "get",
  path: "/",
  summary: "Links to the other endpoints",
  public: true,
  responses: {
    200: {
      description: "Links to the other endpoints; the web console where text/html is accepted.",
      content: { "application/json": Home, "text/html": undefined },
    },
  },
  handle: (c) =>
    (acceptsHtml(c.req.header("accept")) &&
      consoleFiles.respond("index.html", c.req.header("accept-encoding"))) ||
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
