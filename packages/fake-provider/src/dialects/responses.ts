import type { Completion } from "../completion.ts";
import type { FakeDialect, StreamEvent } from "./dialect.ts";

type Item = Record<string, unknown>;

/** OpenAI's Responses, at the address beside chat completions. Reasoning is encrypted. */
export const responses: Pick<FakeDialect, "match" | "read" | "completion" | "stream"> = {
  match: ({ pathname }) => (pathname.endsWith("/responses") ? {} : undefined),
  // Codex sends client_metadata, which no documentation of the API has.
  read: ({ input, instructions, text, max_output_tokens, client_metadata: _, ...body }) => {
    const format = (text as { format?: Item } | undefined)?.format;
    return {
      ...body,
      max_completion_tokens: max_output_tokens,
      messages: [
        ...(instructions ? [{ role: "system", content: instructions }] : []),
        ...(typeof input === "string" ? [{ role: "user", content: input }] : turnsOf(input as Item[])),
      ],
      ...(format?.["type"] === "json_schema"
        ? { response_format: { type: "json_schema", json_schema: format } }
        : {}),
    };
  },
  completion: (request, completion, id) => ({
    id: `resp_${id}`,
    object: "response",
    created_at: Math.floor(Date.now() / 1000),
    status: completion.finishReason === "length" ? "incomplete" : "completed",
    incomplete_details: completion.finishReason === "length" ? { reason: "max_output_tokens" } : null,
    error: null,
    model: request.model,
    output: itemsOf(completion, id),
    usage: {
      input_tokens: completion.usage.prompt_tokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: completion.usage.completion_tokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: completion.usage.total_tokens,
    },
  }),
  stream: (request, completion, id) => {
    const response = responses.completion(request, completion, id) as Item;
    const items = response["output"] as Item[];
    return [
      event("response.created", { response: { ...response, status: "in_progress", output: [] } }),
      ...items.flatMap((item, output_index) => [
        event("response.output_item.added", { output_index, item }),
        ...(item["type"] === "message"
          ? completion.content.split(/(?<= )/).map((delta) =>
              event("response.output_text.delta", {
                output_index,
                item_id: item["id"],
                content_index: 0,
                delta,
              }),
            )
          : []),
        event("response.output_item.done", { output_index, item }),
      ]),
      event("response.completed", { response }),
    ];
  },
};

const event = (type: string, fields: object): StreamEvent => ({
  event: type,
  data: JSON.stringify({ type, ...fields }),
});

/** Calls and their reasoning are one turn of the assistant. */
function turnsOf(items: readonly Item[]): Item[] {
  const turns: Item[] = [];
  for (const item of items) {
    const type = item["type"] ?? "message";
    const role = type === "message" ? item["role"] : String(type).endsWith("_output") ? "tool" : "assistant";
    const last = turns.at(-1);
    const content = item["content"] ?? item["output"] ?? [item];
    if (role === "assistant" && last?.["role"] === "assistant")
      last["content"] = [last["content"], content].flat();
    else turns.push({ role, content });
  }
  return turns;
}

function itemsOf({ content, reasoning, refusal, toolCalls = [] }: Completion, id: string): Item[] {
  return [
    ...(reasoning || toolCalls.length > 0
      ? [{ id: `rs_${id}`, type: "reasoning", summary: [], encrypted_content: `sealed-${id}` }]
      : []),
    ...toolCalls.map(({ tool, text }, i) => ({
      id: `fc_${id}_${i}`,
      type: "function_call",
      status: "completed",
      call_id: `call_${id}_${i}`,
      name: tool,
      arguments: text,
    })),
    ...(content === "" && refusal === undefined
      ? []
      : [
          {
            id: `msg_${id}`,
            type: "message",
            role: "assistant",
            status: "completed",
            content: [
              refusal === undefined
                ? { type: "output_text", text: content, annotations: [] }
                : { type: "refusal", refusal },
            ],
          },
        ]),
  ];
}
