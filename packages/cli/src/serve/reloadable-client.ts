import { Reloadable } from "@mci-ts/primitives/reloadable";
import type { CallOptions, Change, ExecutionResult, MCIClient, Tool, ToolClient, ToolFilter } from "mci-ts";
import type { CodeTool, Plan } from "mci-ts/code";
import { ToolPages } from "./tool-pages.ts";

export type CallObserver = (
  tool: string,
  input: Readonly<Record<string, unknown>>,
) => {
  readonly onExchange: NonNullable<CallOptions["onExchange"]>;
  /** Called with the call, once it has started. */
  readonly follow: (call: Promise<ExecutionResult>) => void;
};

/** The MCIClient that is served, with its list of tools. A reload replaces both for new calls. */
export class ReloadableClient {
  readonly #versions: Reloadable<ClientVersion>;
  #observe: CallObserver | undefined;
  #onChange: ((change: Change) => void) | undefined;

  private constructor(versions: Reloadable<ClientVersion>) {
    this.#versions = versions;
  }

  /** `modeOf`: tools about the client's tools, which clients see instead of them. Default: they see them all. */
  static async open(load: () => Promise<MCIClient>, modeOf?: ModeOf): Promise<ReloadableClient> {
    let tell: ((change: Change) => void) | undefined;
    const opened = new ReloadableClient(
      await Reloadable.open(async () => toVersion(await load(), modeOf, (change) => tell?.(change))),
    );
    tell = (change) => opened.#onChange?.(change);
    return opened;
  }

  /** Tells of changes of the servers behind, after the lists are new. */
  onChange(listener: (change: Change) => void): void {
    this.#onChange = listener;
  }

  get pages(): ToolPages {
    return this.#versions.current.pages;
  }

  /** The tools that pass one of the filters; all, without one. */
  pagesFor(filters: readonly ToolFilter[] | undefined): ToolPages {
    const { client, pages, views } = this.#versions.current;
    if (filters === undefined) return pages;
    const key = JSON.stringify(filters);
    const cached = views.get(key);
    if (cached !== undefined) return cached;
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
    options: CallOptions,
  ): Promise<ExecutionResult> {
    const observed = this.#observe?.(name, properties);
    const observedOptions = observed ? { ...options, onExchange: observed.onExchange } : options;
    const { approvePlan: _, approve: __, filter: ___, ...execution } = observedOptions;
    const call = this.#versions.use(({ client, pages, mode }) =>
      mode === undefined
        ? // A name that is not listed is passed on, for the client's own error.
          client.execute(pages.find(name)?.tool.name ?? name, properties, { ...execution, noteIgnored: true })
        : // Who needs an approval has been asked before.
          mode.call(name, properties, { approve: () => true, ...observedOptions }),
    );
    observed?.follow(call);
    return call;
  }

  /** The plan that a call of this caller would commit; undefined for any other call, or if there is none. */
  async planToApprove(
    name: string,
    { plan_id: id }: Readonly<Record<string, unknown>>,
    caller: string | undefined,
  ): Promise<Plan | undefined> {
    const { mode } = this.#versions.current;
    if (name !== "commit_plan" || mode === undefined || !("plan" in mode)) return undefined;
    try {
      const plan = await (mode as CodeTool).plan(String(id));
      return plan.caller === caller ? plan : undefined;
    } catch {
      // The call itself says what is wrong with it.
      return undefined;
    }
  }

  /** The tool that a call would run, if its user is to be asked first, with what it would be given. */
  approvalTarget(name: string, args: Readonly<Record<string, unknown>>): ApprovalTarget | undefined {
    const { mode, pages } = this.#versions.current;
    const isWrapped = mode !== undefined && name === "call_tool";
    const inner = isWrapped ? String(args["name"]) : (pages.find(name)?.tool.name ?? name);
    const tool = this.#toolOf(inner);
    const isRequired = tool?.approve === true;
    if (
      tool === undefined ||
      !(isRequired || (tool.annotations?.destructiveHint === true && tool.approve !== false))
    )
      return undefined;
    const input = isWrapped ? args["input"] : args;
    return { name: tool.name, input: (input ?? {}) as Record<string, unknown>, isRequired };
  }

  #toolOf(name: string): Tool | undefined {
    try {
      return this.current.tool(name);
    } catch {
      // It is about the client's tools, or does not exist.
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

export interface ApprovalTarget {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The file says so; else a hint does. */
  readonly isRequired: boolean;
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

async function toVersion(
  client: MCIClient,
  modeOf: ModeOf | undefined,
  onChange: (change: Change) => void,
): Promise<ClientVersion> {
  const content = async () => {
    const mode = await modeOf?.(client);
    // Definitions have all that is listed of a tool; how it runs is not.
    const listed = mode?.toolDefinitions().map((definition) => ({ ...definition, execution: NONE }));
    return { pages: new ToolPages(listed ?? client.tools()), ...(mode && { mode }) };
  };
  const version = {
    client,
    views: new Map<string, ToolPages>(),
    ...(await content().catch(closing(client))),
    close: () => client.close(),
  };
  if (client.mcpServers().length > 0)
    await client.onChange((change) => {
      if (change.kind !== "tools") return onChange(change);
      void content()
        .then((fresh) => {
          Object.assign(version, fresh);
          version.views.clear();
          onChange(change);
        })
        // A tool that was pinned is gone: clients see the list of before, and calls say so.
        .catch(() => {});
    });
  return version;
}

function closing(client: MCIClient): (error: unknown) => Promise<never> {
  return async (error) => {
    await client.close();
    throw error;
  };
}

/** Combinations of scopes whose tools are remembered. */
const MAX_VIEWS = 100;
const NONE = { type: "text", text: "" } as const;
