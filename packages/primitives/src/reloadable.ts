interface Closable {
  close(): Promise<void>;
}

/**
 * Something that is loaded, used, and loaded again while it is in use: new work gets the new version, work in flight finishes on the
 * version it started with, which is closed after it.
 */
export class Reloadable<Loaded extends Closable> {
  readonly #load: () => Promise<Loaded>;
  #current: Version<Loaded>;
  /** The current version and earlier ones with work in flight. */
  readonly #versions = new Set<Version<Loaded>>();
  #isClosed = false;

  private constructor(load: () => Promise<Loaded>, first: Loaded) {
    this.#load = load;
    this.#current = this.#add(first);
  }

  static async open<Loaded extends Closable>(load: () => Promise<Loaded>): Promise<Reloadable<Loaded>> {
    return new Reloadable(load, await load());
  }

  /** For reading. Work that takes time goes through `use`, so that a reload waits for it. */
  get current(): Loaded {
    return this.#current.loaded;
  }

  /** Uses the current version, which stays open until the work is done. */
  async use<T>(work: (loaded: Loaded) => Promise<T>): Promise<T> {
    const version = this.#current;
    version.uses++;
    try {
      return await work(version.loaded);
    } finally {
      version.uses--;
      if (version !== this.#current && version.uses === 0) this.#endLater(version);
    }
  }

  /** Loads again. If that fails everything stays as it is, and the error is thrown. */
  async reload(): Promise<void> {
    const loaded = await this.#load();
    if (this.#isClosed) return loaded.close();
    const old = this.#current;
    this.#current = this.#add(loaded);
    if (old.uses === 0) this.#endLater(old);
  }

  /** Closes every version, also those in use. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#versions].map((version) => this.#end(version)));
  }

  #add(loaded: Loaded): Version<Loaded> {
    const version = { loaded, uses: 0 };
    this.#versions.add(version);
    return version;
  }

  /** No one waits for the end of an old version, or can do anything about its failure. */
  #endLater(version: Version<Loaded>): void {
    this.#end(version).catch(() => undefined);
  }

  async #end(version: Version<Loaded>): Promise<void> {
    if (!this.#versions.delete(version)) return;
    await version.loaded.close();
  }
}

interface Version<Loaded> {
  readonly loaded: Loaded;
  uses: number;
}
