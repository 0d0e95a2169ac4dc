import type { AgentRequest, Protocol, SdkCall, SdkPrompt } from "../protocol.ts";
import { requireKnown } from "../shared/refusals.ts";
import { cacheOptions, functionTool, nameToolResults, sdkChoice } from "../shared/sdk-call.ts";
import { asList, asNumber, asRecords, asText, isRecord } from "../shared/values.ts";
import { addTurn } from "./add-turn.ts";
import { choiceRule, isThinking } from "./read-request.ts";

export function toCall({ body, parallel }: AgentRequest): ReturnType<Protocol["toCall"]> {
  const warnings: string[] = [];
  requireKnown(body, CARRIED_FIELDS);
  if (isThinking(body)) warnings.push("thinking was left out: the provider of this model does not know it.");
  if (body["context_management"] != null)
    warnings.push("context_management was left out: the provider of this model does not know it.");
  const { system, output_config: output } = body;
  const prompt: SdkPrompt = [];
  for (const block of typeof system === "string" ? [{ text: system }] : asRecords(system))
    if (block["text"])
      prompt.push({ role: "system", content: String(block["text"]), ...cacheOptions(block) });
  for (const [i, turn] of asList(body["messages"]).entries()) addTurn(prompt, turn, `messages[${i}]`);
  nameToolResults(prompt);
  const tools = asRecords(body["tools"]).flatMap((tool): NonNullable<SdkCall["tools"]> => {
    const { name, type, description, input_schema: schema } = tool;
    if (typeof name !== "string" || !isRecord(schema)) {
      warnings.push(
        `The tool ${JSON.stringify(name)} of type ${JSON.stringify(type)} was left out: the provider of this model cannot take it.`,
      );
      return [];
    }
    return [{ ...functionTool(name, schema, { description }), ...cacheOptions(tool) }];
  });
  const format = isRecord(output) && isRecord(output["format"]) ? output["format"] : {};
  const effort = isRecord(output) ? asText(output["effort"]) : undefined;
  const choice = choiceRule(isRecord(body["tool_choice"]) ? body["tool_choice"] : {});
  return {
    warnings,
    call: {
      prompt,
      ...(tools.length > 0 ? { tools, toolChoice: sdkChoice(choice) } : {}),
      ...(format["type"] === "json_schema"
        ? { responseFormat: { type: "json", schema: format["schema"] as never } }
        : {}),
      ...(Array.isArray(body["stop_sequences"]) ? { stopSequences: body["stop_sequences"].map(String) } : {}),
      topP: asNumber(body["top_p"]),
      topK: asNumber(body["top_k"]),
      ...(effort === undefined ? {} : { reasoning: effort as never }),
      providerOptions: parallel ? {} : { openaiCompatible: { parallelToolCalls: false } },
    },
  };
}

const CARRIED_FIELDS = new Set(
  "messages system tools tool_choice max_tokens temperature top_p top_k stop_sequences metadata service_tier thinking output_config context_management cache_control speed".split(
    " ",
  ),
);
