/** A provider's stream on its way to a client, byte for byte. */
export interface Relay {
  readonly write: (chunk: Uint8Array) => void;
  /** Resolves with the first piece. */
  readonly started: Promise<void>;
  hasStarted(): boolean;
  end(): void;
  response(headers: Readonly<Record<string, string>>): Response;
}

export function relayResponse(): Relay {
  const first = Promise.withResolvers<void>();
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  let started = false;
  let ended = false;
  const stream = new ReadableStream<Uint8Array>({
    start: (streamController) => {
      controller = streamController;
    },
    cancel: () => {
      ended = true;
    },
  });
  return {
    write(chunk) {
      started = true;
      first.resolve();
      if (!ended) controller.enqueue(chunk);
    },
    started: first.promise,
    hasStarted: () => started,
    end() {
      if (!ended) controller.close();
      ended = true;
    },
    response: (headers) =>
      new Response(stream, {
        headers: {
          "content-type": "text/event-stream; charset=utf-8",
          "cache-control": "no-store",
          "x-accel-buffering": "no",
          ...headers,
        },
      }),
  };
}
