import type { ToolChoice } from "@mci-ts/council";
import type { SdkCall, SdkMessage, SdkPrompt } from "../protocol.ts";
import { invalidField } from "./refusals.ts";
import { isRecord } from "./values.ts";

export type UserPart = Extract<SdkMessage, { role: "user" }>["content"][number];
export type AssistantPart = Extract<SdkMessage, { role: "assistant" }>["content"][number];
type SdkTool = NonNullable<SdkCall["tools"]>[number];

export const sdkChoice = (choice: ToolChoice): NonNullable<SdkCall["toolChoice"]> =>
  choice.type !== "tools"
    ? { type: choice.type }
    : choice.names.length === 1 && choice.required
      ? { type: "tool", toolName: choice.names[0]! }
      : { type: choice.required ? "required" : "auto" };

/** A tool in the SDK's form. */
export function functionTool(
  name: string,
  inputSchema: unknown,
  { description, strict }: Readonly<Record<string, unknown>>,
): SdkTool {
  return {
    type: "function",
    name,
    ...(typeof description === "string" ? { description } : {}),
    inputSchema: inputSchema as never,
    ...(typeof strict === "boolean" ? { strict } : {}),
  };
}

/** Results name only the call: here they get the name of the tool that was called, by the id of the call. */
export function nameToolResults(prompt: SdkPrompt): void {
  const names = new Map(
    prompt.flatMap((message) =>
      message.role === "assistant"
        ? message.content.flatMap((part): [string, string][] =>
            part.type === "tool-call" ? [[part.toolCallId, part.toolName]] : [],
          )
        : [],
    ),
  );
  for (const { role, content } of prompt)
    if (role === "tool")
      for (const part of content)
        if (part.type === "tool-result") part.toolName = names.get(part.toolCallId) ?? part.toolName;
}

/** A file from a data URL or an address. */
export function fileData(
  url: string,
  path: string,
): { data: { type: "data"; data: string } | { type: "url"; url: URL }; mediaType?: string } {
  const data = /^data:([^;,]*)(?:;[^,]*)?;base64,(.*)$/s.exec(url);
  if (data) return { data: { type: "data", data: data[2]! }, ...(data[1] ? { mediaType: data[1] } : {}) };
  if (!URL.canParse(url)) throw invalidField(path, "must be a data URL or an address");
  return { data: { type: "url", url: new URL(url) } };
}

/** A text input for a tool that takes no JSON, for providers that know only JSON. */
export const TEXT_INPUT = {
  type: "object",
  properties: { input: { type: "string", description: "The input of the tool, as plain text." } },
  required: ["input"],
  additionalProperties: false,
} as const;

/** Marks of what a provider should cache, as gateways take them here too. */
export function cacheOptions(part: unknown): { providerOptions?: { anthropic: { cacheControl: never } } } {
  return isRecord(part) && isRecord(part["cache_control"])
    ? { providerOptions: { anthropic: { cacheControl: part["cache_control"] as never } } }
    : {};
}
