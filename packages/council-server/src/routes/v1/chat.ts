import { networkOf } from "@mci-ts/http-guard";
import { z } from "zod";
import { listChatModels } from "../../chat/model-list.ts";
import { ChatRequest, ignoredFields, toModelRequest } from "../../chat/request.ts";
import {
  AgentCompletion,
  ChatCompletion,
  ChatError,
  chatChunks,
  chatCompletion,
  chatError,
  chatFailure,
  keepAliveChunk,
} from "../../chat/response.ts";
import { answerSchema, outputFormat, twoSchemas } from "../../chat/response-format.ts";
import { isActModel } from "../../http/agents/act-models.ts";
import { answerAgent } from "../../http/agents/agent-endpoint.ts";
import { parse } from "../../http/parse.ts";
import {
  clientSignal,
  defineRoute,
  failure as failureOf,
  jsonResponse,
  openStream,
} from "../../http/route.ts";
import { responseHeaders, responseStatus } from "../../http/run-status.ts";
import { eventStream } from "../../http/sse.ts";
import { idempotencyHeaders, readIdempotencyKey, runHeaders } from "../../http/submission-headers.ts";
import { isRecord } from "../../protocols/shared/values.ts";
import { splitConfig } from "../../runs/run-config.ts";

const failure = (description: string) => failureOf(description, ChatError);

/** The council as an OpenAI-compatible chat model. */
export const chat = defineRoute({
  method: "post",
  path: "/v1/chat/completions",
  summary: "Ask the council as an OpenAI-compatible model: auto, council, vote, decompose, or act for agents",
  headers: idempotencyHeaders,
  body: ChatRequest,
  failure: { schema: ChatError, body: chatFailure },
  responses: {
    200: {
      description: "The completion; with `stream: true`, as chunks.",
      content: {
        "application/json": z.union([ChatCompletion, AgentCompletion]),
        "text/event-stream": undefined,
      },
    },
    400: failure("The request is invalid; no model was called."),
    404: failure("The model does not exist."),
    409: failure("The run was cancelled."),
    422: failure("The Idempotency-Key belongs to another request, or the budget is too small for a result."),
    502: failure("The models returned no usable answer."),
    503: failure("Overloaded, or the daily budget is spent; see Retry-After."),
    504: failure("The deadline passed."),
  },
  isConversation: true,
  // The conversation of an agent is passed on as it came.
  readBody: (value) =>
    isRecord(value) && isActModel(value["model"]) ? (value as never) : parse(ChatRequest, value),
  async handle(c, service, body) {
    if (isActModel(body.model)) return answerAgent(c, service, "chat", body);
    const { config: requestConfig, ...question } = toModelRequest(
      body,
      listChatModels(service.config.presets),
    );
    const { config, options } = splitConfig(requestConfig);
    // A decomposition has a form of its own: it is rewritten when it is done. Other answers are voted on as objects.
    const responseSchema =
      question.intent === "decomposition" ? undefined : answerSchema(body.response_format);
    if (responseSchema && config.answer_schema) throw twoSchemas();
    const schema = responseSchema ?? config.answer_schema;
    const request = { ...question, config: schema ? { ...config, answer_schema: schema } : config };
    const format = schema ? undefined : outputFormat(body.response_format);
    const stream = body.stream ? openStream(c, service) : undefined;
    const submission = await service.submit(request, {
      channel: "chat",
      format,
      requireAnswer: schema !== undefined,
      client: clientSignal(c),
      caller: networkOf(c.env.incoming.socket.remoteAddress ?? ""),
      idempotencyKey: readIdempotencyKey(c),
      ...options,
    });
    const message = {
      report: body.config?.format === "report",
      warnings: ignoredFields(body),
      max_tokens: body.max_tokens,
      max_completion_tokens: body.max_completion_tokens,
      stop: body.stop,
    };
    const { id, live } = submission;
    const sent = runHeaders(submission);
    if (stream) {
      await live?.admitted;
      const includeUsage = body.stream_options?.include_usage === true;
      const chunks = chatChunks(live, submission.response, {
        ...message,
        id,
        model: body.model,
        includeUsage,
      });
      // Python's openai package fails on anything but `data:` lines.
      const data = keepAliveChunk(id, body.model);
      return eventStream(chunks, { ...stream, headers: sent, keepAlive: () => ({ data }) });
    }
    const response = await submission.response;
    const completion =
      "error" in response.body
        ? chatError(response.body)
        : chatCompletion(id, body.model, response.body, message);
    return jsonResponse(completion, responseStatus(response.body), { ...sent, ...responseHeaders(response) });
  },
});
