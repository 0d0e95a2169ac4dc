import type { AgentRequest, Protocol, SdkCall } from "../protocol.ts";
import { requireKnown } from "../shared/refusals.ts";
import { functionTool, nameToolResults, sdkChoice, TEXT_INPUT } from "../shared/sdk-call.ts";
import { Translation } from "../shared/translation.ts";
import { asList, asNumber, asRecords, asText, isRecord } from "../shared/values.ts";
import { choiceRule, toolOf } from "./read-request.ts";
import { toMessage } from "./to-message.ts";

export function toCall({ body, parallel }: AgentRequest): ReturnType<Protocol["toCall"]> {
  const translation = new Translation();
  const { warnings } = translation;
  requireKnown(body, CARRIED_FIELDS, (name, value) => JSON.stringify(value) === NEUTRAL[name]);
  if (body["verbosity"] != null)
    warnings.push("verbosity was left out: the provider of this model does not know it.");
  const prompt = asList(body["messages"]).map((message, i) =>
    toMessage(message, `messages[${i}]`, translation),
  );
  nameToolResults(prompt);
  const tools = asRecords(body["tools"]).flatMap((tool): NonNullable<SdkCall["tools"]> => {
    const [action] = toolOf(tool);
    if (!action) {
      warnings.push(
        `The tool of type ${JSON.stringify(tool["type"])} was left out: the provider of this model cannot run it.`,
      );
      return [];
    }
    const declared = (tool["function"] ?? tool["custom"]) as Record<string, unknown>;
    const schema = action.isText ? TEXT_INPUT : (action.inputSchema ?? { type: "object", properties: {} });
    return [functionTool(action.name, schema, declared)];
  });
  const { response_format: format, stop, reasoning_effort: effort } = body;
  const json = isRecord(format) && isRecord(format["json_schema"]) ? format["json_schema"] : undefined;
  const call: SdkCall = {
    prompt,
    ...(tools.length > 0 ? { tools, toolChoice: sdkChoice(choiceRule(body["tool_choice"])) } : {}),
    ...(json
      ? { responseFormat: { type: "json", schema: json["schema"] as never, name: asText(json["name"]) } }
      : isRecord(format) && format["type"] === "json_object"
        ? { responseFormat: { type: "json" } }
        : {}),
    ...(stop == null ? {} : { stopSequences: [stop].flat().map(String) }),
    topP: asNumber(body["top_p"]),
    seed: asNumber(body["seed"]),
    presencePenalty: asNumber(body["presence_penalty"]),
    frequencyPenalty: asNumber(body["frequency_penalty"]),
    ...(typeof effort === "string" ? { reasoning: effort as never } : {}),
    providerOptions: parallel ? {} : { anthropic: { disableParallelToolUse: true } },
  };
  return { call, warnings };
}

/** Parameters that change nothing about what is said. */
const CARRIED_FIELDS = new Set(
  "messages tools tool_choice parallel_tool_calls response_format temperature max_tokens max_completion_tokens top_p stop seed presence_penalty frequency_penalty reasoning_effort user metadata store service_tier prompt_cache_key prompt_cache_retention safety_identifier stream_options n verbosity functions function_call".split(
    " ",
  ),
);

const NEUTRAL: Readonly<Record<string, string>> = {
  logit_bias: "{}",
  logprobs: "false",
  top_logprobs: "0",
  modalities: '["text"]',
};
