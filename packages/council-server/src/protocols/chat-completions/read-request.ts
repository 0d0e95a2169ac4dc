import type { ActionTool, ToolChoice } from "@mci-ts/council";
import type { Body, Protocol } from "../protocol.ts";
import { openingOf, sessionKeyOf, textOf } from "../shared/conversation.ts";
import { invalidField } from "../shared/refusals.ts";
import { asList, asNumber, asRecords, asText, isRecord } from "../shared/values.ts";

export function readRequest(body: Body): ReturnType<Protocol["read"]> {
  const messages = asRecords(body["messages"]);
  if (messages.length === 0) throw invalidField("messages", "must be a list with at least one message");
  if (asList(body["functions"]).length > 0) throw invalidField("functions", "is not supported; send tools");
  if ((body["n"] ?? 1) !== 1) throw invalidField("n", "must be 1");
  const { response_format: format } = body;
  const schema =
    isRecord(format) && isRecord(format["json_schema"]) ? format["json_schema"]["schema"] : undefined;
  return {
    body,
    headers: {},
    tools: asRecords(body["tools"]).flatMap(toolOf),
    choice: choiceRule(body["tool_choice"]),
    parallel: body["parallel_tool_calls"] !== false,
    ...(schema === undefined ? {} : { replySchema: schema }),
    temperature: asNumber(body["temperature"]),
    maxOutputTokens: asNumber(body["max_completion_tokens"]) ?? asNumber(body["max_tokens"]),
    prompt: textOf(messages.findLast(({ role }) => role === "user")?.["content"]),
    sessionKey: sessionKeyOf(body),
    opening: openingOf(messages.slice(0, messages.findIndex(({ role }) => role === "user") + 1)),
  };
}

export function toolOf(tool: Record<string, unknown>): ActionTool[] {
  const { function: declared, custom, annotations } = tool;
  if (isRecord(custom) && typeof custom["name"] === "string") return [{ name: custom["name"], isText: true }];
  if (!isRecord(declared) || typeof declared["name"] !== "string") return [];
  const hints = [annotations, declared["annotations"]].filter(isRecord);
  const readOnly = hints.some(({ readOnlyHint }) => readOnlyHint === true);
  return [{ name: declared["name"], inputSchema: declared["parameters"], ...(readOnly ? { readOnly } : {}) }];
}

export function choiceRule(choice: unknown): ToolChoice {
  if (choice === "none" || choice === "required") return { type: choice };
  if (!isRecord(choice)) return { type: "auto" };
  const nameOf = (one: unknown) =>
    isRecord(one)
      ? [one["function"], one["custom"]].filter(isRecord).flatMap(({ name }) => asText(name) ?? [])
      : [];
  const { type, allowed_tools: allowed } = choice;
  if (type === "allowed_tools" && isRecord(allowed))
    return {
      type: "tools",
      names: asList(allowed["tools"]).flatMap(nameOf),
      required: allowed["mode"] === "required",
    };
  return { type: "tools", names: nameOf(choice), required: true };
}
