import { z } from "zod";
import { CHAT_MODELS } from "../chat/request.ts";
import { defineRoute } from "../http/route.ts";

const Models = z.strictObject({
  object: z.literal("list"),
  data: z.array(
    z.strictObject({
      id: z.string(),
      object: z.literal("model"),
      created: z.int(),
      owned_by: z.string(),
      description: z.string(),
    }),
  ),
});

/** The models of `POST /v1/chat/completions`. */
export const chatModels = defineRoute({
  method: "get",
  path: "/v1/models",
  summary: "List the models of the OpenAI-compatible endpoint",
  responses: { 200: { description: "The models.", content: { "application/json": Models } } },
  handle: () =>
    Response.json({
      object: "list",
      data: [...CHAT_MODELS].map(([id, { description }]) => ({
        id,
        object: "model",
        created: 0,
        owned_by: "council",
        description,
      })),
    }),
});
