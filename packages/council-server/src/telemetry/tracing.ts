import { type Model, ModelError } from "@mci-ts/council";
import { type Context, context, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Models } from "../providers/models.ts";
import type { ServiceMetrics } from "./service-metrics.ts";

const tracer = () => trace.getTracer("@mci-ts/council-server");

/** The span of a whole run, by OpenTelemetry's conventions for generative AI. Costs nothing without a registered SDK. */
export function startRunSpan(id: string, model: string): { span: Span; spanContext: Context } {
  const span = tracer().startSpan("invoke_agent council", {
    kind: SpanKind.INTERNAL,
    attributes: {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "council",
      "gen_ai.conversation.id": id,
      "gen_ai.request.model": model,
    },
  });
  return { span, spanContext: trace.setSpan(context.active(), span) };
}

/** The same model, with a span and metrics for every call. */
export function traceCalls(inner: Model, models: Models, metrics: ServiceMetrics, parent: Context): Model {
  return {
    ...inner,
    async complete(request, signal) {
      const { model, purpose, temperature, maxOutputTokens } = request;
      const span = tracer().startSpan(
        `chat ${model}`,
        {
          kind: SpanKind.CLIENT,
          attributes: {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": models.providerName(model),
            "gen_ai.request.model": model,
            "gen_ai.request.temperature": temperature,
            "gen_ai.request.max_tokens": maxOutputTokens,
            "gen_ai.output.type": request.schema ? "json" : "text",
            "council.purpose": purpose,
          },
        },
        parent,
      );
      try {
        const reply = await inner.complete(request, signal);
        const { inputTokens, outputTokens } = reply.usage;
        span.setAttributes({
          "gen_ai.response.model": reply.model ?? model,
          "gen_ai.response.finish_reasons": [reply.finishReason],
          "gen_ai.usage.input_tokens": inputTokens,
          "gen_ai.usage.output_tokens": outputTokens,
        });
        metrics.recordCall(model, purpose, "succeeded", reply);
        return reply;
      } catch (error) {
        const outcome = signal.aborted ? "aborted" : "failed";
        const type =
          error instanceof ModelError && error.status !== undefined ? String(error.status) : outcome;
        span.setAttribute("error.type", type);
        span.setStatus({ code: SpanStatusCode.ERROR });
        metrics.recordCall(model, purpose, outcome);
        throw error;
      } finally {
        span.end();
      }
    },
  };
}
