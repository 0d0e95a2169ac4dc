/**
 * A response that takes long becomes a stream of events with a comment now and then, so that clients and proxies do not
 * give up: most of them wait at most five minutes for the first byte. A quick response is passed on as it is.
 */
export async function withKeepAlive(
  pending: Promise<Response>,
  keepAliveMs: number,
  { headers, signal }: Pick<Request, "headers" | "signal">,
): Promise<Response> {
  if (!headers.get("accept")?.includes("text/event-stream")) return pending;
  const { promise: late, resolve: onLate } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => onLate(undefined), keepAliveMs);
  try {
    return (await Promise.race([pending, late])) ?? streamOf(pending, keepAliveMs, signal);
  } finally {
    clearTimeout(timer);
  }
}

function streamOf(pending: Promise<Response>, keepAliveMs: number, signal: AbortSignal): Response {
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      const comment = () => controller.enqueue(encoder.encode(": keep-alive\n\n"));
      comment();
      const timer = setInterval(comment, keepAliveMs);
      signal.addEventListener("abort", () => clearInterval(timer), { once: true });
      try {
        const response = await pending;
        if (response.headers.get("content-type")?.startsWith("application/json")) {
          controller.enqueue(encoder.encode(`event: message\ndata: ${await response.text()}\n\n`));
        } else if (response.body !== null) {
          for await (const chunk of response.body) controller.enqueue(chunk);
        }
        if (!signal.aborted) controller.close();
      } catch (error) {
        if (!signal.aborted) controller.error(error);
      } finally {
        clearInterval(timer);
      }
    },
  });
  return new Response(stream, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    },
  });
}
