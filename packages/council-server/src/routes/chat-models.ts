import { z } from "zod";
import { type ChatModel, listChatModels, modelNotFound } from "../chat/model-list.ts";
import { ChatError, chatFailure } from "../chat/response.ts";
import { defineRoute, failure } from "../http/route.ts";

const ListedModel = z
  .strictObject({
    id: z.string(),
    object: z.literal("model"),
    created: z.int(),
    owned_by: z.string(),
    description: z.string(),
  })
  .meta({ id: "ChatModel" });

const Models = z.strictObject({ object: z.literal("list"), data: z.array(ListedModel) });

/** The models of `POST /v1/chat/completions`. */
export const chatModels = defineRoute({
  method: "get",
  path: "/v1/models",
  summary: "List the models of the OpenAI-compatible endpoint",
  failure: { schema: ChatError, body: chatFailure },
  responses: { 200: { description: "The models.", content: { "application/json": Models } } },
  handle: (_, { config }) =>
    Response.json({ object: "list", data: [...listChatModels(config.presets)].map(toListed) }),
});

/** One of them. */
export const chatModel = defineRoute({
  method: "get",
  path: "/v1/models/:id",
  summary: "Show one model of the OpenAI-compatible endpoint",
  failure: { schema: ChatError, body: chatFailure },
  responses: {
    200: { description: "The model.", content: { "application/json": ListedModel } },
    404: failure("The model does not exist.", ChatError),
  },
  handle(c, { config }) {
    const id = c.req.param("id") ?? "";
    const models = listChatModels(config.presets);
    const model = models.get(id);
    if (!model) throw modelNotFound(id, "id", models);
    return Response.json(toListed([id, model]));
  },
});

function toListed([id, { description }]: readonly [string, ChatModel]): z.output<typeof ListedModel> {
  return { id, object: "model", created: 0, owned_by: "council", description };
}
