import { z } from "zod";
import { CHAT_MODELS, modelNotFound } from "../chat/request.ts";
import { ChatError, chatFailure } from "../chat/response.ts";
import { defineRoute, failure } from "../http/route.ts";

const ChatModel = z
  .strictObject({
    id: z.string(),
    object: z.literal("model"),
    created: z.int(),
    owned_by: z.string(),
    description: z.string(),
  })
  .meta({ id: "ChatModel" });

const Models = z.strictObject({ object: z.literal("list"), data: z.array(ChatModel) });

/** The models of `POST /v1/chat/completions`. */
export const chatModels = defineRoute({
  method: "get",
  path: "/v1/models",
  summary: "List the models of the OpenAI-compatible endpoint",
  failure: { schema: ChatError, body: chatFailure },
  responses: { 200: { description: "The models.", content: { "application/json": Models } } },
  handle: () => Response.json({ object: "list", data: [...CHAT_MODELS.keys()].map(chatModelOf) }),
});

/** One of them. */
export const chatModel = defineRoute({
  method: "get",
  path: "/v1/models/:id",
  summary: "Show one model of the OpenAI-compatible endpoint",
  failure: { schema: ChatError, body: chatFailure },
  responses: {
    200: { description: "The model.", content: { "application/json": ChatModel } },
    404: failure("The model does not exist.", ChatError),
  },
  handle(c) {
    const id = c.req.param("id") ?? "";
    if (!CHAT_MODELS.has(id)) throw modelNotFound(id, "id");
    return Response.json(chatModelOf(id));
  },
});

function chatModelOf(id: string): z.output<typeof ChatModel> {
  const { description = "" } = CHAT_MODELS.get(id) ?? {};
  return { id, object: "model", created: 0, owned_by: "council", description };
}
