import type { Loaded } from "../load/loaded.ts";
import type { ServerChange } from "../mcp/connection.ts";

/** A list of an MCP server that changed, or a resource that is watched. */
export interface Change {
  readonly server: string;
  readonly kind: "tools" | "prompts" | "resources" | "resource";
  /** The address of the resource that changed. */
  readonly uri?: string;
}

export type OnChange = (change: Change) => void;

/** Milliseconds in which changes of one server are reported together: one edit often changes several lists. */
const DEBOUNCE_MS = 50;
/** Milliseconds between two lists of one server: a server may report changes without end. */
const MIN_INTERVAL_MS = 1000;

interface Pending {
  readonly kinds: Set<"tools" | "prompts" | "resources">;
  readonly uris: Set<string>;
  loadedAt: number;
  timer?: NodeJS.Timeout;
  isLoading: boolean;
}

/** Resources of one server whose changes wait to be told; more are dropped, because a list that long says nothing. */
const MAX_URIS = 1000;

/** Follows what the servers of a file say about changes, and loads the lists again. */
export class ListChanges {
  #loaded: Loaded;
  readonly #replace: (loaded: Loaded) => Promise<void>;
  readonly #listeners = new Set<OnChange>();
  readonly #pending = new Map<string, Pending>();
  #watched = new Map<string, readonly string[]>();
  /** Resources of one server, of each caller that watches them by itself. */
  readonly #watches = new Set<{ readonly server: string; readonly uris: readonly string[] }>();

  constructor(loaded: Loaded, replace: (loaded: Loaded) => Promise<void>) {
    this.#loaded = loaded;
    this.#replace = replace;
    loaded.mcp?.watch((server, change) => this.#onChange(server, change));
  }

  add(listener: OnChange): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async watchResources(
    uris: readonly string[],
    serverOf: (uri: string) => string | undefined,
  ): Promise<void> {
    const byServer = new Map<string, string[]>();
    for (const uri of uris) {
      const server = serverOf(uri);
      if (server !== undefined) byServer.set(server, [...(byServer.get(server) ?? []), uri]);
    }
    const servers = new Set([...this.#watched.keys(), ...byServer.keys()]);
    this.#watched = byServer;
    await Promise.all([...servers].map((server) => this.#tellWatched(server)));
  }

  /** Resources of this server, beside what others watch. Returns what ends it. */
  async watchServer(server: string, uris: readonly string[]): Promise<() => Promise<void>> {
    const watch = { server, uris: [...uris] };
    this.#watches.add(watch);
    const end = async () => {
      if (this.#watches.delete(watch)) await this.#tellWatched(server);
    };
    try {
      await this.#tellWatched(server);
    } catch (error) {
      this.#watches.delete(watch);
      throw error;
    }
    return end;
  }

  async #tellWatched(server: string): Promise<void> {
    await this.#loaded.mcp?.watchResources(server, [...this.#watchedOf(server)]);
  }

  #watchedOf(server: string): ReadonlySet<string> {
    const own = [...this.#watches].filter((watch) => watch.server === server);
    return new Set([...(this.#watched.get(server) ?? []), ...own.flatMap(({ uris }) => uris)]);
  }

  /** Loads the lists of a server again, whether it has said that they changed or not. */
  async refresh(server: string): Promise<void> {
    this.#loaded = (await this.#loaded.refresh?.(server)) ?? this.#loaded;
    await this.#replace(this.#loaded);
    for (const kind of ["tools", "prompts", "resources"] as const) this.#notify({ server, kind });
  }

  #onChange(server: string, change: ServerChange): void {
    const pending = this.#pending.get(server) ?? {
      kinds: new Set(),
      uris: new Set(),
      loadedAt: Number.NEGATIVE_INFINITY,
      isLoading: false,
    };
    this.#pending.set(server, pending);
    if (change.kind !== "resource") pending.kinds.add(change.kind);
    else if (this.#watchedOf(server).has(change.uri) && pending.uris.size < MAX_URIS)
      pending.uris.add(change.uri);
    this.#schedule(server, pending);
  }

  #schedule(server: string, pending: Pending): void {
    if (pending.timer !== undefined || pending.isLoading) return;
    if (pending.kinds.size === 0 && pending.uris.size === 0) return;
    const wait = pending.kinds.size === 0 ? 0 : pending.loadedAt + MIN_INTERVAL_MS - performance.now();
    pending.timer = setTimeout(() => void this.#tell(server, pending), Math.max(DEBOUNCE_MS, wait)).unref();
  }

  async #tell(server: string, pending: Pending): Promise<void> {
    pending.timer = undefined;
    pending.isLoading = true;
    const [kinds, uris] = [[...pending.kinds], [...pending.uris]];
    pending.kinds.clear();
    pending.uris.clear();
    try {
      if (kinds.length > 0) {
        pending.loadedAt = performance.now();
        this.#loaded = (await this.#loaded.refresh?.(server)) ?? this.#loaded;
        await this.#replace(this.#loaded);
      }
      for (const kind of kinds) this.#notify({ server, kind });
      for (const uri of uris) this.#notify({ server, kind: "resource", uri });
    } catch {
      // The lists stay as they were; the next call says what is wrong with the server.
    } finally {
      pending.isLoading = false;
      this.#schedule(server, pending);
    }
  }

  #notify(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }
}
