/** Streams that stay open, over all clients. */
const MAX_STREAMS = 1024;
/** How many of those one client may hold, so that the others find room. */
const MAX_PER_CLIENT = 256;

/** Bounds the number of open streams, in total and per client. */
export class StreamLimiter {
  readonly #open = new Map<string, number>();
  #total = 0;

  /** Returns the function that releases the stream; undefined if there are too many. */
  acquire(client: string): (() => void) | undefined {
    const count = this.#open.get(client) ?? 0;
    if (this.#total >= MAX_STREAMS || count >= MAX_PER_CLIENT) return undefined;
    this.#open.set(client, count + 1);
    this.#total++;
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.#total--;
      const left = (this.#open.get(client) ?? 1) - 1;
      if (left === 0) this.#open.delete(client);
      else this.#open.set(client, left);
    };
  }
}
