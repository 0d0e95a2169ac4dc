import { chatCompletions } from "./chat-completions/chat-completions.ts";
import { messages } from "./messages/messages.ts";
import type { AgentRequest, Body, Headers, Protocol, ProtocolName } from "./protocol.ts";
import { responses } from "./responses/responses.ts";

/** Every protocol that agents speak. */
export const PROTOCOLS: Readonly<Record<ProtocolName, Protocol>> = {
  chat: chatCompletions,
  responses,
  messages,
};

/** A request of an agent, without what is the service's own. */
export function readAgentRequest(name: ProtocolName, body: Body, headers: Headers): AgentRequest {
  const { model: _, stream: __, config: ___, ...rest } = body;
  // Writing a long conversation out takes as long as reading it.
  const bytes = Number(headers.get("content-length")) || Buffer.byteLength(JSON.stringify(rest));
  return { ...PROTOCOLS[name].read(rest, headers), protocol: name, bytes };
}
