import { type CouncilRequest, INTENTS, type Intent, requestConfigSchema, STRATEGIES } from "@mci-ts/council";
import { z } from "zod";
import { HttpError } from "../http/errors.ts";
import { ResponseFormat } from "./response-format.ts";

/** The model names that chat clients can use, and what each does. */
export const CHAT_MODELS = new Map<string, { readonly intent?: Intent; readonly description: string }>([
  ["auto", { description: "Chooses the strategy from the prompt." }],
  ...STRATEGIES.map(({ name, intents, description }) => [name, { intent: intents[0], description }] as const),
]);
const MODEL_NAMES = [...CHAT_MODELS.keys()].join(", ");

const Part = z.looseObject({ type: z.string(), text: z.string().optional() });
const Message = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool", "function"]),
  content: z.union([z.string(), z.array(Part)]).nullish(),
});

/** Sampling parameters of the protocol are accepted and ignored: the council has its own. */
export const ChatRequest = z
  .looseObject({
    model: z.string().default("auto").describe(`One of ${MODEL_NAMES}.`),
    messages: z.array(Message).min(1),
    stream: z.boolean().nullish(),
    stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
    tools: z.array(z.unknown()).nullish().describe("Not supported: must be empty or absent."),
    functions: z.array(z.unknown()).nullish().describe("Not supported: must be empty or absent."),
    response_format: ResponseFormat.nullish().describe(
      "The form of the answer. With json_schema it is voted on as an object; json_object is written by one more model call.",
    ),
    n: z.literal(1).nullish().describe("Only one choice is supported."),
    maker_intent: z.enum(INTENTS).optional().describe("Overrides the intent of the model name."),
    maker_num_voters: requestConfigSchema.shape.num_voters,
    maker_k: requestConfigSchema.shape.k,
  })
  .meta({ id: "ChatRequest" });
export type ChatRequest = z.output<typeof ChatRequest>;

/**
 * The last user message is the prompt; system messages become instructions; earlier turns stay the conversation; what tools
 * returned is quoted as history.
 */
export function toCouncilRequest(chat: ChatRequest): CouncilRequest {
  const model = CHAT_MODELS.get(chat.model);
  if (!model) throw modelNotFound(chat.model, "model");
  for (const field of ["tools", "functions"] as const) {
    if (chat[field]?.length)
      throw invalidField(field, `${field} is not supported: the council calls no ${field}; leave it out`);
  }
  const at = chat.messages.findLastIndex((message) => message.role === "user");
  const prompt = at < 0 ? "" : messageText(chat.messages[at]!, at);
  if (prompt.trim() === "") throw invalidField("messages", "messages must contain a user message with text");
  const others = chat.messages.flatMap((message, index) =>
    index === at ? [] : [{ role: message.role, content: messageText(message, index) }],
  );
  const instructions = others
    .filter(({ role }) => role === "system" || role === "developer")
    .map(({ content }) => content);
  const conversation = others.filter(
    (turn): turn is Turn => turn.role === "user" || turn.role === "assistant",
  );
  const history = others.filter(({ role }) => role === "tool" || role === "function");
  const intent = chat.maker_intent ?? model.intent;
  return {
    prompt,
    ...(others.length === 0
      ? {}
      : {
          context: {
            ...(instructions.length === 0 ? {} : { instructions: instructions.join("\n\n") }),
            ...(conversation.length === 0 ? {} : { conversation }),
            ...(history.length === 0 ? {} : { history }),
          },
        }),
    ...(intent === undefined ? {} : { intent }),
    config: { num_voters: chat.maker_num_voters, k: chat.maker_k },
  };
}

interface Turn {
  role: "user" | "assistant";
  content: string;
}

export function modelNotFound(id: string, path: string): HttpError {
  return new HttpError("not_found", `The model "${id}" does not exist; available: ${MODEL_NAMES}`, {
    details: [{ path, message: `${path} must be one of ${MODEL_NAMES}` }],
  });
}

function messageText(message: ChatRequest["messages"][number], index: number): string {
  if (!Array.isArray(message.content)) return message.content ?? "";
  return message.content
    .map((part, at) => {
      if (part.type === "text" && part.text !== undefined) return part.text;
      throw invalidField(
        `messages[${index}].content[${at}]`,
        `messages[${index}].content[${at}] must be a part of type "text"; it is of type "${part.type}"`,
      );
    })
    .join("\n");
}

function invalidField(path: string, message: string): HttpError {
  return new HttpError("invalid_request", message, { details: [{ path, message }] });
}
