import {
  type CouncilRequest,
  councilRequestSchema,
  type Intent,
  problemsOf,
  requestConfigSchema,
} from "@mci-ts/council";
import {
  type CallToolResult,
  McpServer,
  type ServerContext,
  type StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { ModelResponse } from "../http/api-schemas.ts";
import { HttpError } from "../http/errors.ts";
import { describeEvent } from "../runs/describe-event.ts";
import type { CouncilService } from "../service.ts";
import { VERSION } from "../version.ts";

const { prompt, context, config } = councilRequestSchema.shape;
const { num_voters, k } = requestConfigSchema.shape;

/** The tools: what each takes and the request it becomes. */
const TOOLS = {
  query: tool(
    "Ask the council anything; it picks voting, a judged council or decomposition by the prompt, or as `intent` says.",
    councilRequestSchema,
    (input) => input,
  ),
  consult_council: tool(
    "For decisions, reviews and open questions: several independent proposals, then a judge's verdict with dissent.",
    z.strictObject({
      query: prompt,
      num_voters,
      k,
      context,
      config,
    }),
    ({ query, num_voters, k, context, config }) =>
      request(query, "decision", context, { ...config, ...given({ num_voters, k }) }),
  ),
  solve_with_voting: tool(
    "For questions with one short answer: samples until one answer is ahead by k votes.",
    z.strictObject({ query: prompt, k, context, config }),
    ({ query, k, context, config }) => request(query, "validation", context, { ...config, ...given({ k }) }),
  ),
  decompose_task: tool(
    "Breaks a task into the smallest steps that still make sense, with their dependencies.",
    z.strictObject({ task: prompt, context, config }),
    ({ task, context, config }) => request(task, "decomposition", context, config),
  ),
};

/** An MCP server over the council. Made anew for each request or connection; the council behind it is the one. */
export function createMcpServer(service: CouncilService): McpServer {
  const server = new McpServer(
    { name: "council", title: "Council", version: VERSION },
    {
      instructions:
        "Use `query` unless you know which tool you want. Answers take several model calls: expect seconds, not milliseconds.",
    },
  );
  for (const [name, { description, input, toRequest }] of Object.entries(TOOLS)) {
    server.registerTool(
      name,
      {
        description,
        inputSchema: inSentences(input),
        outputSchema: ModelResponse,
        annotations: { readOnlyHint: true, openWorldHint: true },
      },
      (args: unknown, ctx: ServerContext) => call(service, toRequest(args as never), ctx),
    );
  }
  return server;
}

/** The same schema; what is wrong with a value is told as over HTTP. */
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
  request: CouncilRequest,
  ctx: ServerContext,
): Promise<CallToolResult> {
  try {
    const { live, outcome } = await service.submit(request, { channel: "mcp", client: clientOf(ctx) });
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

interface Tool<Input extends z.ZodType> {
  readonly description: string;
  readonly input: Input;
  readonly toRequest: (input: z.output<Input>) => CouncilRequest;
}

function tool<Input extends z.ZodType>(
  description: string,
  input: Input,
  toRequest: (input: z.output<Input>) => CouncilRequest,
): Tool<Input> {
  return { description, input, toRequest };
}

function request(
  prompt: string,
  intent: Intent,
  context: CouncilRequest["context"],
  config: CouncilRequest["config"],
): CouncilRequest {
  return { prompt, intent, ...given({ context, config }) };
}

function given<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}
