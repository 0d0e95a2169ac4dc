import type { SdkMessage } from "../protocol.ts";
import { cannotCarry, invalidField } from "../shared/refusals.ts";
import { type AssistantPart, cacheOptions, fileData, type UserPart } from "../shared/sdk-call.ts";
import type { Translation } from "../shared/translation.ts";
import { asList, asRecords, asText, isRecord } from "../shared/values.ts";

export function toMessage(message: unknown, path: string, translation: Translation): SdkMessage {
  if (!isRecord(message)) throw invalidField(path, "must be a message");
  const { role, content, name } = message;
  if (name !== undefined && role !== "tool")
    translation.warnings.push(`${path}.name was left out: the provider of this model knows no names.`);
  switch (role) {
    case "system":
    case "developer":
      return {
        role: "system",
        content: plainText(content, `${path}.content`),
        ...cacheOptions(asRecords(content).at(-1)),
      };
    case "user":
      return { role: "user", content: userParts(content, `${path}.content`) };
    case "assistant":
      return { role: "assistant", content: assistantParts(message, path, translation) };
    case "tool": {
      const toolCallId = asText(message["tool_call_id"]) ?? "";
      const parts = Array.isArray(content) ? userParts(content, `${path}.content`) : undefined;
      return {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId,
            toolName: asText(name) ?? "unknown",
            output: parts?.some(({ type }) => type !== "text")
              ? { type: "content", value: parts as never }
              : {
                  type: "text",
                  value: parts
                    ? parts.map((part) => (part.type === "text" ? part.text : "")).join("\n")
                    : String(content ?? ""),
                },
          },
        ],
      };
    }
    default:
      throw invalidField(`${path}.role`, "must be system, developer, user, assistant or tool");
  }
}

function plainText(content: unknown, path: string): string {
  if (typeof content === "string") return content;
  return asList(content)
    .map((part, i) => {
      if (isRecord(part) && typeof part["text"] === "string") return part["text"];
      throw cannotCarry(`${path}[${i}]`);
    })
    .join("\n");
}

function userParts(content: unknown, path: string): UserPart[] {
  if (!Array.isArray(content)) return [{ type: "text", text: typeof content === "string" ? content : "" }];
  return content.map((part: unknown, i): UserPart => {
    const at = `${path}[${i}]`;
    if (!isRecord(part)) throw invalidField(at, "must be an object");
    const { type, text, image_url: image, input_audio: audio, file } = part;
    if (typeof text === "string") return { type: "text", text, ...cacheOptions(part) };
    if (type === "image_url" && isRecord(image))
      return {
        type: "file",
        mediaType: "image/*",
        ...fileData(String(image["url"]), `${at}.image_url.url`),
        ...cacheOptions(part),
      };
    if (type === "input_audio" && isRecord(audio))
      return {
        type: "file",
        mediaType: `audio/${audio["format"]}`,
        data: { type: "data", data: String(audio["data"]) },
      };
    if (type === "file" && isRecord(file) && typeof file["file_data"] === "string")
      return {
        type: "file",
        mediaType: "application/pdf",
        ...fileData(file["file_data"], `${at}.file.file_data`),
        filename: asText(file["filename"]),
      };
    throw cannotCarry(
      type === "file" ? `${at}.file.file_id` : `${at}, a part of type ${JSON.stringify(type)},`,
    );
  });
}

function assistantParts(
  message: Record<string, unknown>,
  path: string,
  { readArguments }: Translation,
): AssistantPart[] {
  const { content, refusal, audio } = message;
  if (audio != null) throw cannotCarry(`${path}.audio`);
  const reasoning = asText(message["reasoning_content"]) ?? asText(message["reasoning"]);
  const text = plainText(content ?? "", `${path}.content`) || (asText(refusal) ?? "");
  return [
    ...(reasoning ? [{ type: "reasoning" as const, text: reasoning }] : []),
    ...(text ? [{ type: "text" as const, text }] : []),
    ...asRecords(message["tool_calls"]).map((call): AssistantPart => {
      const { id, function: called, custom } = call;
      const isText = isRecord(custom);
      const declared = isText ? custom : isRecord(called) ? called : {};
      return {
        type: "tool-call",
        toolCallId: asText(id) ?? "",
        toolName: asText(declared["name"]) ?? "",
        input: isText
          ? { input: declared["input"] }
          : readArguments(declared["arguments"], `${path}.tool_calls`),
      };
    }),
  ];
}
