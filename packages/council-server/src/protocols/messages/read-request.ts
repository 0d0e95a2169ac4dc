import type { ActionTool, ToolChoice } from "@mci-ts/council";
import type { Body, Protocol } from "../protocol.ts";
import { openingOf } from "../shared/conversation.ts";
import { invalidField } from "../shared/refusals.ts";
import { asNumber, asRecords, asText, isRecord } from "../shared/values.ts";
import type { Block } from "./block.ts";

export function readRequest(
  body: Body,
  headers: Parameters<Protocol["read"]>[1],
): ReturnType<Protocol["read"]> {
  const turns = asRecords(body["messages"]);
  if (turns.length === 0) throw invalidField("messages", "must be a list with at least one message");
  if (asNumber(body["max_tokens"]) === undefined) throw invalidField("max_tokens", "must be a number");
  if (body["thread"] != null)
    throw invalidField("thread", "is not supported: send the whole conversation with each request");
  const said = turns.filter(({ role }) => role === "user");
  const { output_config: output, metadata } = body;
  const format = isRecord(output) && isRecord(output["format"]) ? output["format"] : {};
  const choice = isRecord(body["tool_choice"]) ? body["tool_choice"] : {};
  const kept = ["anthropic-beta", "anthropic-version"].flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return {
    body,
    headers: Object.fromEntries(kept),
    tools: asRecords(body["tools"]).flatMap(toolOf),
    choice: choiceRule(choice),
    parallel: choice["disable_parallel_tool_use"] !== true,
    ...(format["type"] === "json_schema" ? { replySchema: format["schema"] } : {}),
    temperature: asNumber(body["temperature"]),
    maxOutputTokens: asNumber(body["max_tokens"]),
    prompt: said.map(({ content }) => textOfBlocks(content)).findLast((text) => text !== "") ?? "",
    sessionKey: isRecord(metadata) ? asText(metadata["user_id"]) : undefined,
    opening: openingOf([body["system"], said[0]?.["content"]]),
  };
}

export const textOfBlocks = (content: unknown): string =>
  typeof content === "string"
    ? content
    : asRecords(content)
        .flatMap(({ type, text }) => (type === "text" ? (asText(text) ?? []) : []))
        .join("\n");

/** Also those that Anthropic describes and the agent runs, such as bash; those that Anthropic runs are never called here. */
function toolOf({ type, name, input_schema: inputSchema, annotations }: Block): ActionTool[] {
  if (typeof name !== "string" || HOSTED.test(String(type))) return [];
  const readOnly = isRecord(annotations) && annotations["readOnlyHint"] === true;
  return [{ name, ...(inputSchema === undefined ? {} : { inputSchema }), ...(readOnly ? { readOnly } : {}) }];
}

const HOSTED = /^(web_search|web_fetch|code_execution|tool_search)/;

export function choiceRule({ type, name }: Block): ToolChoice {
  if (type === "any") return { type: "required" };
  if (type === "none") return { type: "none" };
  return type === "tool" ? { type: "tools", names: [String(name)], required: true } : { type: "auto" };
}

export const isThinking = ({ thinking }: Body) => isRecord(thinking) && thinking["type"] !== "disabled";
