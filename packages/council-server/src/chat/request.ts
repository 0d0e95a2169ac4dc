import { INTENTS } from "@mci-ts/council";
import { omitUndefined } from "@mci-ts/primitives/omit-undefined";
import { z } from "zod";
import type { ModelRequest } from "../api/api-schemas.ts";
import { RunConfig } from "../runs/run-config.ts";
import { ServiceError } from "../service-error.ts";
import { type ChatModels, modelNotFound, STRATEGY_MODELS } from "./model-list.ts";
import { ResponseFormat } from "./response-format.ts";
import { refuseUnsupported, SamplingParameters } from "./sampling-parameters.ts";

/** Fields of `config` that mean something else at the top of a chat request, or that clients send without asking. */
const PROTOCOL_FIELDS = ["model", "max_tokens", "reasoning_effort"];
const CONFIG_FIELDS = ["format", ...Object.keys(RunConfig.shape)].filter(
  (name) => !PROTOCOL_FIELDS.includes(name),
);

const Part = z.looseObject({ type: z.string(), text: z.string().optional() });
const Message = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool", "function"]),
  content: z.union([z.string(), z.array(Part)]).nullish(),
});

const ChatConfig = RunConfig.extend({
  format: z
    .enum(["answer", "report"])
    .nullish()
    .describe("answer: the content is the answer alone. report: it is the whole report. Default answer."),
});

export const ChatRequest = z
  .looseObject({
    model: z
      .string()
      .default("auto")
      .describe(
        `One of ${STRATEGY_MODELS.join(", ")}; with a preset after a colon, such as council:thorough.`,
      ),
    messages: z.array(Message).min(1),
    stream: z.boolean().nullish(),
    stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
    tools: z.array(z.unknown()).nullish().describe("Only with the models act…"),
    functions: z.array(z.unknown()).nullish().describe("Not supported: must be empty or absent."),
    response_format: ResponseFormat.nullish().describe(
      "The form of the answer. With json_schema it is voted on as an object; json_object is written by one more model call.",
    ),
    n: z.literal(1).nullish().describe("Only one choice is supported."),
    config: ChatConfig.nullish().describe(
      "As in POST /mcp/model, and format; clients send it as an extra field of the body.",
    ),
    ...SamplingParameters,
    temperature: z
      .number()
      .nullish()
      .describe("Above 0, no cached response is used. Otherwise ignored, with a warning."),
    reasoning_effort: z
      .string()
      .nullish()
      .describe("As config.reasoning_effort; other values are ignored, with a warning."),
    maker_intent: z.enum(INTENTS).optional().describe("Overrides the intent of the model name."),
    maker_num_voters: RunConfig.shape.num_voters,
    maker_k: RunConfig.shape.k,
  })
  .meta({ id: "ChatRequest" });
export type ChatRequest = z.output<typeof ChatRequest>;

/**
 * The last user message is the prompt; system messages become instructions; earlier turns stay the conversation; what tools
 * returned is quoted as history.
 */
export function toModelRequest(chat: ChatRequest, models: ChatModels): ModelRequest {
  const model = models.get(chat.model);
  if (!model) throw modelNotFound(chat.model, "model", models);
  const { intent: ofModel, preset } = model;
  for (const field of ["tools", "functions"] as const) {
    if (chat[field]?.length)
      throw invalidField(
        field,
        `${field} is not supported with the model ${chat.model}: tools go with the model act, which votes on each call; use act, or leave ${field} out`,
      );
  }
  refuseUnsupported(chat);
  const misplaced = CONFIG_FIELDS.find((name) => name in chat);
  if (misplaced !== undefined)
    throw invalidField(misplaced, `${misplaced} is a field of config: send "config": {"${misplaced}": …}`);
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
  const intent = chat.maker_intent ?? ofModel;
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
    config: {
      ...omitUndefined({ num_voters: chat.maker_num_voters, k: chat.maker_k, preset, ...effortOf(chat) }),
      ...configOf(chat),
    },
  };
}

/** One sentence for each field that changes nothing, for `council.warnings`. */
export function ignoredFields(chat: ChatRequest): readonly string[] {
  const unknown = Object.keys(chat).filter((name) => !Object.hasOwn(ChatRequest.shape, name));
  const { reasoning_effort: effort } = chat;
  const isUnknownEffort = effort != null && effortOf(chat).reasoning_effort === undefined;
  const inMessages = chat.messages.flatMap((message, index) =>
    Object.entries(message)
      .filter(([name, value]) => !READ_FIELDS.includes(name) && !isEmpty(value))
      .map(([name]) => `messages[${index}].${shorten(name)}`),
  );
  return [
    ...(asksForVariety(chat) && chat.config?.cache === "allow"
      ? ["config.cache was ignored: with a temperature above 0 no cached response is used"]
      : []),
    ...(chat.temperature == null ? [] : ["temperature was ignored: the council samples its voters itself"]),
    ...(isUnknownEffort ? [`reasoning_effort was ignored: "${shorten(effort)}" is not a known value`] : []),
    ...unknown
      .filter((name) => chat[name] != null)
      .slice(0, MAX_IGNORED)
      .map((name) => `${shorten(name)} was ignored: the council does not use it`),
    ...inMessages.slice(0, MAX_IGNORED).map((name) => `${name} was ignored: the council does not use it`),
    ...(inMessages.length > MAX_IGNORED
      ? [`${inMessages.length - MAX_IGNORED} more fields of messages were ignored`]
      : []),
  ];
}

/** What is read of a message, and what only joins a result to its call. */
const READ_FIELDS = ["role", "content", "tool_call_id"];
/** What SDKs write where there is nothing. */
const isEmpty = (value: unknown) => value == null || (Array.isArray(value) && value.length === 0);

const MAX_IGNORED = 20;
const shorten = (text: string) => text.slice(0, 100);

/** A client that asks for variety gets no cached response. */
function configOf(chat: ChatRequest): RunConfig {
  const { cache, cache_max_age_seconds, format, ...rest } = chat.config ?? {};
  const caching = omitUndefined({ cache, cache_max_age_seconds });
  return asksForVariety(chat) && cache === "allow" ? rest : { ...rest, ...caching };
}

const asksForVariety = ({ temperature }: ChatRequest) => (temperature ?? 0) > 0;

function effortOf({ reasoning_effort }: ChatRequest): Pick<RunConfig, "reasoning_effort"> {
  const { success, data } = RunConfig.shape.reasoning_effort.safeParse(reasoning_effort ?? undefined);
  return success && data !== undefined ? { reasoning_effort: data } : {};
}

interface Turn {
  role: "user" | "assistant";
  content: string;
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

function invalidField(path: string, message: string): ServiceError {
  return new ServiceError("invalid_request", message, { details: [{ path, message }] });
}
