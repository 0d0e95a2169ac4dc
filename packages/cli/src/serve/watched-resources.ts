/** Resources that one client may watch, and all of them. */
const MAX_PER_OWNER = 100;
const MAX_OWNERS = 1000;

/** Which resources clients want to be told of. */
export class WatchedResources {
  readonly #byOwner = new Map<unknown, Set<string>>();
  readonly #watch: (uris: readonly string[]) => Promise<void>;

  constructor(watch: (uris: readonly string[]) => Promise<void>) {
    this.#watch = watch;
  }

  async add(owner: unknown, ...uris: readonly string[]): Promise<void> {
    const own = this.#byOwner.get(owner) ?? new Set();
    for (const uri of uris) if (own.size < MAX_PER_OWNER) own.add(uri);
    this.#byOwner.delete(owner);
    this.#byOwner.set(owner, own);
    if (this.#byOwner.size > MAX_OWNERS) this.#byOwner.delete(this.#byOwner.keys().next().value);
    await this.#update();
  }

  async remove(owner: unknown, uri: string): Promise<void> {
    if (this.#byOwner.get(owner)?.delete(uri)) await this.#update();
  }

  async removeOwner(owner: unknown): Promise<void> {
    if (this.#byOwner.delete(owner)) await this.#update();
  }

  /** Whether this client asked for it. */
  has(owner: unknown, uri: string): boolean {
    return this.#byOwner.get(owner)?.has(uri) === true;
  }

  async #update(): Promise<void> {
    await this.#watch([...new Set([...this.#byOwner.values()].flatMap((uris) => [...uris]))]);
  }
}
