import { stat } from "node:fs/promises";
import { Reloadable } from "@mci-ts/primitives/reloadable";
import type { LoadOptions, MCIClient } from "mci-ts";
import type { ToolsConfig } from "../../config/config.ts";

/** How often the files are looked at while a page is open. */
const LOOK_MS = 1000;

/**
 * The tools of a file, loaded again after an edit of it or of a file it includes. Looked at with each request, and every
 * second while a page is open; a service that no page is open of looks at nothing.
 */
export class WatchedTools {
  readonly #config: ToolsConfig;
  readonly #library: typeof import("mci-ts");
  readonly #onMcpMessage: LoadOptions["onMcpMessage"];
  readonly #listeners = new Set<() => void>();
  #loaded: Reloadable<MCIClient> | undefined;
  #loadError: string | undefined;
  #fingerprint = "";
  #files: readonly string[];
  #looking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  private constructor(
    config: ToolsConfig,
    library: typeof import("mci-ts"),
    onMcpMessage: LoadOptions["onMcpMessage"],
  ) {
    this.#config = config;
    this.#onMcpMessage = onMcpMessage;
    this.#library = library;
    this.#files = [config.file];
  }

  static async open(config: ToolsConfig, onMcpMessage?: LoadOptions["onMcpMessage"]): Promise<WatchedTools> {
    const tools = new WatchedTools(config, await import("mci-ts"), onMcpMessage);
    await tools.refresh();
    return tools;
  }

  get client(): MCIClient {
    return this.#loaded!.current;
  }

  /** Why the file as it is now cannot be loaded; the tools are then those before, or none. */
  get loadError(): string | undefined {
    return this.#loadError;
  }

  /** The client stays open until the work is done, also if the file is loaded again meanwhile. */
  use<T>(work: (client: MCIClient) => Promise<T>): Promise<T> {
    return this.#loaded!.use(work);
  }

  /** Loads the file again if it has changed. */
  refresh(): Promise<void> {
    this.#looking ??= this.#checkForChanges().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Loads the file again, changed or not. */
  async reload(): Promise<void> {
    await this.#looking;
    this.#fingerprint = "";
    await this.refresh();
  }

  async restartServer(name: string, signal: AbortSignal): Promise<void> {
    try {
      await this.use((client) => client.restartMcpServer(name, { signal }));
    } finally {
      for (const listener of this.#listeners) listener();
    }
  }

  watch(listener: () => void, signal: AbortSignal): void {
    this.#listeners.add(listener);
    this.#timer ??= setInterval(() => void this.refresh(), LOOK_MS).unref();
    signal.addEventListener("abort", () => this.#unwatch(listener), { once: true });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
    await this.#loaded?.close();
  }

  #unwatch(listener: () => void): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #checkForChanges(): Promise<void> {
    const { file, env } = this.#config;
    const before = this.#files;
    const found = await fingerprintOf(before);
    if (found === this.#fingerprint) return;
    await this.#load();
    // A file that is broken for the moment lists nothing; what it included before stays watched.
    // Nothing of this is shown, so it need not stay in the project.
    const { files } = await this.#library.lintFile(file, { env, folders: "any" });
    this.#files = [...new Set([file, ...(files.length > 0 ? files : before)])];
    // An edit during the load is found the next time.
    const isSettled = (await fingerprintOf(before)) === found;
    this.#fingerprint = isSettled ? await fingerprintOf(this.#files) : "";
    for (const listener of this.#listeners) listener();
  }

  /** A file that cannot be loaded leaves the tools as they are, and has none at first. */
  async #load(): Promise<void> {
    const { MCIClient } = this.#library;
    const { file, env } = this.#config;
    const noteError = (error: Error) => {
      this.#loadError = error.message;
    };
    const load = () =>
      MCIClient.load(file, { env, ...(this.#onMcpMessage && { onMcpMessage: this.#onMcpMessage }) });
    if (this.#loaded) {
      const clearError = () => {
        this.#loadError = undefined;
      };
      return this.#loaded.reload().then(clearError, noteError);
    }
    let isFirst = true;
    this.#loaded = await Reloadable.open(() => {
      if (!isFirst) return load();
      isFirst = false;
      return load().catch((error: Error) => {
        noteError(error);
        return MCIClient.fromObject({ schemaVersion: "1.0", tools: [] });
      });
    });
  }
}

async function fingerprintOf(files: readonly string[]): Promise<string> {
  const states = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
        () => "missing",
      ),
    ),
  );
  return states.join("\n");
}
