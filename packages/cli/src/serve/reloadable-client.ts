import { Reloadable } from "@mci-ts/primitives/reloadable";
import type { CallOptions, ExecuteOptions, ExecutionResult, MCIClient, ToolClient, ToolFilter } from "mci-ts";
import type { CodeTool, Plan } from "mci-ts/code";
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

  /** `modeOf`: tools about the client's tools, which clients see instead of them. Default: they see them all. */
  static async open(load: () => Promise<MCIClient>, modeOf?: ModeOf): Promise<ReloadableClient> {
    return new ReloadableClient(await Reloadable.open(async () => toVersion(await load(), modeOf)));
  }

  get pages(): ToolPages {
    return this.#versions.current.pages;
  }

  /** The tools that pass one of the filters; all, without one. */
  pagesFor(filters: readonly ToolFilter[] | undefined): ToolPages {
    const { client, pages, views } = this.#versions.current;
    if (filters === undefined) return pages;
    const key = JSON.stringify(filters);
    const known = views.get(key);
    if (known !== undefined) return known;
    const view = pages.only(new Set(filters.flatMap((filter) => client.listTools(filter))));
    if (views.size >= MAX_VIEWS) views.clear();
    views.set(key, view);
    return view;
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
    options: ExecuteOptions & Pick<CallOptions, "approvePlan">,
  ): Promise<ExecutionResult> {
    const { approvePlan: _, ...execution } = options;
    const call = this.#versions.use(({ client, pages, mode }) =>
      mode === undefined
        ? // A name that is not listed is passed on, for the client's own error.
          client.execute(pages.find(name)?.tool.name ?? name, properties, { ...execution, noteIgnored: true })
        : mode.call(name, properties, options),
    );
    this.#observe?.(name, properties, call);
    return call;
  }

  /** The plan that a call would commit; undefined for any other call, or if there is none. */
  planToApprove(name: string, { plan_id: id }: Readonly<Record<string, unknown>>): Plan | undefined {
    const { mode } = this.#versions.current;
    if (name !== "commit_plan" || mode === undefined || !("plan" in mode)) return undefined;
    try {
      return (mode as CodeTool).plan(String(id));
    } catch {
      // The call itself says what is wrong with it.
      return undefined;
    }
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

/** What clients see instead of every tool. It may load parts of the library. */
export type ModeOf = (client: MCIClient) => Promise<ToolClient>;

/** The file as loaded once. */
interface ClientVersion {
  readonly client: MCIClient;
  readonly mode?: ToolClient;
  readonly pages: ToolPages;
  /** Its tools by the filters of callers. */
  readonly views: Map<string, ToolPages>;
  close(): Promise<void>;
}

async function toVersion(client: MCIClient, modeOf?: ModeOf): Promise<ClientVersion> {
  const mode = await modeOf?.(client).catch(async (error: unknown) => {
    await client.close();
    throw error;
  });
  // Definitions have all that is listed of a tool; how it runs is not.
  const listed = mode?.toolDefinitions().map((definition) => ({ ...definition, execution: NONE }));
  const pages = new ToolPages(listed ?? client.tools());
  return { client, pages, views: new Map(), ...(mode && { mode }), close: () => client.close() };
}

/** Combinations of scopes whose tools are remembered. */
const MAX_VIEWS = 100;
const NONE = { type: "text", text: "" } as const;
