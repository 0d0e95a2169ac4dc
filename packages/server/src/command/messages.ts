import { SETTINGS } from "../config/settings.ts";
import { keyDestinations } from "../providers/routing.ts";
import type { CouncilServer } from "../server.ts";

/** What is said once the service listens: what answers, and what to try next. */
export function startupBanner({ url, service }: CouncilServer): string {
  const { config, models } = service;
  const token = config.http.token === undefined ? "" : " -H 'authorization: Bearer <MCI_TOKEN>'";
  return `${[
    `Council listens on ${url}`,
    `  model    ${models.description}`,
    ...keyDestinations(config.models).map((destination) => `  key      ${destination}`),
    `  history  ${config.store.dir ?? "in memory, gone when the service stops (set MCI_DATA_DIR to keep it)"}`,
    ...config.warnings.map((warning) => `  note     ${warning}`),
    ...(models.simulated
      ? [
          "",
          "There is no model to ask, so a built-in simulated one stands in: shapes and numbers are real, the answers",
          "are not. Set MAKER_API_KEY, or MAKER_API_URL and MAKER_API_MODEL, to ask a real one.",
        ]
      : []),
    "",
    "Try:",
    `  curl ${url}/mcp/model -H 'content-type: application/json'${token} \\`,
    `    -d '{"prompt": "Is it better to use moment.js or date-fns in a new project?"}'`,
    "MCP clients:",
    `  {"mcpServers": {"council": {"type": "http", "url": "${url}/mcp"}}}`,
    "OpenAI clients:",
    `  base URL ${url}/v1, models auto, council, vote, decompose`,
    `Everything else: ${url}/openapi.json`,
  ].join("\n")}\n`;
}

export const HELP = `mci-council: answers prompts by voting and judging.

  mci-council            Serves HTTP: POST /mcp/model, MCP at /mcp, OpenAI-compatible at /v1
  mci-council --stdio    Serves MCP on standard input and output
  mci-council --help     Shows this
  mci-council --version  Shows the version

Settings are environment variables:

${Object.entries(SETTINGS)
  .map(([name, schema]) => `  ${name}\n      ${schema.description}`)
  .join("\n")}
`;
