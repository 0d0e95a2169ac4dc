import type { ExecuteOptions, ExecutionResult, MCIClient } from "mci-ts";
import { ToolPages } from "./tool-pages.ts";

export type CallObserver = (
  tool: string,
  input: Readonly<Record<string, unknown>>,
  call: Promise<ExecutionResult>,
) => void;

/**
 * The MCIClient that is served. A reload replaces it for new calls; calls in flight finish on the version they started
 * with.
 */
export class ReloadableClient {
  readonly #load: () => Promise<MCIClient>;
  #current: ClientVersion;
  /** The current version and earlier ones with calls in flight. */
  readonly #versions = new Set<ClientVersion>();
  #isClosed = false;
  #observe: CallObserver | undefined;

  private constructor(load: () => Promise<MCIClient>, first: MCIClient) {
    this.#load = load;
    this.#current = new ClientVersion(first);
    this.#versions.add(this.#current);
  }

  static async open(load: () => Promise<MCIClient>): Promise<ReloadableClient> {
    return new ReloadableClient(load, await load());
  }

  get pages(): ToolPages {
    return this.#current.pages;
  }

  /** The file's metadata. */
  get metadata(): MCIClient["metadata"] {
    return this.#current.client.metadata;
  }

  /** For reading. Calls go through `call` or `use`, so that a reload waits for them. */
  get current(): MCIClient {
    return this.#current.client;
  }

  call(
    name: string,
    properties: Readonly<Record<string, unknown>>,
    options: ExecuteOptions,
  ): Promise<ExecutionResult> {
    const call = this.#current.call(name, properties, options);
    this.#observe?.(name, properties, call);
    return call;
  }

  /** Tells of each `call` as it starts. */
  observeCalls(observe: CallObserver): void {
    this.#observe = observe;
  }

  /** Uses the current version, which stays open until the work is done. */
  use<T>(work: (client: MCIClient) => Promise<T>): Promise<T> {
    return this.#current.use(work);
  }

  /** Loads the file again. If that fails the tools stay as they are, and the error is thrown. */
  async reload(): Promise<void> {
    const client = await this.#load();
    if (this.#isClosed) return client.close();
    const old = this.#current;
    this.#current = new ClientVersion(client);
    this.#versions.add(this.#current);
    void old.finished().then(() => this.#end(old));
  }

  /** Cancels calls in flight and closes every version. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#versions].map((version) => this.#end(version)));
  }

  async #end(version: ClientVersion): Promise<void> {
    await version.client.close();
    this.#versions.delete(version);
  }
}

/** The file as loaded once. */
class ClientVersion {
  readonly client: MCIClient;
  readonly pages: ToolPages;
  #calls = 0;
  #onFinished: (() => void) | undefined;

  constructor(client: MCIClient) {
    this.client = client;
    this.pages = new ToolPages(client.tools());
  }

  call(
    name: string,
    properties: Readonly<Record<string, unknown>>,
    options: ExecuteOptions,
  ): Promise<ExecutionResult> {
    // A name that is not listed is passed on, for the client's own error.
    const ownName = this.pages.find(name)?.tool.name ?? name;
    return this.use((client) => client.execute(ownName, properties, options));
  }

  async use<T>(work: (client: MCIClient) => Promise<T>): Promise<T> {
    this.#calls++;
    try {
      return await work(this.client);
    } finally {
      if (--this.#calls === 0) this.#onFinished?.();
    }
  }

  /** Resolves when its last call has ended. Call it once it gets no new ones. */
  finished(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#calls === 0) resolve();
      else this.#onFinished = resolve;
    });
  }
}
