import { z } from "zod";
import { listChatModels, modelNotFound } from "../../chat/model-list.ts";
import { ChatError, chatFailure } from "../../chat/response.ts";
import { listActModels } from "../../http/agents/act-models.ts";
import { type AppContext, defineRoute, failure, success } from "../../http/route.ts";
import type { CouncilService } from "../../service.ts";

const ListedModel = z
  .strictObject({
    id: z.string(),
    object: z.literal("model"),
    created: z.int(),
    owned_by: z.string(),
    description: z.string(),
  })
  .meta({ id: "ChatModel" });

/** As Anthropic's clients expect it; they send the header `anthropic-version`. */
const AnthropicModel = z
  .strictObject({
    type: z.literal("model"),
    id: z.string(),
    display_name: z.string(),
    created_at: z.string(),
  })
  .meta({ id: "AnthropicModel" });

const Models = z.union([
  z.strictObject({ object: z.literal("list"), data: z.array(ListedModel) }),
  z.strictObject({
    data: z.array(AnthropicModel),
    has_more: z.boolean(),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
  }),
]);

/** The models of the endpoints below /v1. */
export const chatModels = defineRoute({
  method: "get",
  path: "/v1/models",
  summary: "List the models of the endpoints below /v1",
  failure: { schema: ChatError, body: chatFailure },
  responses: {
    200: success("The models; with the header anthropic-version, in Anthropic's shape.", Models),
  },
  handle(c, service) {
    const listed = [...modelsOf(service)];
    if (!isAnthropic(c)) return Response.json({ object: "list", data: listed.map(toListed) });
    const data = listed.map(toAnthropic);
    return Response.json({
      data,
      has_more: false,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
    });
  },
});

/** One of them. */
export const chatModel = defineRoute({
  method: "get",
  path: "/v1/models/:id",
  summary: "Show one model of the endpoints below /v1",
  failure: { schema: ChatError, body: chatFailure },
  responses: {
    200: {
      description: "The model.",
      content: { "application/json": z.union([ListedModel, AnthropicModel]) },
    },
    404: failure("The model does not exist.", ChatError),
  },
  handle(c, service) {
    const id = c.req.param("id") ?? "";
    const description = modelsOf(service).get(id);
    if (description === undefined) throw modelNotFound(id, "id", modelsOf(service));
    return Response.json((isAnthropic(c) ? toAnthropic : toListed)([id, description]));
  },
});

const isAnthropic = (c: AppContext) => c.req.header("anthropic-version") !== undefined;

/** Every model name, with what it does. */
const modelsOf = ({ config, models }: CouncilService): ReadonlyMap<string, string> =>
  new Map([
    ...[...listChatModels(config.presets)].map(([id, { description }]) => [id, description] as const),
    ...listActModels(config, models),
  ]);

function toListed([id, description]: readonly [string, string]): z.output<typeof ListedModel> {
  return { id, object: "model", created: 0, owned_by: "council", description };
}

function toAnthropic([id]: readonly [string, string]): z.output<typeof AnthropicModel> {
  return { type: "model", id, display_name: `Council: ${id}`, created_at: "1970-01-01T00:00:00Z" };
}
