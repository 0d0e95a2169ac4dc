/** Deliveries in memory at a time, those that wait for a retry included. */
const MAX_PER_HOST = 100;
/** A quarter: one caller cannot keep the others from a host. */
const MAX_PER_CALLER = 25;

/** Bounds what is delivered at a time, for each receiving host and each caller. What gets no slot waits in the store. */
export class DeliverySlots {
  readonly #hosts = new Map<string, number>();
  readonly #callers = new Map<string, number>();

  /** Whether there was one; `release` gives it back. */
  acquire(host: string, caller: string): boolean {
    if (this.isFull(host) || this.roomOf(caller) === 0) return false;
    add(this.#hosts, host, 1);
    add(this.#callers, caller, 1);
    return true;
  }

  release(host: string, caller: string): void {
    add(this.#hosts, host, -1);
    add(this.#callers, caller, -1);
  }

  isFull(host: string): boolean {
    return (this.#hosts.get(host) ?? 0) >= MAX_PER_HOST;
  }

  roomOf(caller: string): number {
    return MAX_PER_CALLER - (this.#callers.get(caller) ?? 0);
  }
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
