import { isObject } from "@mci-ts/primitives/is-object";
import { failedResult, notApproved } from "../client/call.ts";
import type { ToolDefinition } from "../definitions/definitions.ts";
import type { ExecutionResult } from "../result.ts";

type Decided = { readonly input: unknown } | { readonly refused: ExecutionResult };

/**
 * Interrupts the graph until it is resumed with a decision. Request and decision have the form of LangChain's
 * `humanInTheLoopMiddleware`, so that one page can show both.
 */
export async function interruptFor({ name, description }: ToolDefinition, args: unknown): Promise<Decided> {
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
