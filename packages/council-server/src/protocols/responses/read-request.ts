import type { ActionTool, ToolChoice } from "@mci-ts/council";
import type { Body, Protocol } from "../protocol.ts";
import { openingOf, sessionKeyOf, textOf } from "../shared/conversation.ts";
import { invalidField } from "../shared/refusals.ts";
import { asNumber, asRecords, asText, isRecord } from "../shared/values.ts";
import { type Item, LOCAL_TOOLS } from "./item.ts";

export function readRequest(body: Body): ReturnType<Protocol["read"]> {
  for (const [name, problem] of Object.entries(STATEFUL)) {
    if (body[name]) throw invalidField(name, problem);
  }
  const { input, text } = body;
  if (typeof input !== "string" && !(Array.isArray(input) && input.length > 0))
    throw invalidField("input", "must be a text or a list with at least one item");
  const items = typeof input === "string" ? [{ role: "user", content: input }] : asRecords(input);
  const userItems = items.filter(({ role }) => role === "user");
  const format = isRecord(text) && isRecord(text["format"]) ? text["format"] : {};
  return {
    body,
    headers: {},
    tools: asRecords(body["tools"]).flatMap(toolsOf),
    choice: choiceRule(body["tool_choice"]),
    parallel: body["parallel_tool_calls"] !== false,
    ...(format["type"] === "json_schema" ? { replySchema: format["schema"] } : {}),
    temperature: asNumber(body["temperature"]),
    maxOutputTokens: asNumber(body["max_output_tokens"]),
    prompt: textOf(userItems.at(-1)?.["content"]),
    sessionKey: sessionKeyOf(body),
    opening: openingOf([body["instructions"], userItems[0]?.["content"]]),
  };
}

/** State that this service does not have. */
const STATEFUL: Readonly<Record<string, string>> = {
  previous_response_id:
    "is not supported: this service stores no responses; send the whole conversation as input items, with store: false",
  conversation:
    "is not supported: this service stores no conversations; send the whole conversation as input items",
  background: "must be false or absent: a vote is answered on its own connection",
};

/** Tools that the agent runs. Those of a namespace go by both names. */
function toolsOf(tool: Item): ActionTool[] {
  const { type, name, tools } = tool;
  if (type !== "namespace") return toolOf(tool);
  // It is written before the name of each of its tools.
  if (typeof name !== "string" || name.length > MAX_NAMESPACE_CHARS)
    throw invalidField(
      "tools",
      `has a namespace without a name of at most ${MAX_NAMESPACE_CHARS} characters`,
    );
  return asRecords(tools)
    .flatMap(toolOf)
    .map((one) => ({ ...one, name: `${name}/${one.name}` }));
}

const MAX_NAMESPACE_CHARS = 200;

/** None for one that the provider runs. */
function toolOf({ type, name, parameters, annotations }: Item): ActionTool[] {
  if (type === "namespace")
    throw invalidField("tools", "has a namespace inside another, which no model calls");
  if (typeof name !== "string")
    return LOCAL_TOOLS.has(String(type)) ? [{ name: String(type), readOnly: false }] : [];
  if (type === "custom") return [{ name, isText: true }];
  const readOnly = isRecord(annotations) && annotations["readOnlyHint"] === true;
  return type === "function"
    ? [{ name, inputSchema: parameters ?? undefined, ...(readOnly ? { readOnly } : {}) }]
    : [];
}

export function choiceRule(choice: unknown): ToolChoice {
  if (choice === "none" || choice === "required") return { type: choice };
  if (!isRecord(choice)) return { type: "auto" };
  const { type, name, tools, mode } = choice;
  if (type === "allowed_tools")
    return {
      type: "tools",
      names: asRecords(tools).flatMap((one) => asText(one["name"]) ?? []),
      required: mode === "required",
    };
  // A tool that the provider runs: what else is called is the model's choice.
  return typeof name === "string" ? { type: "tools", names: [name], required: true } : { type: "auto" };
}
