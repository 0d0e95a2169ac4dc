import { Reloadable } from "@mci-ts/primitives/reloadable";
import type { ExecuteOptions, ExecutionResult, MCIClient } from "mci-ts";
import { ToolPages } from "./tool-pages.ts";

export type CallObserver = (
  tool: string,
  input: Readonly<Record<string, unknown>>,
  call: Promise<ExecutionResult>,
) => void;

/** The MCIClient that is served, with its list of tools. A reload replaces both for new calls. */
export class ReloadableClient {
  readonly #versions: Reloadable<ClientVersion>;
  #observe: CallObserver | undefined;

  private constructor(versions: Reloadable<ClientVersion>) {
    this.#versions = versions;
  }

  static async open(load: () => Promise<MCIClient>): Promise<ReloadableClient> {
    return new ReloadableClient(await Reloadable.open(async () => toVersion(await load())));
  }

  get pages(): ToolPages {
    return this.#versions.current.pages;
  }

  /** The file's metadata. */
  get metadata(): MCIClient["metadata"] {
    return this.current.metadata;
  }

  /** For reading. Calls go through `call` or `use`, so that a reload waits for them. */
  get current(): MCIClient {
    return this.#versions.current.client;
  }

  call(
    name: string,
    properties: Readonly<Record<string, unknown>>,
    options: ExecuteOptions,
  ): Promise<ExecutionResult> {
    const call = this.#versions.use(({ client, pages }) =>
      // A name that is not listed is passed on, for the client's own error.
      client.execute(pages.find(name)?.tool.name ?? name, properties, { ...options, noteIgnored: true }),
    );
    this.#observe?.(name, properties, call);
    return call;
  }

  /** Tells of each `call` as it starts. */
  observeCalls(observe: CallObserver): void {
    this.#observe = observe;
  }

  /** Uses the current version, which stays open until the work is done. */
  use<T>(work: (client: MCIClient) => Promise<T>): Promise<T> {
    return this.#versions.use(({ client }) => work(client));
  }

  /** Loads the file again. If that fails the tools stay as they are, and the error is thrown. */
  reload(): Promise<void> {
    return this.#versions.reload();
  }

  /** Cancels calls in flight and closes every version. */
  close(): Promise<void> {
    return this.#versions.close();
  }
}

/** The file as loaded once. */
interface ClientVersion {
  readonly client: MCIClient;
  readonly pages: ToolPages;
  close(): Promise<void>;
}

function toVersion(client: MCIClient): ClientVersion {
  return { client, pages: new ToolPages(client.tools()), close: () => client.close() };
}
