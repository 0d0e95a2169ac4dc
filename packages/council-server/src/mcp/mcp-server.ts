import { contextSchema, councilRequestSchema, requestConfigSchema, STRATEGIES } from "@mci-ts/council";
import { omitUndefined } from "@mci-ts/primitives/omit-undefined";
import { type CallToolResult, McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import { aliases } from "../api/aliases.ts";
import { ModelRequest, ModelResponse } from "../api/api-schemas.ts";
import { parse } from "../http/parse.ts";
import type { LiveRun } from "../runs/live/live-run.ts";
import { describeEvent } from "../runs/response/describe-event.ts";
import { RunConfig, splitConfig } from "../runs/run-config.ts";
import type { Submission } from "../runs/submission.ts";
import type { CouncilService } from "../service.ts";
import { ServiceError } from "../service-error.ts";
import { VERSION } from "../version.ts";
import { serveMcpTasks, TASK_CAPABILITIES } from "./mcp-tasks.ts";
import { registerTaskTools } from "./task-tools.ts";
import { toolError, toToolResult } from "./tool-result.ts";
import { inputSchema, outputSchema } from "./tool-schema.ts";

const { prompt, context } = councilRequestSchema.shape;
const config = ModelRequest.shape.config;
const { num_voters, k, answer_schema } = requestConfigSchema.shape;

/** Described once, by `query`. */
const CONTEXT = z.looseObject({}).optional().describe("As in `query`.");
const CONFIG = z.looseObject({}).optional().describe("Further settings, as in `query`.");

/** Without what belongs to chats: how actions are decided, which would be a sixth of the list, and the turns before. */
const LISTED_REQUEST = ModelRequest.extend({
  context: contextSchema.omit({ conversation: true }).optional().describe(context.description!),
  config: RunConfig.omit({ act: true }).optional().describe(config.description!),
});

/** `query` picks the strategy by the prompt; every strategy also has a tool of its own. */
const TOOLS: readonly StrategyTool[] = [
  {
    name: "query",
    description:
      "Ask the council anything; it picks voting, a judged council or decomposition by the prompt, or as `intent` says.",
    input: ModelRequest,
    listed: LISTED_REQUEST,
    toRequest: (input) => input as ModelRequest,
  },
  ...STRATEGIES.map(strategyTool),
];

/** What a result has; `/openapi.json` describes its metadata. */
const OUTPUT = outputSchema(
  ModelResponse.extend({
    result: z.unknown().describe("Markdown, or a decomposition as an object."),
    metadata: z.looseObject({}).describe("answer, status, model, warnings, voting, usage and more."),
  }),
);
const INPUTS = new Map(TOOLS.map(({ name, input, listed }) => [name, inputSchema(input, listed)]));

/** An MCP server over the council. Created for each request or connection; they share one council. */
export function createMcpServer(service: CouncilService): McpServer {
  const server = new McpServer(
    { name: "council", title: "Council", version: VERSION },
    {
      capabilities: TASK_CAPABILITIES,
      instructions:
        "Use `query` unless you know which tool you want. Answers take several model calls: expect seconds, not milliseconds.",
    },
  );
  // The tools are fixed. Said here and not above, where it would set the handler of tool calls at once.
  server.server.registerCapabilities({ tools: { listChanged: false } });
  serveMcpTasks(server, service, (name, input) => {
    const tool = TOOLS.find((one) => one.name === name);
    // A task goes on without its client.
    return tool && submit(service, tool.toRequest(parse(tool.input, input)));
  });
  for (const { name, description, toRequest } of TOOLS) {
    const tool = server.registerTool(
      name,
      {
        description,
        inputSchema: INPUTS.get(name)!,
        outputSchema: OUTPUT,
        annotations: { readOnlyHint: true, openWorldHint: true },
      },
      (args: unknown, ctx: ServerContext) => call(service, toRequest(args), ctx),
    );
    tool.execution = { taskSupport: "optional" };
  }
  registerTaskTools(server, service);
  return server;
}

async function call(
  service: CouncilService,
  request: ModelRequest,
  ctx: ServerContext,
): Promise<CallToolResult> {
  try {
    const { live, response } = await submit(service, request, clientOf(ctx));
    await reportProgress(live, ctx);
    return toToolResult((await response).body);
  } catch (error) {
    if (error instanceof ServiceError) return toolError(`${error.code}: ${error.message}`);
    throw error;
  }
}

function submit(
  service: CouncilService,
  { config: requestConfig, ...question }: ModelRequest,
  client?: AbortSignal,
): Promise<Submission> {
  const { config, options } = splitConfig(requestConfig);
  return service.submit(
    { ...question, config },
    { channel: "mcp", ...(client ? { client } : {}), ...options },
  );
}

async function reportProgress(live: LiveRun | undefined, { mcpReq }: ServerContext): Promise<void> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  let progress = 0;
  for await (const event of live?.subscribe() ?? []) {
    const message = describeEvent(event);
    if (message === undefined) continue;
    progress++;
    await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, message } });
  }
}

/** Cancelled by the protocol, or, over HTTP, by hanging up: the older protocol knows no cancellation without a session. */
function clientOf(ctx: ServerContext): AbortSignal {
  const http = ctx.http?.req?.signal;
  return http ? AbortSignal.any([ctx.mcpReq.signal, http]) : ctx.mcpReq.signal;
}

interface StrategyTool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType;
  /** What clients see of `input`. Default: all of it. */
  readonly listed?: z.ZodType;
  /** Takes what `input` has accepted. */
  readonly toRequest: (input: unknown) => ModelRequest;
}

function strategyTool({ tool, description, intents, input }: (typeof STRATEGIES)[number]): StrategyTool {
  const fields = { k, num_voters, answer_schema };
  const direct = Object.fromEntries(input.config.map((name) => [name, fields[name]]));
  const schema = z.strictObject({ prompt, ...direct, context, config });
  return {
    name: tool,
    description,
    input: schema.register(aliases, Object.fromEntries(input.aliases.map((name) => [name, "prompt"]))),
    listed: schema.extend({ context: CONTEXT, config: CONFIG }),
    toRequest(args) {
      const { prompt, context, config, ...settings } = args as Record<string, unknown>;
      const merged =
        config || input.config.length > 0 ? { ...(config as object), ...omitUndefined(settings) } : undefined;
      return {
        prompt,
        intent: Object.keys(intents)[0],
        ...omitUndefined({ context, config: merged }),
      } as ModelRequest;
    },
  };
}
