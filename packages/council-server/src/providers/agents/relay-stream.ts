import { type IncomingMessage, request as overHttp } from "node:http";
import { request as overHttps } from "node:https";
import { ModelError } from "@mci-ts/council";
import type { AgentRequest, Protocol, StreamedEvent } from "../../protocols/protocol.ts";

interface RelayOptions {
  readonly agent: AgentRequest;
  readonly protocol: Protocol;
  readonly redact: (text: string) => string;
}

/** Many times what a model writes in one answer. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_EVENT_BYTES = 1024 * 1024;

/**
 * Sends a request whose reply is a stream, and hands every piece on as it arrives. What is returned is the reply as a whole, as if it had
 * not been streamed; an error of the provider comes before the first piece, and is returned as one. Our keys are taken out of each event;
 * of one that is spread over several events only the record of the reply is free.
 */
export async function relayStream(
  address: string,
  { method = "POST", headers, body, signal }: RequestInit,
  relay: (chunk: Uint8Array) => void,
  { agent, protocol, redact }: RelayOptions,
): Promise<{ response: Response; text: string }> {
  signal?.throwIfAborted();
  const url = new URL(address);
  const request = (url.protocol === "https:" ? overHttps : overHttp)(url, {
    method,
    headers: {
      ...(headers as Record<string, string>),
      accept: "text/event-stream",
      "accept-encoding": "identity",
    },
  });
  const abort = () => request.destroy(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    const head = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once("response", resolve).once("error", reject);
      request.end(body as string);
    });
    const isStream = head.statusCode === 200 && /event-stream/.test(head.headers["content-type"] ?? "");
    const send = (event: Buffer) => {
      const text = event.toString();
      const changed = redact(text);
      relay(changed === text ? event : Buffer.from(changed));
    };
    const forward = forwarder(send, (event) => protocol.isOurs?.(agent, event) ?? false);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of head as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BYTES) throw broken("is longer than any reply");
      chunks.push(chunk);
      if (isStream) forward(chunk);
    }
    forward.end();
    const text = Buffer.concat(chunks).toString();
    const response = {
      status: head.statusCode ?? 0,
      ok: head.statusCode === 200,
      headers: headersOf(head),
    } as Response;
    if (!isStream) return { response, text };
    const whole = protocol.readStream(eventsIn(text));
    if (!whole) throw broken("ended before its end");
    return { response, text: JSON.stringify(whole) };
  } catch (error) {
    request.destroy();
    throw error;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

/** Hands on whole events, so that those that are ours can be left out. */
function forwarder(relay: (event: Buffer) => void, isOurs: (event: StreamedEvent) => boolean) {
  let rest: Buffer = Buffer.alloc(0);
  const forward = (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const end = endOfEvent(rest);
      if (end < 0) break;
      const event = rest.subarray(0, end);
      rest = rest.subarray(end);
      if (!eventsIn(event.toString()).some(isOurs)) relay(event);
    }
    // An event without an end must not be copied again and again.
    if (rest.length > MAX_EVENT_BYTES) {
      relay(rest);
      rest = Buffer.alloc(0);
    }
  };
  return Object.assign(forward, { end: () => (rest.length > 0 ? relay(rest) : undefined) });
}

function endOfEvent(bytes: Buffer): number {
  const [plain, crlf] = [bytes.indexOf("\n\n"), bytes.indexOf("\r\n\r\n")];
  if (crlf >= 0 && (plain < 0 || crlf < plain)) return crlf + 4;
  return plain < 0 ? -1 : plain + 2;
}

/** What the client has seen of a stream cannot be taken back: it is not tried again. */
const broken = (problem: string) => new ModelError(`the provider's stream ${problem}`, { retryable: false });

const headersOf = ({ headers }: IncomingMessage) =>
  new Map(
    Object.entries(headers).map(([name, value]) => [name, String(value)]),
  ) as unknown as Response["headers"];

/** The events of a stream; comments are left out. */
function eventsIn(text: string): StreamedEvent[] {
  return text.split(/\r?\n\r?\n/).flatMap((block) => {
    const lines = block.split(/\r?\n/);
    const field = (name: string) =>
      lines
        .filter((line) => line.startsWith(`${name}:`))
        .map((line) => line.slice(name.length + 1).replace(/^ /, ""));
    const data = field("data");
    const [event] = field("event");
    return data.length === 0 ? [] : [{ data: data.join("\n"), ...(event === undefined ? {} : { event }) }];
  });
}
