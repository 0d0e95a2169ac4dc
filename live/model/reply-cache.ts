import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReplyCache {
  /** With /v1. */
  readonly url: string;
  close(): void;
}

/**
 * Stands before the model server and answers requests at temperature 0 that it has seen before from a file: methods that share samples
 * ask for them once, and a run that was stopped goes on where it was. Such replies hardly take time, so times measured with it say nothing.
 */
export async function startReplyCache(
  modelUrl: string,
  file: string,
  {
    resampledAt,
  }: {
    /** The temperature of requests that have another one than 0. Default: their own. */
    readonly resampledAt?: number;
  } = {},
): Promise<ReplyCache> {
  const known = new Map<string, string>();
  for (const line of existsSync(file) ? readFileSync(file, "utf8").split("\n") : []) {
    // A kill may have cut the last line.
    const [, key, reply] = /^\["([0-9a-f]{64})",(\{.*\})\]$/.exec(line) ?? [];
    if (key !== undefined) known.set(key, reply!);
  }
  const inFlight = new Map<string, Promise<{ status: number; text: string }>>();
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    if (resampledAt !== undefined) body = atTemperature(body, resampledAt);
    const key = keyOf(body);
    const send = (status: number, text: string) =>
      response.writeHead(status, { "content-type": "application/json" }).end(text);
    const cached = key && known.get(key);
    if (cached) return send(200, cached);
    const forward = async (signal: AbortSignal | null) => {
      const url = `${new URL(modelUrl).origin}${request.url}`;
      const sent = body === "" ? {} : { body, headers: { "content-type": "application/json" } };
      const reply = await fetch(url, { method: request.method!, signal, ...sent });
      const text = await reply.text();
      if (key !== undefined && reply.status === 200 && isWhole(text)) {
        const line = JSON.stringify(JSON.parse(text));
        known.set(key, line);
        appendFileSync(file, `["${key}",${line}]\n`);
      }
      return { status: reply.status, text };
    };
    try {
      if (key === undefined) {
        const gone = new AbortController();
        response.once("close", () => gone.abort());
        const { status, text } = await forward(gone.signal);
        return send(status, text);
      }
      // Asked for by several methods at a time, and worth having when all of them are gone: it is not aborted.
      const reply = inFlight.get(key) ?? forward(null).finally(() => inFlight.delete(key));
      inFlight.set(key, reply);
      const { status, text } = await reply;
      send(status, text);
    } catch (error) {
      send(502, JSON.stringify({ error: { message: (error as Error).message } }));
    }
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, close: () => server.close() };
}

function atTemperature(body: string, temperature: number): string {
  if (body === "") return body;
  const request = JSON.parse(body) as Record<string, unknown>;
  return request["temperature"] ? JSON.stringify({ ...request, temperature }) : body;
}

/**
 * The same request gets the same reply only at temperature 0. How many tokens it may have follows the server's speed, and makes no
 * difference to a reply that ended by itself.
 */
function keyOf(body: string): string | undefined {
  if (body === "") return undefined;
  const { max_tokens: _, ...request } = JSON.parse(body) as Record<string, unknown>;
  if (request["temperature"] !== 0 || request["stream"] === true) return undefined;
  return createHash("sha256").update(JSON.stringify(request)).digest("hex");
}

const isWhole = (text: string) =>
  (JSON.parse(text) as { choices?: { finish_reason?: string }[] }).choices?.[0]?.finish_reason === "stop";
