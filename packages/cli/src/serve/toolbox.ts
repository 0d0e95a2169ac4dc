import type { ExecuteOptions, ExecutionResult, MCIClient } from "mci-ts";
import { Listing } from "./listing.ts";

/**
 * The tools that are served. One client at a time answers everybody; a reload puts another in its place, and calls under
 * way finish on the one they began with.
 */
export class Toolbox {
  readonly #load: () => Promise<MCIClient>;
  #current: Generation;
  /** The current one and those before it that still have calls to finish. */
  readonly #generations = new Set<Generation>();
  #isClosed = false;

  private constructor(load: () => Promise<MCIClient>, first: MCIClient) {
    this.#load = load;
    this.#current = new Generation(first);
    this.#generations.add(this.#current);
  }

  static async open(load: () => Promise<MCIClient>): Promise<Toolbox> {
    return new Toolbox(load, await load());
  }

  get listing(): Listing {
    return this.#current.listing;
  }

  /** What the file says about itself. */
  get metadata(): MCIClient["metadata"] {
    return this.#current.client.metadata;
  }

  call(
    name: string,
    properties: Readonly<Record<string, unknown>>,
    options: ExecuteOptions,
  ): Promise<ExecutionResult> {
    return this.#current.call(name, properties, options);
  }

  /** Loads the file again. If that fails the tools stay as they are, and the error is thrown. */
  async reload(): Promise<void> {
    const client = await this.#load();
    if (this.#isClosed) return client.close();
    const old = this.#current;
    this.#current = new Generation(client);
    this.#generations.add(this.#current);
    void old.finished().then(() => this.#end(old));
  }

  /** Cancels what is running and releases everything. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#generations].map((generation) => this.#end(generation)));
  }

  async #end(generation: Generation): Promise<void> {
    await generation.client.close();
    this.#generations.delete(generation);
  }
}

/** One loading of the file. */
class Generation {
  readonly client: MCIClient;
  readonly listing: Listing;
  #calls = 0;
  #onFinished: (() => void) | undefined;

  constructor(client: MCIClient) {
    this.client = client;
    this.listing = new Listing(client.tools());
  }

  async call(
    name: string,
    properties: Readonly<Record<string, unknown>>,
    options: ExecuteOptions,
  ): Promise<ExecutionResult> {
    this.#calls++;
    try {
      return await this.client.execute(name, properties, options);
    } finally {
      if (--this.#calls === 0) this.#onFinished?.();
    }
  }

  /** Resolves when its last call is over. To be asked once it gets no new ones. */
  finished(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#calls === 0) resolve();
      else this.#onFinished = resolve;
    });
  }
}
