import { STRATEGIES } from "@mci-ts/council";
import { z } from "zod";
import { defineRoute, success } from "../../http/route.ts";

const ConsoleParts = z.strictObject({
  council: z.boolean().describe("The council's screens."),
  tools: z.boolean().describe("The tools of the file that MCI_TOOLS names, below /api."),
  live: z.boolean().describe("Calls of MCP clients, as they happen. Only `mci run --ui` has them."),
  strategies: z
    .array(
      z.strictObject({
        tool: z.string().describe("As in `tool_used`."),
        label: z.string(),
        intents: z.record(z.string(), z.string()).describe("Values of `intent`, each with its label."),
      }),
    )
    .describe("The ways to answer, for the form and the history."),
});

const strategies = STRATEGIES.map(({ tool, label, intents }) => ({ tool, label, intents }));

/** What the web console can show here. Public: it holds no data. */
export const consoleParts = defineRoute({
  method: "get",
  path: "/api/console",
  summary: "Parts of the web console that are served here",
  public: true,
  responses: { 200: success("The parts.", ConsoleParts) },
  handle: (_, { tools }) =>
    Response.json({ council: true, tools: tools !== undefined, live: false, strategies }),
});
