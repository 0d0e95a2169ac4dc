import { ToolMessage } from "@langchain/core/messages";
import { DynamicStructuredTool, ToolInputParsingException } from "@langchain/core/tools";
import { isObject } from "@mci-ts/primitives/is-object";
import { failedResult, notApproved } from "../client/call.ts";
import { forAnyProvider } from "../definitions/any-provider.ts";
import type { ToolDefinition } from "../definitions/definitions.ts";
import type { ExecutionResult } from "../result.ts";
import { approvalOf, type NeedsApproval, type PausingOptions, runCall, type ToolClient } from "./adapter.ts";
import { errorTextOf, type Piece, piecesOf, textOf } from "./content.ts";

export type { NeedsApproval, PausingOptions as AdapterOptions };

/** Structured tools. The content of a tool's message is for the model; its artifact is the whole result. */
export function toTools(client: ToolClient, options: PausingOptions = {}): DynamicStructuredTool[] {
  return forAnyProvider(client.toolDefinitions(options), options).map((definition) => {
    const { name, description, inputSchema } = definition;
    const approval = approvalOf(definition, options);
    return new CheckedByClient({
      name,
      description,
      schema: inputSchema,
      responseFormat: "content_and_artifact",
      func: async (toolInput, _manager, config) => {
        const isPaused = typeof approval === "boolean" ? approval : await approval(toolInput);
        const decided = isPaused ? await interruptFor(definition, toolInput) : { input: toolInput };
        const call = (config as { toolCall?: ToolCall } | undefined)?.toolCall;
        const result =
          "refused" in decided
            ? decided.refused
            : await runCall(client, { name, ...decided }, { ...options, signal: config?.signal });
        return [toContent(result, name, call, options), result.result];
      },
    });
  });
}

type ToolCall = { readonly id?: string };

/** Input that LangChain refuses is handed to the client, which may understand it, and else says what is wrong. */
class CheckedByClient extends DynamicStructuredTool {
  override async call(...args: Parameters<DynamicStructuredTool["call"]>) {
    try {
      return await super.call(...args);
    } catch (error) {
      if (!(error instanceof ToolInputParsingException)) throw error;
      const [input, config] = args;
      const [content, artifact] = await this.func(input, undefined, config as never);
      const id = (config as { toolCall?: ToolCall } | undefined)?.toolCall?.id;
      if (id === undefined || ToolMessage.isInstance(content)) return content;
      return new ToolMessage({ content, artifact, name: this.name, tool_call_id: id });
    }
  }
}

/** An error has a status of its own, which only a message can carry. */
function toContent(
  result: ExecutionResult,
  name: string,
  call: ToolCall | undefined,
  options: PausingOptions,
) {
  if (result.isError && call?.id !== undefined) {
    const { result: artifact } = result;
    return new ToolMessage({
      content: errorTextOf(result),
      artifact,
      name,
      tool_call_id: call.id,
      status: "error",
    });
  }
  const pieces = piecesOf(result, options);
  return pieces.every(({ type }) => type === "text") ? textOf(result) : pieces.map(toBlock);
}

function toBlock(piece: Piece) {
  if (piece.type === "text") return { type: "text" as const, text: piece.text };
  const type = /^(image|audio|video)\//.exec(piece.mediaType)?.[1] ?? "file";
  return { type, source_type: "base64" as const, mime_type: piece.mediaType, data: piece.data };
}

type Decided = { readonly input: unknown } | { readonly refused: ExecutionResult };

/**
 * Interrupts the graph until it is resumed with a decision. Request and decision have the form of LangChain's
 * `humanInTheLoopMiddleware`, so that one page can show both.
 */
async function interruptFor({ name, description }: ToolDefinition, args: unknown): Promise<Decided> {
  const { interrupt } = await loadLangGraph();
  const answer: unknown = interrupt({
    actionRequests: [{ name, args, description }],
    reviewConfigs: [{ actionName: name, allowedDecisions: ["approve", "edit", "reject"] }],
  });
  const decision: unknown =
    isObject(answer) && Array.isArray(answer["decisions"]) ? answer["decisions"][0] : answer;
  const { type, message, editedAction } = isObject(decision) ? decision : {};
  if (type === "approve") return { input: args };
  if (type === "edit" && isObject(editedAction) && isObject(editedAction["args"]))
    return { input: editedAction["args"] };
  if (type === "reject") return { refused: notApproved(typeof message === "string" ? message : "") };
  // Anything else is not an approval.
  const expected = '{ decisions: [{ type: "approve" }] }';
  return {
    refused: failedResult("not_approved", `The run was resumed without a decision such as ${expected}.`),
  };
}

/** Only this needs it. */
async function loadLangGraph(): Promise<typeof import("@langchain/langgraph")> {
  try {
    return await import("@langchain/langgraph");
  } catch (cause) {
    const message =
      "needsApproval interrupts a graph: install @langchain/langgraph, and give the graph a checkpointer.";
    throw new Error(message, { cause });
  }
}
