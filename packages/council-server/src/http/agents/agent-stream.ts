import type { ActionResult } from "@mci-ts/council";
import type {
  About,
  AgentMessage,
  AgentResponse,
  ProtocolName,
  StreamedEvent,
} from "../../protocols/protocol.ts";
import { PROTOCOLS } from "../../protocols/protocols.ts";
import type { RunResponse } from "../../runs/live/live-run.ts";
import { ServiceError, type ServiceErrorCode } from "../../service-error.ts";
import { statusOf } from "../errors.ts";
import { eventStream, type StreamOptions } from "../sse.ts";

/** A voted step as a stream: it begins at once, is kept alive in the way of its protocol while the vote runs, and ends in what was decided. */
export function agentStream(
  about: About,
  name: ProtocolName,
  response: Promise<Pick<RunResponse, "body">>,
  decided: Promise<ActionResult>,
  options: Omit<StreamOptions, "keepAlive">,
): Response {
  const number = numbering();
  return eventStream(numbered(agentEvents(about, name, response, decided), number), {
    ...options,
    keepAlive: () => number(PROTOCOLS[name].keepAlive(about)),
  });
}

async function* agentEvents(
  about: About,
  name: ProtocolName,
  response: Promise<Pick<RunResponse, "body">>,
  decided: Promise<ActionResult>,
): AsyncGenerator<StreamedEvent> {
  const protocol = PROTOCOLS[name];
  yield* protocol.opening(about);
  const { body } = await response;
  if ("error" in body) {
    const failure = errorOf(body);
    yield* protocol.errorEvents(failure, statusOf(failure.code), about);
  } else yield* protocol.events(toAgentResponse(about, await decided));
}

/** Responses number their events, also those that only keep the stream alive; other protocols do not. */
function numbering(): (event: StreamedEvent) => StreamedEvent {
  let next = 0;
  return ({ event, data }) =>
    event?.startsWith("response.")
      ? { event, data: data.replace("{", `{"sequence_number":${next++},`) }
      : { data, ...(event === undefined ? {} : { event }) };
}

async function* numbered(
  events: AsyncIterable<StreamedEvent>,
  number: (event: StreamedEvent) => StreamedEvent,
): AsyncGenerator<StreamedEvent> {
  for await (const event of events) yield number(event);
}

/** What was decided, for the protocol to write down. */
export function toAgentResponse(about: About, result: ActionResult): AgentResponse {
  const { metadata, tokens, reply, text } = result;
  const spoken = reply?.message as AgentMessage | undefined;
  const message: AgentMessage =
    text !== undefined || !spoken ? { parts: [{ type: "text", text: text ?? "" }], stop: "stop" } : spoken;
  const { input_tokens: input, output_tokens: output } = metadata.usage;
  return {
    ...about,
    message,
    usage: {
      input,
      output,
      cachedInput: tokens.cachedInput,
      cacheWrite: tokens.cacheWrite,
      reasoning: tokens.reasoning,
    },
    council: summaryOf(about.id, result),
  };
}

/** How a step was decided, for programs. */
export function summaryOf(id: string, { metadata }: ActionResult): Record<string, string> {
  const { voting, action, warnings } = metadata;
  const counts = voting?.clusters.map(({ votes }) => votes) ?? [1];
  return {
    run: id,
    votes: `${Math.max(0, ...counts)}/${counts.reduce((sum, votes) => sum + votes, 0)}`,
    decided: action?.decided ?? "single",
    ...(warnings.length > 0 ? { warnings: warnings.join(" ") } : {}),
  };
}

export function errorOf({ error }: Extract<RunResponse["body"], { error: unknown }>): ServiceError {
  return new ServiceError(error.code as ServiceErrorCode, error.message, { details: error.details });
}
