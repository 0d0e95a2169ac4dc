/** How long a client waits before it opens a lost stream again. */
const RETRY_MS = 3000;

/**
 * What a client has seen of the list of tools, as an event id. A stream of notifications tells only that the list has
 * changed, so that nothing needs to be stored for a client that lost its stream: if its last id is an old one, the list
 * has changed since.
 */
export class ListVersion {
  /** An id of another process says nothing about this one. */
  readonly #process = crypto.randomUUID();
  #count = 0;

  get id(): string {
    return `${this.#process}/${this.#count}`;
  }

  increase(): void {
    this.#count++;
  }

  isOld(lastEventId: string | null): boolean {
    return lastEventId !== null && lastEventId !== this.id;
  }
}

/** Begins a stream with an empty event, so that the client knows what to say when it comes back, and when to do so. */
export function withPrimingEvent(response: Response, id: string): Response {
  return startingWith(`id: ${id}\nretry: ${RETRY_MS}\ndata: \n\n`, response);
}

/** Begins a stream with a comment: headers are sent with the first bytes, and the client waits for them. */
export function withComment(response: Response): Response {
  return startingWith(": open\n\n", response);
}

function startingWith(text: string, response: Response): Response {
  const start = new TextEncoder().encode(text);
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => controller.enqueue(start),
  });
  // A client that has gone needs no error.
  response.body!.pipeTo(writable).catch(() => {});
  return new Response(readable, response);
}
