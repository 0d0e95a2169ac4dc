import type { SdkMessage, SdkPrompt } from "../protocol.ts";
import { cannotCarry, invalidField } from "../shared/refusals.ts";
import { type AssistantPart, cacheOptions, type UserPart } from "../shared/sdk-call.ts";
import { asRecords, asText, isRecord } from "../shared/values.ts";
import type { Block } from "./block.ts";
import { textOfBlocks } from "./read-request.ts";

/** Results of tools stand in a user's turn here, and in a turn of their own elsewhere. */
export function addTurn(prompt: SdkPrompt, turn: unknown, path: string): void {
  if (!isRecord(turn)) throw invalidField(path, "must be a message");
  const { role, content } = turn;
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : asRecords(content);
  if (role === "assistant") {
    prompt.push({
      role: "assistant",
      content: blocks.flatMap((block, i) => assistantPart(block, `${path}.content[${i}]`)),
    });
    return;
  }
  if (role === "system") return void prompt.push({ role: "system", content: textOfBlocks(blocks) });
  const results = blocks.flatMap((block, i) =>
    block["type"] === "tool_result" ? [toolResult(block, `${path}.content[${i}]`)] : [],
  );
  const said = blocks.flatMap((block, i) =>
    block["type"] === "tool_result" ? [] : [userPart(block, `${path}.content[${i}]`)],
  );
  if (results.length > 0) prompt.push({ role: "tool", content: results });
  if (said.length > 0) prompt.push({ role: "user", content: said });
}

function userPart(block: Block, path: string): UserPart {
  const { type, text, source } = block;
  if (type === "text") return { type: "text", text: String(text), ...cacheOptions(block) };
  if ((type === "image" || type === "document") && isRecord(source)) {
    const filename = asText(block["title"]);
    const mediaType = asText(source["media_type"]) ?? (type === "image" ? "image/*" : "application/pdf");
    const file = {
      type: "file" as const,
      mediaType,
      ...(filename ? { filename } : {}),
      ...cacheOptions(block),
    };
    if (source["type"] === "base64") return { ...file, data: { type: "data", data: String(source["data"]) } };
    if (source["type"] === "url" && URL.canParse(String(source["url"])))
      return { ...file, data: { type: "url", url: new URL(String(source["url"])) } };
    if (source["type"] === "text") return { type: "text", text: String(source["data"]) };
    throw cannotCarry(`${path}.source`);
  }
  throw cannotCarry(`${path}, a block of type ${JSON.stringify(type)},`);
}

function assistantPart(block: Block, path: string): AssistantPart[] {
  switch (block["type"]) {
    case "text":
      return [{ type: "text", text: String(block["text"]), ...cacheOptions(block) }];
    case "tool_use":
      return [
        {
          type: "tool-call",
          toolCallId: String(block["id"]),
          toolName: String(block["name"]),
          input: block["input"],
        },
      ];
    case "thinking":
      if (block["signature"])
        throw cannotCarry(
          `${path}.signature`,
          "it is the reasoning of another provider; begin a new conversation",
        );
      return [{ type: "reasoning", text: String(block["thinking"]) }];
    default:
      throw cannotCarry(`${path}, a block of type ${JSON.stringify(block["type"])},`);
  }
}

function toolResult(
  block: Block,
  path: string,
): Extract<Extract<SdkMessage, { role: "tool" }>["content"][number], { type: "tool-result" }> {
  const { content, is_error: isError } = block;
  const parts = Array.isArray(content)
    ? asRecords(content).map((part, i) => userPart(part, `${path}.content[${i}]`))
    : undefined;
  const text = parts
    ? parts.map((part) => (part.type === "text" ? part.text : "")).join("\n")
    : String(content ?? "");
  const output = parts?.some(({ type }) => type !== "text")
    ? ({ type: "content", value: parts } as never)
    : { type: isError === true ? ("error-text" as const) : ("text" as const), value: text };
  return {
    type: "tool-result",
    toolCallId: String(block["tool_use_id"]),
    toolName: "unknown",
    output,
    ...cacheOptions(block),
  };
}
