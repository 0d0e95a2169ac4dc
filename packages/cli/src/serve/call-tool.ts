import {
  acceptedContent,
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import {
  approvalRequest,
  type CallOptions,
  type ContentItem,
  type ExecutionResult,
  type InputNeeded,
  isApproval,
  MCIClientError,
} from "mci-ts";
import type { Plan } from "mci-ts/code";
import { type InputRelay, type RelayedRequest, toMcp } from "./input/input-relay.ts";
import type { ServedCaller } from "./issuer/caller-access.ts";
import { limitResult } from "./limit-result.ts";
import type { ReloadableClient } from "./reloadable-client.ts";
import type { TaskHooks } from "./tasks/call-tasks.ts";
import type { ToolPages } from "./tool-pages.ts";

export interface Served {
  readonly server: Server;
  readonly client: ReloadableClient;
  readonly relay: InputRelay;
  /** Who sends the requests, where an issuer says it. */
  readonly caller?: ServedCaller | undefined;
  /** The tools that are theirs. */
  readonly pages: () => ToolPages;
  /** Set for a call that is a task, or may become one. */
  readonly hooks?: TaskHooks | undefined;
}

interface CallParams {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

/** One call of a client: approved by its user where that is needed, run, and put into the form of its protocol. */
export async function callTool(
  { server, client, relay, caller, pages, hooks }: Served,
  params: CallParams,
  context: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const { name, arguments: args = {} } = params;
  // The version that answers counts, should a reload happen during the call.
  const found = pages().find(name);
  if (found === undefined && caller?.filters !== undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool not found: ${name}`);
  const request = relay.read(server, context, params);
  const plan = request.modes.form ? await client.planToApprove(name, args, caller?.identity.sub) : undefined;
  if (plan !== undefined && !("approve" in (context.mcpReq.inputResponses ?? {}))) return askForPlan(plan);
  const refused = await checkApproval(client, relay, params, request);
  if (refused !== undefined) return refused;
  // A person has approved it: from here on it may take its time.
  hooks?.onStart();
  const outputSchema = found?.listed.outputSchema;
  const approvePlan = plan && ((asked: Plan) => asked.id === plan.id && isPlanApproved(context));
  // The state of a plan is the plan itself.
  const relayed =
    plan === undefined ? request : { ...request, digest: "", responses: {}, person: "", state: undefined };
  const result = await relay.answer<CallToolResult>(
    server,
    context,
    params,
    (options) =>
      call(client, name, args, {
        ...options,
        ...hooks?.options(options, request.modes),
        ...(approvePlan && { approvePlan }),
        ...(caller && { caller: caller.identity }),
      }),
    relayed,
  );
  if (!("content" in result)) return result;
  // Before 2026 the protocol requires structured content to be an object; anything else is wrapped.
  const complete = withStructuredContent(result as CallToolResult, outputSchema);
  const forms = { hasOutputSchema: outputSchema !== undefined, format: found?.tool.result?.format };
  return server.projectCallToolResult(limitResult(complete, forms), outputSchema);
}

/** Asks the client's user once for each call, with the arguments of this call. Undefined: the call may go on. */
async function checkApproval(
  client: ReloadableClient,
  relay: InputRelay,
  { name, arguments: args = {} }: CallParams,
  request: RelayedRequest,
): Promise<CallToolResult | InputRequiredResult | undefined> {
  const target = client.approvalTarget(name, args);
  if (target === undefined) return undefined;
  const { state, modes, isModern } = request;
  if (!modes.form && !target.isRequired) return undefined;
  if (!modes.form) {
    const text =
      "The file says that a person approves each call of this tool, and this client cannot be asked.";
    if (!isModern) return failed(text);
    throw new MissingRequiredClientCapabilityError(
      { requiredCapabilities: { elicitation: { form: {} } } },
      text,
    );
  }
  if (state?.approval === undefined)
    return inputRequired({
      inputRequests: { approve: toMcp(approvalRequest(target.name, target.input)) },
      requestState: await relay.states.mint({ digest: request.digest, approval: "asked" }),
    });
  if (!relay.states.use(state))
    return failed("This approval was used before. Call the tool again without it.");
  if (state.approval === "given" || isApproval(request.responses["approve"])) return undefined;
  return failed("The call was not approved, and the tool was not run.");
}

/** The person at the client reads the plan, and approves this one or nothing. */
async function askForPlan(plan: Plan): Promise<InputRequiredResult> {
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

function isPlanApproved({ mcpReq }: ServerContext): boolean | string {
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
  options: CallOptions,
): Promise<CallToolResult | InputNeeded> {
  try {
    const executed = await client.call(name, properties, options);
    const { result, inputRequired: needed } = executed;
    if (needed !== undefined) return { inputRequired: needed };
    const { isError, structuredContent, metadata } = result;
    const { mcp_error_code: code, mcp_error_data: data } = metadata;
    // A task of a server behind has failed, and not its tool: so has ours. What a server behind needs, its client has to say.
    if (code === ProtocolErrorCode.MissingRequiredClientCapability || (options.onTask && isNumber(code)))
      throw new ProtocolError(code, executed.text, data);
    return {
      content: isError ? withStdout(result) : result.content,
      ...(structuredContent !== undefined && { structuredContent }),
      ...(isError && { isError }),
      ...(metadata["mcp_meta"] !== undefined && { _meta: metadata["mcp_meta"] }),
    } as CallToolResult;
  } catch (error) {
    if (!(error instanceof MCIClientError)) throw error;
    // The model can correct its arguments, so it must see what is wrong with them.
    if (error.code === "invalid_input") return failed(error.message);
    if (error.code === "tool_not_found")
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
    throw new ProtocolError(ProtocolErrorCode.InternalError, error.message);
  }
}

const isNumber = (value: unknown): value is number => typeof value === "number";

function failed(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

/** The error of a failed command quotes its error output; what it printed before may matter as much. */
function withStdout({ content, metadata: { stdout } }: ExecutionResult["result"]): ContentItem[] {
  const printed = typeof stdout === "string" ? stdout.trim() : "";
  const isQuoted = content.some((item) => item.type === "text" && item.text.includes(printed));
  if (printed === "" || isQuoted) return [...content];
  return [...content, { type: "text", text: `Standard output:\n${printed}` }];
}
