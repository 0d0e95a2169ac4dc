import type { CompiledAnswerSchema } from "../answer-schema/compile.ts";
import type { ModelReply } from "../model.ts";
import { readReply, withoutReasoning } from "../sampling/read-reply.ts";
import { callRule, mayReply, type ToolChoice } from "./rules.ts";
import { type CompiledTools, type ReadCall, readCall } from "./tools.ts";

/** What a sample does: it calls tools, or it replies to the user. */
export interface Action {
  readonly calls: readonly ReadCall[];
  /** The reply as an object, where the request asks for one. */
  readonly object?: Readonly<Record<string, unknown>>;
}

export interface ActionFlag {
  readonly rule: ActionRule;
  readonly reason: string;
  /** The tool whose call was flagged. */
  readonly tool?: string;
}

type ActionRule =
  | "length_stop"
  | "refusal"
  | "empty"
  | "invalid_arguments"
  | "unknown_tool"
  | "tool_choice"
  | "schema_invalid";

export interface ActionForm {
  readonly tools: CompiledTools;
  readonly choice: ToolChoice;
  /** Whether several calls may be made side by side. */
  readonly parallel: boolean;
  /** The form of a reply to the user. Absent: text. */
  readonly object?: CompiledAnswerSchema;
}

/** The action of a reply, or its red flag. Nothing is repaired: a model that breaks the form is more often wrong in substance too. */
export function checkAction(reply: ModelReply, form: ActionForm): Action | ActionFlag {
  const { finishReason, toolCalls = [], text } = reply;
  if (finishReason === "length") return flag("length_stop", "the reply was cut off at the token limit");
  if (finishReason === "content_filter") return flag("refusal", "the provider's filter withheld the reply");
  if (finishReason === "refusal") return flag("refusal", "the model refused");
  if (finishReason === "invalid_output")
    return flag("invalid_arguments", "the provider found that its model wrote no valid call");
  return toolCalls.length > 0 ? checkCalls(reply, form) : checkText(text, reply, form);
}

function checkCalls(
  { toolCalls = [] }: ModelReply,
  { tools, choice, parallel }: ActionForm,
): Action | ActionFlag {
  if (toolCalls.length > MAX_CALLS) return flag("invalid_arguments", `more than ${MAX_CALLS} calls at once`);
  if (toolCalls.length > 1 && !parallel)
    return flag("tool_choice", "several calls, though the request allows only one");
  const calls: ReadCall[] = [];
  const mayCall = callRule(choice);
  for (const call of toolCalls) {
    const read = readCall(call, tools);
    if ("rule" in read) return { ...read, tool: call.name };
    if (!mayCall(call.name))
      return { ...flag("tool_choice", `tool_choice excludes ${call.name}`), tool: call.name };
    calls.push(read);
  }
  return { calls };
}

function checkText(text: string, reply: ModelReply, { choice, object }: ActionForm): Action | ActionFlag {
  if (!mayReply(choice)) return flag("tool_choice", "a reply, though tool_choice requires a call");
  if (withoutReasoning(text).trim() === "") return flag("empty", "neither a call nor a reply");
  if (!object) return { calls: [] };
  const read = readReply(reply, { plainNumbers: true });
  if ("error" in read) return flag("schema_invalid", read.error);
  const { success, data, error } = object.zod.safeParse(read.value);
  if (success) return { calls: [], object: data };
  const [issue] = error.issues;
  return flag(
    "schema_invalid",
    `the reply is not valid: ${issue?.path.join(".") || "(root)"}: ${issue?.message}`,
  );
}

const MAX_CALLS = 128;

const flag = (rule: ActionRule, reason: string): ActionFlag => ({ rule, reason });
