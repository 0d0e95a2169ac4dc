import type { AgentRequest, Protocol, SdkCall, SdkPrompt } from "../protocol.ts";
import { requireKnown } from "../shared/refusals.ts";
import { functionTool, nameToolResults, sdkChoice, TEXT_INPUT } from "../shared/sdk-call.ts";
import { Translation } from "../shared/translation.ts";
import { asList, asNumber, asRecords, asText, isRecord } from "../shared/values.ts";
import { addItem } from "./add-item.ts";
import { choiceRule } from "./read-request.ts";

export function toCall({ body }: AgentRequest): ReturnType<Protocol["toCall"]> {
  const translation = new Translation();
  const { warnings } = translation;
  requireKnown(body, CARRIED_FIELDS, (_, value) => value === false);
  const { instructions, input, text, reasoning } = body;
  const prompt: SdkPrompt = [];
  if (typeof instructions === "string" && instructions !== "")
    prompt.push({ role: "system", content: instructions });
  const items = typeof input === "string" ? [{ role: "user", content: input }] : asList(input);
  for (const [i, item] of items.entries()) addItem(prompt, item, `input[${i}]`, translation);
  nameToolResults(prompt);
  const tools = asRecords(body["tools"]).flatMap((tool): NonNullable<SdkCall["tools"]> => {
    const { type, name, parameters } = tool;
    if ((type !== "function" && type !== "custom") || typeof name !== "string") {
      warnings.push(
        `The tool ${JSON.stringify(name ?? type)} of type ${JSON.stringify(type)} was left out: the provider of this model cannot take it.`,
      );
      return [];
    }
    const schema = type === "custom" ? TEXT_INPUT : (parameters ?? { type: "object", properties: {} });
    return [functionTool(name, schema, tool)];
  });
  if (isRecord(text) && text["verbosity"] != null)
    warnings.push("text.verbosity was left out: the provider of this model does not know it.");
  const format = isRecord(text) && isRecord(text["format"]) ? text["format"] : {};
  const effort = isRecord(reasoning) ? asText(reasoning["effort"]) : undefined;
  return {
    warnings,
    call: {
      prompt,
      ...(tools.length > 0 ? { tools, toolChoice: sdkChoice(choiceRule(body["tool_choice"])) } : {}),
      ...(format["type"] === "json_schema"
        ? {
            responseFormat: { type: "json", schema: format["schema"] as never, name: asText(format["name"]) },
          }
        : format["type"] === "json_object"
          ? { responseFormat: { type: "json" } }
          : {}),
      topP: asNumber(body["top_p"]),
      ...(effort === undefined ? {} : { reasoning: effort as never }),
      providerOptions:
        body["parallel_tool_calls"] === false ? { anthropic: { disableParallelToolUse: true } } : {},
    },
  };
}

const CARRIED_FIELDS = new Set(
  "input instructions tools tool_choice parallel_tool_calls text temperature max_output_tokens top_p reasoning include store metadata user service_tier prompt_cache_key prompt_cache_retention prompt_cache_options safety_identifier truncation stream_options max_tool_calls top_logprobs client_metadata".split(
    " ",
  ),
);
