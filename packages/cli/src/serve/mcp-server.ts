import {
  acceptedContent,
  type CallToolResult,
  type Implementation,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import {
  type CallOptions,
  type ContentItem,
  type ExecuteOptions,
  type ExecutionResult,
  MCIClientError,
} from "mci-ts";
import type { Plan } from "mci-ts/code";
import type { ServedCaller } from "./issuer/caller-access.ts";
import { limitResult } from "./limit-result.ts";
import type { ReloadableClient } from "./reloadable-client.ts";

export interface McpServerOptions {
  readonly identity: Implementation;
  /** Sent to the client with the tools, for its model. Default: none. */
  readonly instructions?: string;
  /** Whether clients are notified when the list changes. */
  readonly listChanged: boolean;
  /** Who sends the requests, where an issuer says it. Default: not known, and every tool is theirs. */
  readonly caller?: ServedCaller | undefined;
}

/** An MCP server for the tools. Each connection or HTTP request gets its own; they all share the same tools. */
export function createMcpServer(client: ReloadableClient, options: McpServerOptions): Server {
  const { identity, instructions, listChanged, caller } = options;
  const pages = () => client.pagesFor(caller?.filters);
  const server = new Server(identity, {
    capabilities: { tools: listChanged ? { listChanged } : {} },
    instructions,
  });

  server.setRequestHandler("tools/list", ({ params }) => {
    const page = pages().page(params?.cursor);
    if (page === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid cursor. Begin again without one.");
    return { ...page };
  });

  server.setRequestHandler("tools/call", async ({ params }, context) => {
    // The version that answers counts, should a reload happen during the call.
    const found = pages().find(params.name);
    if (found === undefined && caller?.filters !== undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool not found: ${params.name}`);
    const asked = client.planToApprove(params.name, params.arguments ?? {});
    if (asked !== undefined && !("approve" in (context.mcpReq.inputResponses ?? {})))
      return askForApproval(asked);
    const outputSchema = found?.listed.outputSchema;
    const approvePlan = asked && ((plan: Plan) => plan.id === asked.id && isApproved(context));
    const result = await call(client, params.name, params.arguments ?? {}, context, {
      approvePlan,
      caller: caller?.identity,
    });
    // Before 2026 the protocol requires structured content to be an object; anything else is wrapped.
    const complete = withStructuredContent(result, outputSchema);
    const forms = { hasOutputSchema: outputSchema !== undefined, format: found?.tool.result?.format };
    return server.projectCallToolResult(limitResult(complete, forms), outputSchema);
  });
  return server;
}

/** The person at the client reads the plan, and approves this one or nothing. */
async function askForApproval(plan: Plan): Promise<InputRequiredResult> {
  const { describePlan } = await import("mci-ts/code");
  return inputRequired({
    inputRequests: {
      approve: inputRequired.elicit({
        message: describePlan(plan),
        requestedSchema: {
          type: "object",
          properties: {
            approve: {
              type: "boolean",
              title: `Execute these ${plan.entries.length} writes`,
              default: false,
            },
          },
          required: ["approve"],
        },
      }),
    },
  });
}

function isApproved({ mcpReq }: ServerContext): boolean | string {
  const content = acceptedContent<{ approve?: unknown }>(mcpReq.inputResponses, "approve");
  return content?.approve === true || "the person at the client said no";
}

/**
 * Clients reject a result without the structured content that its tool announces, and the model would see nothing of it.
 * An error does reach the model.
 */
function withStructuredContent(result: CallToolResult, outputSchema: object | undefined): CallToolResult {
  if (outputSchema === undefined || result.isError || result.structuredContent !== undefined) return result;
  const text = "The tool has an outputSchema, but its result is not JSON:";
  return { content: [{ type: "text", text }, ...result.content], isError: true };
}

async function call(
  client: ReloadableClient,
  name: string,
  properties: Readonly<Record<string, unknown>>,
  { mcpReq }: ServerContext,
  options: Pick<CallOptions, "approvePlan" | "caller">,
): Promise<CallToolResult> {
  const { onProgress, sent } = progressOf(mcpReq);
  try {
    const { result } = await client.call(name, properties, {
      signal: mcpReq.signal,
      onProgress,
      ...options,
    });
    await sent();
    const { isError, structuredContent } = result;
    return {
      content: isError ? withStdout(result) : result.content,
      ...(structuredContent !== undefined && { structuredContent }),
      ...(isError && { isError }),
    } as CallToolResult;
  } catch (error) {
    if (!(error instanceof MCIClientError)) throw error;
    // The model can correct its arguments, so it must see what is wrong with them.
    if (error.code === "invalid_input")
      return { content: [{ type: "text", text: error.message }], isError: true };
    if (error.code === "tool_not_found")
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
    throw new ProtocolError(ProtocolErrorCode.InternalError, error.message);
  }
}

/** The error of a failed command quotes its error output; what it printed before may matter as much. */
function withStdout({ content, metadata: { stdout } }: ExecutionResult["result"]): ContentItem[] {
  const printed = typeof stdout === "string" ? stdout.trim() : "";
  const isQuoted = content.some((item) => item.type === "text" && item.text.includes(printed));
  if (printed === "" || isQuoted) return [...content];
  return [...content, { type: "text", text: `Standard output:\n${printed}` }];
}

/** Progress is sent to a client that asked for it, and always before the result. */
function progressOf({ _meta, notify }: ServerContext["mcpReq"]): {
  onProgress: ExecuteOptions["onProgress"];
  sent: () => Promise<unknown>;
} {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return { onProgress: undefined, sent: async () => {} };
  let last: Promise<unknown> = Promise.resolve();
  return {
    onProgress: (progress) => {
      // A disconnected client needs no progress; the call itself is cancelled elsewhere.
      last = notify({
        method: "notifications/progress",
        params: { progressToken, ...progress },
      }).catch(() => {});
    },
    sent: () => last,
  };
}
