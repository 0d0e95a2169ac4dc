import { councilRequestSchema, problemsOf, requestConfigSchema, STRATEGIES } from "@mci-ts/council";
import {
  type CallToolResult,
  McpServer,
  type ServerContext,
  type StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { ModelRequest, ModelResponse } from "../http/api-schemas.ts";
import { HttpError } from "../http/errors.ts";
import { describeEvent } from "../runs/describe-event.ts";
import { splitConfig } from "../runs/run-config.ts";
import type { CouncilService } from "../service.ts";
import { VERSION } from "../version.ts";

const { prompt, context } = councilRequestSchema.shape;
const config = ModelRequest.shape.config;
const { num_voters, k, answer_schema } = requestConfigSchema.shape;

/** `query` picks the strategy by the prompt; every strategy also has a tool of its own. */
const TOOLS: readonly Tool[] = [
  {
    name: "query",
    description:
      "Ask the council anything; it picks voting, a judged council or decomposition by the prompt, or as `intent` says.",
    input: ModelRequest,
    toRequest: (input) => input as ModelRequest,
  },
  ...STRATEGIES.map(strategyTool),
];

/** An MCP server over the council. Created for each request or connection; they share one council. */
export function createMcpServer(service: CouncilService): McpServer {
  const server = new McpServer(
    { name: "council", title: "Council", version: VERSION },
    {
      // The tools are fixed.
      capabilities: { tools: { listChanged: false } },
      instructions:
        "Use `query` unless you know which tool you want. Answers take several model calls: expect seconds, not milliseconds.",
    },
  );
  for (const { name, description, input, toRequest } of TOOLS) {
    server.registerTool(
      name,
      {
        description,
        inputSchema: inSentences(input),
        outputSchema: ModelResponse,
        annotations: { readOnlyHint: true, openWorldHint: true },
      },
      (args: unknown, ctx: ServerContext) => call(service, toRequest(args), ctx),
    );
  }
  return server;
}

/** The same schema; an invalid value is reported as over HTTP. */
function inSentences(schema: z.ZodType): StandardSchemaWithJSON {
  return {
    "~standard": {
      ...(schema as StandardSchemaWithJSON)["~standard"],
      validate(value) {
        const { success, data, error } = schema.safeParse(value);
        if (success) return { value: data };
        return { issues: problemsOf(error, schema, value).map(({ message }) => ({ message })) };
      },
    },
  };
}

async function call(
  service: CouncilService,
  { config: given, ...question }: ModelRequest,
  ctx: ServerContext,
): Promise<CallToolResult> {
  try {
    const { config, options } = splitConfig(given);
    const request = { ...question, config };
    const { live, outcome } = await service.submit(request, {
      channel: "mcp",
      client: clientOf(ctx),
      ...options,
    });
    const progressToken = ctx.mcpReq._meta?.progressToken;
    let progress = 0;
    for await (const event of live?.follow() ?? []) {
      const message = describeEvent(event);
      if (progressToken === undefined || message === undefined) continue;
      progress++;
      await ctx.mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken, progress, message },
      });
    }
    const { body } = await outcome;
    if ("error" in body) return failed(`${body.error.code}: ${body.error.message}`);
    const { result } = body;
    const text = typeof result === "string" ? result : JSON.stringify(result, null, 2);
    return {
      content: [{ type: "text", text }],
      structuredContent: body as unknown as Record<string, unknown>,
    };
  } catch (error) {
    if (error instanceof HttpError) return failed(`${error.code}: ${error.message}`);
    throw error;
  }
}

/** Cancelled by the protocol, or, over HTTP, by hanging up: the older protocol knows no cancellation without a session. */
function clientOf(ctx: ServerContext): AbortSignal {
  const http = ctx.http?.req?.signal;
  return http ? AbortSignal.any([ctx.mcpReq.signal, http]) : ctx.mcpReq.signal;
}

function failed(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType;
  /** Takes what `input` has accepted. */
  readonly toRequest: (input: unknown) => ModelRequest;
}

function strategyTool({ tool, description, intents, input }: (typeof STRATEGIES)[number]): Tool {
  const fields = { k, num_voters, answer_schema };
  const direct = Object.fromEntries(input.config.map((name) => [name, fields[name]]));
  return {
    name: tool,
    description,
    input: z.strictObject({ [input.prompt]: prompt, ...direct, context, config }),
    toRequest(args) {
      const { [input.prompt]: asked, context, config, ...settings } = args as Record<string, unknown>;
      const merged =
        config || input.config.length > 0 ? { ...(config as object), ...given(settings) } : undefined;
      return { prompt: asked, intent: intents[0], ...given({ context, config: merged }) } as ModelRequest;
    },
  };
}

function given<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}
