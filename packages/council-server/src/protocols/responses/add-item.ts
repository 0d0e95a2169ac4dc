import type { SdkPrompt } from "../protocol.ts";
import { textOf } from "../shared/conversation.ts";
import { cannotCarry, invalidField } from "../shared/refusals.ts";
import { type AssistantPart, fileData, type UserPart } from "../shared/sdk-call.ts";
import type { Translation } from "../shared/translation.ts";
import { asRecords, asText, isRecord } from "../shared/values.ts";

/** Items of one turn become one message. */
export function addItem(
  prompt: SdkPrompt,
  item: unknown,
  path: string,
  { warnings, readArguments }: Translation,
): unknown {
  if (!isRecord(item)) throw invalidField(path, "must be an object");
  const { type = "message", role, content, call_id: callId, name } = item;
  const toolCallId = String(callId ?? item["id"]);
  const toolName = typeof item["namespace"] === "string" ? `${item["namespace"]}__${name}` : String(name);
  switch (type) {
    case "message":
      if (role === "assistant")
        return addAssistant(
          prompt,
          textParts(content, `${path}.content`).map((part) => part as AssistantPart),
        );
      if (role === "system" || role === "developer")
        return prompt.push({ role: "system", content: textOf(content) });
      return prompt.push({ role: "user", content: textParts(content, `${path}.content`) });
    case "function_call":
      return addAssistant(prompt, [
        {
          type: "tool-call",
          toolCallId,
          toolName,
          input: readArguments(item["arguments"], `${path}.arguments`),
        },
      ]);
    case "custom_tool_call":
      return addAssistant(prompt, [
        { type: "tool-call", toolCallId, toolName, input: { input: item["input"] } },
      ]);
    case "function_call_output":
    case "custom_tool_call_output": {
      const { output } = item;
      const value = Array.isArray(output) ? textParts(output, `${path}.output`) : undefined;
      const result = {
        type: "tool-result" as const,
        toolCallId,
        toolName: "unknown",
        output: value
          ? ({ type: "content", value } as never)
          : { type: "text" as const, value: typeof output === "string" ? output : JSON.stringify(output) },
      };
      const last = prompt.at(-1);
      if (last?.role === "tool") last.content.push(result);
      else prompt.push({ role: "tool", content: [result] });
      return;
    }
    case "reasoning": {
      if (item["encrypted_content"])
        throw cannotCarry(
          `${path}.encrypted_content`,
          "it is the reasoning of another provider; begin a new conversation",
        );
      const text = [...asRecords(item["summary"]), ...asRecords(content)]
        .flatMap((part) => asText(part["text"]) ?? [])
        .join("\n");
      return text === "" ? undefined : addAssistant(prompt, [{ type: "reasoning", text }]);
    }
    case "web_search_call":
      warnings.push(`${path}, a search that another provider made, was left out.`);
      return;
    default:
      throw cannotCarry(`${path}, an item of type ${JSON.stringify(type)},`);
  }
}

function addAssistant(prompt: SdkPrompt, parts: readonly AssistantPart[]): void {
  const last = prompt.at(-1);
  if (last?.role === "assistant") last.content.push(...parts);
  else prompt.push({ role: "assistant", content: [...parts] });
}

function textParts(content: unknown, path: string): UserPart[] {
  if (!Array.isArray(content)) return [{ type: "text", text: typeof content === "string" ? content : "" }];
  return content.map((part: unknown, i): UserPart => {
    const at = `${path}[${i}]`;
    if (!isRecord(part)) throw invalidField(at, "must be an object");
    const { type, text, refusal, image_url: image, file_data: file, filename } = part;
    if (typeof text === "string") return { type: "text", text };
    if (typeof refusal === "string") return { type: "text", text: refusal };
    if (type === "input_image" && typeof image === "string")
      return { type: "file", mediaType: "image/*", ...fileData(image, `${at}.image_url`) };
    const address = asText(file) ?? asText(part["file_url"]);
    if (type === "input_file" && address !== undefined)
      return {
        type: "file",
        mediaType: "application/pdf",
        ...fileData(address, `${at}.file_data`),
        filename: asText(filename),
      };
    throw cannotCarry("file_id" in part ? `${at}.file_id` : `${at}, a part of type ${JSON.stringify(type)},`);
  });
}
