import { escapeControls } from "@mci-ts/primitives/escape-controls";
import { STRATEGY_MODELS } from "../chat/model-list.ts";
import { describeHistory } from "../config/describe-history.ts";
import { describeOutcomes, warnOfOutcomes } from "../config/outcomes.ts";
import { SETTINGS } from "../config/settings.ts";
import { keyDestinations } from "../providers/routing.ts";
import type { CouncilServer } from "../server.ts";
import type { CouncilService } from "../service.ts";

/** Printed once the service listens: which model is used, and what to try next. */
export function startupBanner({ url, service }: CouncilServer): string {
  const { config, models } = service;
  const token = config.http.token === undefined ? "" : " -H 'authorization: Bearer <MCI_TOKEN>'";
  return `${[
    `Council is listening on ${url}`,
    `Open ${url} in a browser`,
    `  model    ${models.description}`,
    ...keyDestinations(config.models).map((destination) => `  key      ${destination}`),
    `  history  ${describeHistory(config.store)}`,
    ...(config.voting.outcomes.length > 0
      ? [`  outcomes ${escapeControls(describeOutcomes(config.voting.outcomes))}`]
      : []),
    ...startupWarnings(service).map((warning) => `  warning  ${escapeControls(warning)}`),
    ...(models.simulated
      ? [
          "",
          "No model provider is configured, so a built-in simulated model is used: the response format is real, the",
          "answers are not. Set MAKER_API_KEY, or MAKER_API_URL and MAKER_API_MODEL, to use a real model.",
        ]
      : []),
    "",
    "Try:",
    `  curl ${url}/mcp/model -H 'content-type: application/json'${token} \\`,
    `    -d '{"prompt": "Is it better to use moment.js or date-fns in a new project?"}'`,
    "MCP clients:",
    `  {"mcpServers": {"council": {"type": "http", "url": "${url}/mcp"}}}`,
    "OpenAI clients:",
    `  base URL ${url}/v1, models ${STRATEGY_MODELS.join(", ")}; act for agents with tools`,
    `All endpoints: ${url}/openapi.json`,
  ].join("\n")}\n`;
}

/** What does not prevent startup, and is most likely not meant. */
export const startupWarnings = ({ config, models }: CouncilService): readonly string[] => [
  ...config.warnings,
  ...warnOfOutcomes(config.voting.outcomes, models),
];

/** The same for programs that collect logs, without what to try next. */
export function logStartup({ url, service }: CouncilServer): void {
  const { config, models, log } = service;
  for (const warning of startupWarnings(service)) log(warning);
  for (const destination of keyDestinations(config.models)) log(destination, { level: "info" });
  const simulated = models.simulated ? " (simulated: its answers are not real)" : "";
  const parts = `model: ${models.description}${simulated}; history: ${describeHistory(config.store)}`;
  log(`Council is listening on ${url}; ${parts}`, { level: "info" });
}

export const EVAL_HELP = `mci-council eval FILE: compares ways to answer on questions of your own, one JSON object per line.

  --methods LIST      Which ways to compare, comma-separated; the others are compared with the first one
  --variant TEXT      NAME=METHOD {"setting": value}: a method with more settings; repeatable
  --runs N            How often each question is asked (1)
  --models LIST       Models to compare, comma-separated
  --concurrency N     Questions at a time (4)
  --limit N           Only the first questions
  --out FOLDER        Folder for the results (council-eval)
  --sample            Questions of ours instead of a file
  --fail-under SHARE  Exits with 1 if a method is right in a smaller share of the questions, such as 0.8
  --attack-judge      Also tries to talk the judge of rubrics round
  --judge-only        Measures the judge of rubrics, and answers no question
  --dry-run           Only says what it would cost
`;

export const HELP = `mci-council: answers prompts by voting, a judged council, or decomposition.

  mci-council            Serves HTTP: POST /mcp/model, MCP at /mcp, OpenAI-compatible at /v1
  mci-council --stdio    Serves MCP on standard input and output
  mci-council eval FILE  Compares a single call, votes and the council on questions of your own (JSON lines);
                         --sample takes some of ours, --dry-run only says what it would cost;
                         --fail-under 0.8 exits with 1 if a method is right less often, for CI
  mci-council task run FILE            Runs a long task with its progress; --url names a service, else it runs here
  mci-council task list|status|pause|resume|retry|cancel|delete, task fork ID --step N
                         Watches and steers tasks of a running service; task --help shows how
  mci-council schedule put NAME FILE   Starts a task at the times of a cron expression
  mci-council schedule list|show|pause|resume|start|delete
                         Shows and steers schedules of a running service; schedule --help shows how
  mci-council --help     Shows this
  mci-council --version  Shows the version

Settings are environment variables:

${Object.entries(SETTINGS)
  .map(([name, schema]) => `  ${name}\n      ${schema.description}`)
  .join("\n")}
`;
