import type { AgentRequest, Body, Protocol } from "../protocol.ts";
import { isRecord } from "../shared/values.ts";

export function toBody(
  { body }: AgentRequest,
  { model, temperature, tokenLimit, reasoning, stream, askForUsage }: Parameters<Protocol["toBody"]>[1],
): Body {
  const {
    max_tokens,
    max_completion_tokens,
    temperature: own,
    reasoning_effort,
    stream_options,
    ...rest
  } = body;
  const limit = max_completion_tokens ?? max_tokens;
  return {
    ...rest,
    model,
    ...(temperature === undefined ? (own === undefined ? {} : { temperature: own }) : { temperature }),
    ...(limit === undefined || tokenLimit === "none" ? {} : { [tokenLimit]: limit }),
    ...(reasoning_effort === undefined || !reasoning ? {} : { reasoning_effort }),
    ...(stream ? { stream: true } : {}),
    ...(stream && (askForUsage || isRecord(stream_options))
      ? {
          stream_options: {
            ...(isRecord(stream_options) ? stream_options : {}),
            ...(askForUsage ? { include_usage: true } : {}),
          },
        }
      : {}),
  };
}
